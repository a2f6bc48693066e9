/** Judges `why`: each statement of a document is changed alone, and all answers are compared. */
import { doubtsOf, type Plan } from "../../src/plan/index.ts";
import { read } from "../../src/read/index.ts";
import { textOf } from "../gaps/compare.ts";
import { checkedText, type Ready, readyOf } from "../gaps/static.ts";
import type { Subject } from "../gaps/subjects.ts";
import { allTraffic, trafficOf } from "../gaps/traffic.ts";
import { Bench, Bound, isAnswer } from "./bench.ts";
import { deepStages } from "./deep.ts";
import { Listing } from "./listing.ts";
import { keyOf, madeBy, type Probe, probesOf, type Stage } from "./probes.ts";
import { type Change, type Statement, statementsOf } from "./statements.ts";

/** Where a line was seen to matter that is listed with an answer which no change of it changed. */
export type Elsewhere = "another status of it" | "another endpoint" | "nowhere";

export interface Unproven {
  readonly text: string;
  readonly elsewhere: Elsewhere;
}

export interface Report {
  readonly statements: number;
  readonly changes: number;
  readonly probes: number;
  readonly asked: number;
  /** Answers of the unchanged document that were other ones when they were asked for again. */
  readonly unstable: readonly string[];
  /** Statements that no change leaves a document that is served and another. */
  readonly unjudged: readonly string[];
  /** Answers that changed although `why` does not list the line. */
  readonly missing: readonly string[];
  /** Triples of what is asked, a status and a line: listed, and seen to matter. */
  readonly proven: number;
  /** Listed, and no answer changed. */
  readonly unproven: readonly Unproven[];
}

export interface Options {
  readonly seed: number;
  /** So many statements at most, evenly spread. */
  readonly limit: number;
  /** The lines that are judged; undefined: all. */
  readonly lines?: ReadonlySet<number> | undefined;
  /** Changes of one statement that are looked at, at most. */
  readonly changesMax: number;
  /** Histories at random besides the blocks of the document. Default: those of the gap campaign. */
  readonly historiesMax?: number;
  readonly told?: (text: string) => void;
}

/** Services that run at a time. */
const BATCH = 128;
/** Changes of a statement that are served whatever is known of it. */
const LEAST = 2;

/** A statement, and what is known of it. */
class Case {
  readonly statement: Statement;
  /** Listed with it, and not seen to matter: names and statuses. */
  readonly open: Set<string>;
  readonly listed: ReadonlySet<string>;
  served = 0;
  private next = 0;

  /** Whether a change may show that the probe's answers, or what they become, depend on it. */
  wants({ key, target }: Probe, how: Change["how"]): boolean {
    if (this.open.has(key)) return true;
    return how === "other" && this.open.size > 0 && this.isOpenAt(target.name);
  }

  private isOpenAt(name: string): boolean {
    for (const key of this.open) if (key.startsWith(`${name} -> `)) return true;
    return false;
  }

  constructor(statement: Statement, open: Set<string>) {
    this.statement = statement;
    this.open = open;
    this.listed = new Set(open);
  }

  /** Its changes are looked at from the first on. */
  again(): void {
    this.next = 0;
  }

  /** The next change to be looked at; undefined: nothing more is to be known. */
  take(changesMax: number): Change | undefined {
    if (this.served >= LEAST && this.open.size === 0) return undefined;
    if (this.next >= changesMax) return undefined;
    return this.statement.changes[this.next++];
  }
}

/**
 * Whether steps that are done on time are not known, so that they may do anything to any row: who
 * looks at any row meets the gap, whatever the step did that stood there.
 */
function mayDoAnything(plan: Plan): boolean {
  const { of, ofAny } = doubtsOf(plan);
  return [...of.values(), ...ofAny.values()].some(({ others }) =>
    plan.resources.every(({ name }) => {
      const touch = others.get(name);
      return touch?.made === true && touch.gone;
    }),
  );
}

const GAP_STATUS = 501;

interface Running {
  /** What a gap in it may do is anything. */
  readonly isAnything: boolean;
  readonly one: Case;
  /** Whether all core probes are asked of it, so that what `why` does not list is met. */
  readonly isFull: boolean;
  readonly change: Change;
  readonly bound: Bound;
}

/** What is asked, of a key. */
const nameIn = (key: string): string => key.slice(0, key.lastIndexOf(" -> "));

function wants({ one, change, isFull }: Running, probe: Probe): boolean {
  return (isFull && probe.core) || one.wants(probe, change.how);
}

/** Which requests any of those that run is to be asked; where none does, all. */
function wantedOf(running: readonly Running[]): (probe: Probe) => boolean {
  if (running.length === 0) return () => true;
  const isFull = running.some((one) => one.isFull);
  const open = new Set(running.flatMap(({ one }) => [...one.open].map(nameIn)));
  return ({ core, key }) => (isFull && core) || open.has(nameIn(key));
}

