/** The requests by which a document is judged, with its own answers; each is asked alone. */
import { textOf } from "../gaps/compare.ts";
import type { Session } from "../gaps/play.ts";
import type { Ready } from "../gaps/static.ts";
import type { Subject } from "../gaps/subjects.ts";
import type { RawAnswer, RawRequest } from "../histories/talk.ts";
import { type Asked, Bench, Bound, isAnswer } from "./bench.ts";
import { carried, doubled, ofEveryKind, requestsOf } from "./carried.ts";
import { changesOf, dueOf, manyOf, type RowChange } from "./edits.ts";
import type { Listing, Target } from "./listing.ts";
import { crossed, elsewhere, type Known, type Variant, variantsOf } from "./variants.ts";

/** A request on the rows that there are before a step of a session. */
export interface Probe extends Asked {
  readonly what: string;
  /** How many accesses to rows the request has of which one fails. */
  readonly of?: number;
  readonly target: Target;
  readonly status: number;
  /** What is asked, and the status. */
  readonly key: string;
  /** The whole answer. */
  readonly text: string;
  /** Asked of every change; others only where the line is listed and not seen to matter yet. */
  readonly core: boolean;
}

/** What is asked, and a status that it ends in, in words. */
export const keyOf = ({ name }: Target, status: number): string => `${name} -> ${status}`;

export interface Stage {
  readonly session: Session;
  /** Which version of the document makes its rows. */
  readonly madeAt: number;
  /** By the step before which they are asked. */
  readonly probes: ReadonlyMap<number, readonly Probe[]>;
}

/** How many requests of an endpoint that end in one status are varied, and kept of one kind. */
const VARIED = { good: 1, bad: 2 } as const;
const KEPT = 1;
const CORE = { good: 1, bad: 1 } as const;
/** Where, of a session, much has happened. */
const LATE = 0.65;
/** How often what was asked before is asked again when time has passed, at one session. */
const AGAIN_MAX = 8;

/** What is asked with a fault, too, if it succeeds. */
const FAULTED = /^(again|caller \d)/;
/** Sessions of which a second one makes all twice. */
const DOUBLED_MAX = 2;
/** Sessions of which a second one has rows of every kind. */
const OF_KINDS_MAX = 2;
/** Sessions in which rows get other values. */
const EDITED_MAX = 6;

/** Callers that are tried. */
const KNOWN_MAX = 8;
const SECRET_MIN = 16;
/** Begins what is carried from session to session, with the place where it is asked. */
const CARRIED = /^(time \d+ \d+|late), carried/;
const CREDENTIAL = /^(authorization|cookie|x-api-key)$/i;

/** What a browser says of a page. */
const PAGE = ["Origin", "https://other.example"] as const;

/** What answers of a session have shown so far. */
export class Memory {
  readonly credentials = new Map<string, readonly [string, string]>();
  readonly values = new Map<string, unknown[]>();
  readonly keys = new Set<string>();
  /** Members in which credentials are given, with how they are sent. */
  private readonly secrets = new Map<string, readonly [header: string, prefix: string]>();
  private readonly names: ReadonlySet<string>;

  constructor({ plan }: Ready) {
    const params = plan.endpoints.flatMap((one) => one.bindings.map((each) => each.by));
    this.names = new Set([...params, ...plan.resources.flatMap((one) => one.key ?? [])]);
  }

  sent(request: RawRequest): void {
    for (const [name, value] of request.headers) {
      if (CREDENTIAL.test(name)) this.credentials.set(value, [name, value]);
    }
  }

  heard(answer: RawAnswer): void {
    try {
      this.take(JSON.parse(answer.body));
    } catch {
      // It is no JSON.
    }
  }

  /** What was given as a credential once is one under the same name again. */
  private learn(name: string, value: string): void {
    const sent = [...this.credentials.values()].find(([, one]) => one.endsWith(value));
    if (sent !== undefined) {
      this.secrets.set(name, [sent[0], sent[1].slice(0, -value.length)]);
      return;
    }
    const [header, prefix] = this.secrets.get(name) ?? [];
    if (header === undefined || prefix === undefined) return;
    this.credentials.set(prefix + value, [header, prefix + value]);
  }