/** Where two answers of one status begin to differ. */
function difference(before: string, after: string): string {
  const at = [...before].findIndex((one, i) => one !== after[i]);
  if (before.slice(0, 3) !== after.slice(0, 3) || at < 0) return "";
  return `: ${before.slice(Math.max(0, at - 20), at + 30)} / ${after.slice(at, at + 30)}`;
}

class Trial {
  readonly missing = new Map<string, string>();
  readonly unstable = new Map<string, string>();
  asked = 0;
  changes = 0;
  private readonly ready: Ready;
  private readonly subject: Subject;
  private readonly planText: string;

  constructor(ready: Ready, subject: Subject) {
    this.ready = ready;
    this.subject = subject;
    this.planText = JSON.stringify(ready.plan);
  }

  /** The changed document; undefined where it has errors, or says the same. */
  other(change: Change): Ready | undefined {
    const { subject } = this;
    const { assumptions } = subject;
    const given =
      assumptions === undefined || change.beside === undefined
        ? subject
        : {
            ...subject,
            assumptions: Buffer.from(change.beside(Buffer.from(assumptions).toString())),
          };
    const ready = readyOf(checkedText(change.text(), given), subject);
    return ready === undefined || JSON.stringify(ready.plan) === this.planText ? undefined : ready;
  }

  /** Asks what `stages` ask of the changed documents. */
  async run(
    all: readonly { one: Case; change: Change; ready: Ready }[],
    stages: readonly Stage[],
  ): Promise<void> {
    const ways = [false, true].map((isScripted) => ({
      isScripted,
      stages: stages.filter(({ session }) => (session.code === true) === isScripted),
    }));
    this.changes += all.length;
    for (const way of ways) if (way.stages.length > 0) await this.among(all, way);
  }

  private async among(
    all: readonly { one: Case; change: Change; ready: Ready }[],
    { stages, isScripted }: { readonly stages: readonly Stage[]; readonly isScripted: boolean },
  ): Promise<void> {
    const bench = new Bench(this.ready.plan, stages[0]?.session.start ?? 0n);
    const running: Running[] = [];
    for (const { one, change, ready } of all) {
      try {
        const bound = await Bound.open(bench, ready, this.subject, isScripted);
        const isAnything = change.how === "not shown" && mayDoAnything(ready.plan);
        running.push({ one, change, bound, isAnything, isFull: one.served++ < LEAST });
      } catch {
        // It does not start: its settings, or rows at the start, do not fit any more.
      }
    }
    const whole = await Bound.open(bench, this.ready, this.subject, isScripted);
    try {
      for (const stage of stages) await this.stage(bench, stage, { running, whole });
    } finally {
      for (const { bound } of [...running, { bound: whole }]) await bound.stop();
    }
  }

  /** Every request of the unchanged document once more. */
  async again(stages: readonly Stage[]): Promise<void> {
    await this.run([], stages);
  }

  private async stage(
    bench: Bench,
    { session, probes, madeAt }: Stage,
    { running, whole }: { readonly running: readonly Running[]; readonly whole: Bound },
  ): Promise<void> {
    const asked = wantedOf(running);
    const last = Math.max(...[...probes].map(([at, all]) => (all.some(asked) ? at : -1)));
    if (last < 0) return;
    await bench.undone(async () => {
      bench.now = session.start;
      const made = madeBy(this.ready, madeAt);
      const maker = await Bound.open(bench, made, this.subject, session.code === true);
      const base = await maker.begin(true);
      for (const [at, step] of session.steps.slice(0, last + 1).entries()) {
        if (step.is === "move") bench.now += step.micros;
        else {
          const here = (probes.get(at) ?? []).filter(asked);
          for (const one of running) await this.ask(one, here);
          await this.askWhole(whole, here);
          await base.ask(step.request, step.seed);
        }
        await base.settle();
      }
      await base.stop();
      await maker.stop();
    });
  }

  private async askWhole(whole: Bound, probes: readonly Probe[]): Promise<void> {
    for (const probe of probes) {
      const { request, text, what } = probe;
      const answer = await whole.probe(probe);
      const again = textOf(answer, false);
      if (!isAnswer(answer) || again === text) continue;
      const asked = `${request.method} ${request.target.slice(0, 80)} (${what})`;
      this.unstable.set(asked, `${asked}: ${text.slice(0, 3)}, ${difference(text, again)}`);
    }
  }

  private async ask(running: Running, probes: readonly Probe[]): Promise<void> {
    const { one, change, bound, isAnything } = running;
    const { line, before } = one.statement;
    for (const probe of probes) {
      if (!wants(running, probe)) continue;
      const { request, target, status } = probe;
      const answer = await bound.probe(probe);
      this.asked++;
      if (!isAnswer(answer) || textOf(answer, false) === probe.text) continue;
      one.open.delete(probe.key);
      one.open.delete(keyOf(target, answer.status));
      const isListed = [status, answer.status].some((each) => target.lines(each).has(line));
      if (isListed || (isAnything && answer.status === GAP_STATUS)) continue;
      // The access that fails is another one.
      if (probe.of !== undefined && probe.of !== (await bound.accesses(probe))) continue;
      this.missing.set(
        `${line} ${target.name} ${status} ${answer.status}`,
        `line ${line} ${before.slice(0, 80)} | ${change.how} ${change.becomes.slice(0, 90)} | ` +
          `${request.method} ${request.target.slice(0, 80)} (${probe.what}): ` +
          `${status} became ${answer.status}${difference(probe.text, textOf(answer, false))}`,
      );
    }
  }
}

/** What `why` lists with the line, for all that the probes meet. */
function listedWith(line: number, stages: readonly Stage[]): Set<string> {
  const found = new Set<string>();
  for (const { probes } of stages) {
    for (const probe of [...probes.values()].flat()) {
      if (probe.target.lines(probe.status).has(line)) found.add(probe.key);
    }
  }
  return found;
}

function elsewhereOf({ listed, open }: Case, key: string): Elsewhere {
  const seen = [...listed].filter((one) => !open.has(one)).map(nameIn);
  if (seen.includes(nameIn(key))) return "another status of it";
  return seen.length > 0 ? "another endpoint" : "nowhere";
}

/** Judges one document. */
export async function judgeWhy(subject: Subject, options: Options): Promise<Report> {
  const { spec } = read(subject.bytes);
  const ready = readyOf(checkedText(spec.text, subject), subject);
  if (ready === undefined) throw new Error(`${subject.name} has errors`);
  const listing = new Listing(ready);
  const sessions = await trafficOf(ready, subject, options.seed, options.historiesMax);
  const { stages, count } = await probesOf(ready, subject, sessions, listing);
  options.told?.(`${count} requests`);
  const { lines } = options;
  const all = statementsOf(spec).filter(({ line }) => lines === undefined || lines.has(line));
  const every = Math.max(1, all.length / options.limit);
  const cases = all
    .filter((_, i) => Math.floor(i / every) !== Math.floor((i - 1) / every))
    .map((one) => new Case(one, listedWith(one.line, stages)));
  const trial = new Trial(ready, subject);
  await trial.again(stages);
  await judgeAll(cases, trial, { ...options, stages });
  await lookDeeper(cases, trial, { ...options, listing, ready, subject });
  const name = ({ statement }: Case): string => `line ${statement.line} ${statement.before}`;
  const unproven = cases.flatMap((one) =>
    [...one.open].map((key) => ({
      text: `${key} ${name(one)}`,
      elsewhere: elsewhereOf(one, key),
    })),
  );
  const listed = cases.reduce((sum, one) => sum + one.listed.size, 0);
  return {
    statements: cases.length,
    changes: trial.changes,
    probes: count,
    asked: trial.asked,
    unjudged: cases.filter(({ served }) => served === 0).map(name),
    unstable: [...trial.unstable.values()],
    missing: [...trial.missing.values()],
    proven: listed - unproven.length,
    unproven,
  };
}

interface Deeper extends Options {
  readonly listing: Listing;
  readonly ready: Ready;
  readonly subject: Subject;
}

/** What is listed and was not seen to matter, by further traffic. */
async function lookDeeper(
  cases: readonly Case[],
  trial: Trial,
  { listing, ready, subject, ...options }: Deeper,
): Promise<void> {
  const left = cases.filter(({ open }) => open.size > 0);
  if (left.length === 0) return;
  const { short: sessions } = await allTraffic(ready, subject, {
    seed: options.seed,
    searches: true,
  });
  const keys = new Set(left.flatMap(({ open }) => [...open]));
  const stages = await deepStages(ready, subject, { sessions, listing, keys });
  options.told?.(`${keys.size} kinds of answers are looked at more closely`);
  await trial.again(stages);
  for (const one of left) one.again();
  await judgeAll(left, trial, { ...options, stages });
}

/** Rounds: one change of each statement of which more is to be known. */
async function judgeAll(
  cases: readonly Case[],
  trial: Trial,
  options: Options & { readonly stages: readonly Stage[] },
): Promise<void> {
  for (;;) {
    const batch: { one: Case; change: Change; ready: Ready }[] = [];
    for (const one of cases) {
      let change = one.take(options.changesMax);
      let ready = change && trial.other(change);
      while (change !== undefined && ready === undefined) {
        change = one.take(options.changesMax);
        ready = change && trial.other(change);
      }
      if (change !== undefined && ready !== undefined) batch.push({ one, change, ready });
      if (batch.length < BATCH) continue;
      await trial.run(batch.splice(0), options.stages);
      options.told?.(`${trial.changes} changes, ${trial.asked} asked`);
    }
    if (batch.length === 0) return;
    await trial.run(batch, options.stages);
    options.told?.(`${trial.changes} changes, ${trial.asked} asked`);
  }
}