  private take(value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    for (const [name, one] of Object.entries(value)) {
      if (typeof one === "string" && one.length >= SECRET_MIN) this.learn(name, one);
      const known = this.values.get(name) ?? [];
      if (known.length < 50 && !known.includes(one)) this.values.set(name, [...known, one]);
      if (this.names.has(name) && ["string", "number"].includes(typeof one)) {
        this.keys.add(String(one));
      }
      this.take(one);
    }
  }

  known(ready: Ready, { endpoint }: Target): Known {
    const { plan } = ready;
    const credentials = [...this.credentials.values()].filter((_, i, all) => {
      return i < KNOWN_MAX / 2 || i >= all.length - KNOWN_MAX / 2;
    });
    return { plan, endpoint, credentials, values: this.values, keys: [...this.keys] };
  }
}

/** Counts by key. */
export class Counts {
  private readonly all = new Map<string, number>();

  /** Whether there were less than `most`, of which this is one more. */
  take(key: string, most: number): boolean {
    const count = this.all.get(key) ?? 0;
    if (count >= most) return false;
    this.all.set(key, count + 1);
    return true;
  }
}

/** About how much an answer shows: a list of some rows is another thing than an empty one. */
const sizeOf = (body: string): number => Math.min(7, Math.floor(Math.log2(body.length + 1)));

/** An answer without what is each row's own: of an error all texts, else no more than the status. */
export function kindOf({ status, body }: RawAnswer): string {
  if (status < 400) return `${status} ${sizeOf(body)}`;
  return `${status} ${body.slice(0, 300).replaceAll(/"[^"]*\d[^"]*"|\d+/g, "#")}`;
}

/** Names of the members that are sent: not everybody is shown the same. */
function membersIn(body: string): string {
  const names = [...body.matchAll(/"(\w+)":/g)].map(([, name = ""]) => name);
  return [...new Set(names)].sort().join(" ");
}

export interface Probes {
  readonly stages: readonly Stage[];
  readonly count: number;
}

/** The same request once more, and with another body: a key may have kept the answer. */
function repeated(request: RawRequest): Variant[] {
  if (request.body === "") return [{ what: "again", request }];
  const body = request.body.replace(/"([A-Za-z])/, '"$1$1').replace(/(\d)([,}\]])/, "$17$2");
  return [
    { what: "again", request },
    {
      what: "again in other bytes",
      request: { ...request, body: request.body.replace("{", "{ ") },
    },
    { what: "again with others", request: { ...request, body } },
  ];
}

interface Around {
  readonly ready: Ready;
  readonly listing: Listing;
  readonly varied: Counts;
  readonly kept: Counts;
  /** Some requests to each endpoint, of any session. */
  readonly others: readonly RawRequest[];
}

/** Asks requests and their variants, and keeps those that tell something. */
class Asker {
  private readonly around: Around;
  private readonly base: Bound;
  private readonly memory: Memory;
  /** The last request of each kind. */
  private readonly last = new Map<string, RawRequest>();

  constructor(around: Around, base: Bound, memory: Memory) {
    this.around = around;
    this.base = base;
    this.memory = memory;
  }

  /** What was asked before, one request for each status of each endpoint. */
  before(what: string): Variant[] {
    return [...this.last.values()].map((request) => ({ what, request }));
  }

  /** What other sessions ask, of the rows of this one. */
  carried(at: string): Variant[] {
    const { credentials, keys } = this.memory;
    const all = carried(this.around.others, [...keys], [...credentials.values()]);
    return all.map((one) => ({ ...one, what: `${at}, ${one.what}` }));
  }

  /** What succeeded before, asked of other rows. */
  elsewhere(): Variant[] {
    const { ready, listing } = this.around;
    return [...this.last].flatMap(([key, request]) => {
      if (!/ 2\d\d$/.test(key)) return [];
      const target = listing.target(request.method, request.target);
      const others = elsewhere(request, this.memory.known(ready, target));
      return others.map((one) => ({ ...one, what: `late ${one.what}` }));
    });
  }

  /** What was asked before, where rows have other values and the answer is another one. */
  async ofOthers(changes: readonly RowChange[], seed: number): Promise<Probe[]> {
    const { listing, kept } = this.around;
    const here: Probe[] = [];
    for (const request of new Set(this.last.values())) {
      const target = listing.target(request.method, request.target);
      const before = textOf(await this.base.probe({ request, seed }), false);
      for (const { what, isDue, ...rows } of changes) {
        const asked = { request, seed, rows };
        const answer = await this.base.probe(asked);
        const text = textOf(answer, false);
        if (!isAnswer(answer) || (text === before && !isDue)) continue;
        const { status } = answer;
        const key = keyOf(target, status);
        const how = isDue && text !== before ? " seen" : "";
        if (!kept.take(`${key} ${what}${how}`, KEPT)) continue;
        const probe = { ...asked, what: `other ${what}`, target, status, key, text, core: false };
        here.push(probe);
        if (isDue && status < 400 && kept.take(`faults ${key} ${what}`, KEPT)) {
          here.push(...(await this.faultsOf(probe)));
        }
      }
    }
    return here;
  }

  /** The same with a fault at one of the last accesses to rows. */
  private async faultsOf(probe: Probe): Promise<Probe[]> {
    const count = await this.base.accesses(probe);
    const here: Probe[] = [];
    for (const fault of [count - 1, count]) {
      if (fault < 1) continue;
      const asked = { ...probe, fault, of: count, what: `a fault, ${probe.what}` };
      const answer = await this.base.probe(asked);
      const { status } = answer;
      const key = keyOf(probe.target, status);
      if (!isAnswer(answer) || !this.around.kept.take(`${key} ${asked.what}`, KEPT)) continue;
      here.push({ ...asked, status, key, text: textOf(answer, false) });
    }
    return here;
  }

  async ask(all: readonly Variant[], seed: number): Promise<Probe[]> {
    const { ready, listing, varied, kept } = this.around;
    const here: Probe[] = [];
    const queue = [...all];
    for (let variant = queue.shift(); variant !== undefined; variant = queue.shift()) {
      const { request, what } = variant;
      const answer = await this.base.probe({ ...variant, seed });
      if (!isAnswer(answer)) continue;
      const target = listing.target(request.method, request.target);
      const { status } = answer;
      const key = keyOf(target, status);
      const how = status < 400 ? "good" : "bad";
      const core = kept.take(`core ${target.name} ${kindOf(answer)}`, CORE[how]);
      const place = CARRIED.exec(what)?.[0] ?? what;
      const shown = /^caller|, caller/.test(what) ? membersIn(answer.body) : "";
      const most = place === what && what !== "as it is" ? KEPT : 2;
      const isKept = kept.take(`${key} ${place} ${shown}`, most);
      const isTimed = what === "time has passed" && kept.take(`${key} ${what} more`, 2);
      if (core || isKept || isTimed) {
        here.push({ ...variant, seed, target, status, key, text: textOf(answer, false), core });
      }
      if (kept.take(`page ${key}`, KEPT)) {
        const page = { ...request, headers: [...request.headers, PAGE] };
        queue.push({ ...variant, what: `page of another origin, ${what}`, request: page });
      }
      if (variant.fault !== undefined || CARRIED.test(what)) continue;
      this.last.set(key, request);
      if (how === "good" && FAULTED.test(what)) {
        const count = await this.base.accesses({ request, seed });
        queue.push({ what: `a fault late, ${what}`, request, fault: count, of: count });
        if (count > 1) {
          queue.push({ what: `a fault, ${what}`, request, fault: count - 1, of: count });
        }
      }
      if (!varied.take(`${key} ${how === "good" ? sizeOf(answer.body) : ""}`, VARIED[how]))
        continue;
      const known = this.memory.known(ready, target);
      if (how === "good") {
        const count = await this.base.accesses({ request, seed });
        const some = [1, Math.floor(count / 2), count - 2, count - 1, count];
        const faults = [...new Set(some)].filter((one) => one > 0);
        const headers = [...request.headers, PAGE];
        for (const [i, fault] of faults.entries()) {
          queue.push({ what: `a fault ${i}`, request, fault, of: count });
          const page = { ...request, headers };
          queue.push({ what: `a fault ${i} of a page`, request: page, fault, of: count });
        }
        queue.push(...variantsOf(request, known));
      } else {
        const others = crossed(request, known);
        queue.push(...others.map((one) => ({ ...one, what: `${what}, ${one.what}` })));
      }
    }
    return here;
  }
}

/**
 * The document that makes the rows of a session. Every second one is an earlier version, in which
 * nothing had to hold of rows: those that were kept then are there still.
 */
export function madeBy(ready: Ready, index: number): Ready {
  if (index % 2 === 0) return ready;
  const resources = ready.plan.resources.map((one) => ({
    ...one,
    invariants: one.invariants.filter(({ kind }) => kind !== "always"),
  }));
  const limits = ready.plan.limits.filter(({ counts }) => counts.is !== "rows kept");
  return { ...ready, plan: { ...ready.plan, resources, limits } };
}

/** Plays the sessions and finds what is asked. */
export async function probesOf(
  ready: Ready,
  subject: Subject,
  sessions: readonly Session[],
  listing: Listing,
): Promise<Probes> {
  const varied = new Counts();
  const kept = new Counts();
  const stages: Stage[] = [];
  const targetOf = ({ method, target }: RawRequest): Target => listing.target(method, target);
  const others = requestsOf(sessions, targetOf);
  const kinds = sessions.flatMap((one) => ofEveryKind(ready.plan, one, targetOf) ?? []);
  const twice = ready.plan.machines.some(({ together }) => together.is !== "not asked")
    ? sessions.slice(0, DOUBLED_MAX).map(doubled)
    : [];
  const all = [...sessions, ...kinds.slice(0, OF_KINDS_MAX), ...twice];
  let count = 0;
  for (const [index, session] of all.entries()) {
    const bench = new Bench(ready.plan, session.start);
    const maker = await (await Bound.open(bench, madeBy(ready, index), subject)).begin(true);
    const base = await Bound.open(bench, ready, subject);
    const memory = new Memory(ready);
    const probes = new Map<number, Probe[]>();
    for (const one of session.steps) if (one.is === "request") memory.sent(one.request);
    const asker = new Asker({ ready, listing, varied, kept, others }, base, memory);
    let again: Variant[] = [];
    let times = 0;
    const late = Math.floor(session.steps.length * LATE);
    for (const [at, step] of session.steps.entries()) {
      if (step.is === "move") {
        bench.now += step.micros;
        if (times++ < AGAIN_MAX) again = asker.before("time has passed");
        again.push(...asker.carried(`time ${index} ${times}`));
        continue;
      }
      const { request, seed } = step;
      if (at === late) again.push(...asker.elsewhere(), ...asker.carried("late"));
      const here = await asker.ask([...again, { what: "as it is", request }], seed);
      const isLast = at === session.steps.length - 1;
      if ((at === late || isLast) && index < EDITED_MAX) {
        const changes = [
          ...changesOf(ready.plan, bench.session, bench.now),
          ...dueOf(ready.plan, bench.session, bench.now),
          ...manyOf(ready.plan, bench.session),
        ];
        here.push(...(await asker.ofOthers(changes, seed)));
      }
      if (here.length > 0) probes.set(at, here);
      count += here.length;
      const answer = await maker.ask(request, seed);
      memory.heard(answer);
      again = answer.status < 300 ? repeated(request) : [];
      await maker.settle();
    }
    await base.stop();
    await maker.stop();
    stages.push({ session, probes, madeAt: index });
  }
  return { stages, count };
}
