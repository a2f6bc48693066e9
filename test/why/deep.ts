/**
 * A second look: further traffic for what is listed and was not seen to matter. Asks the requests
 * of all sessions at many more places, as many callers, of rows with other values.
 */
import { textOf } from "../gaps/compare.ts";
import type { Session } from "../gaps/play.ts";
import type { Ready } from "../gaps/static.ts";
import type { Subject } from "../gaps/subjects.ts";
import type { RawAnswer, RawRequest } from "../histories/talk.ts";
import { type Asked, Bench, Bound, isAnswer } from "./bench.ts";
import { carried } from "./carried.ts";
import { changesOf, dueOf, manyOf, type RowChange } from "./edits.ts";
import type { Listing } from "./listing.ts";
import { Counts, keyOf, kindOf, Memory, madeBy, type Probe, type Stage } from "./probes.ts";
import type { Variant } from "./variants.ts";

/** Requests of one endpoint that are carried from session to session. */
const OF_ONE_ENDPOINT = 6;
/** Places of one session where all of them are asked. */
const PLACES_MAX = 8;
/** Answers that are kept: of one key, of it in one session, and of one kind. */
const OF_ONE_KEY = 48;
const OF_ONE_SESSION = 8;
const OF_ONE_KIND = 4;
/** Of rows with other values. */
const OF_ONE_CHANGE = 2;

interface Wanted {
  /** What is asked, and the status. */
  readonly keys: ReadonlySet<string>;
  /** What is asked. */
  readonly names: ReadonlySet<string>;
}

/** How a request looks: which members and which parts of the query it has. */
function shapeOf({ target, body, headers }: RawRequest): string {
  const names = [...body.matchAll(/"(\w+)":/g)].map(([, name]) => name).sort();
  const query = (target.split("?")[1] ?? "").replaceAll(/=[^&]*/g, "");
  return [query, ...names, ...headers.map(([name]) => name)].join(" ");
}

/** For each endpoint that is wanted, requests that look different. */
function poolOf(
  sessions: readonly Session[],
  listing: Listing,
  { names }: Wanted,
): readonly RawRequest[] {
  const found = new Map<string, Map<string, RawRequest>>();
  for (const { steps } of sessions) {
    for (const step of steps) {
      if (step.is !== "request") continue;
      const { name } = listing.target(step.request.method, step.request.target);
      if (!names.has(name)) continue;
      const all = found.get(name) ?? new Map<string, RawRequest>();
      found.set(name, all.set(shapeOf(step.request), step.request));
    }
  }
  return [...found.values()].flatMap((all) => [...all.values()].slice(0, OF_ONE_ENDPOINT));
}

class Look {
  private readonly listing: Listing;
  private readonly wanted: Wanted;
  private readonly base: Bound;
  private readonly counts: Counts;
  private readonly session: number;

  constructor(
    { listing, wanted, counts }: { listing: Listing; wanted: Wanted; counts: Counts },
    base: Bound,
    session: number,
  ) {
    this.listing = listing;
    this.wanted = wanted;
    this.counts = counts;
    this.base = base;
    this.session = session;
  }

  private takes(key: string, kind: string): boolean {
    const { counts, session } = this;
    return (
      this.wanted.keys.has(key) &&
      counts.take(`${key} ${session} ${kind}`, OF_ONE_KIND) &&
      counts.take(`${key} ${session}`, OF_ONE_SESSION) &&
      counts.take(key, OF_ONE_KEY)
    );
  }

  private probe(asked: Asked & { what: string }, answer: RawAnswer): Probe {
    const { request } = asked;
    const { status } = answer;
    const target = this.listing.target(request.method, request.target);
    const text = textOf(answer, false);
    return { ...asked, target, status, key: keyOf(target, status), text, core: false };
  }

  async ask(variants: readonly Variant[], seed: number): Promise<Probe[]> {
    const here: Probe[] = [];
    for (const variant of variants) {
      const { request } = variant;
      const { name } = this.listing.target(request.method, request.target);
      if (!this.wanted.names.has(name)) continue;
      const asked = { ...variant, seed };
      const answer = await this.base.probe(asked);
      if (!isAnswer(answer)) continue;
      const made = this.probe(asked, answer);
      if (this.takes(made.key, kindOf(answer))) here.push(made);
    }
    return here;
  }

  /** The requests where rows have other values. */
  async ofOthers(
    requests: readonly RawRequest[],
    changes: readonly RowChange[],
    seed: number,
  ): Promise<Probe[]> {
    const here: Probe[] = [];
    for (const request of requests) {
      const before = textOf(await this.base.probe({ request, seed }), false);
      for (const { what, isDue, ...rows } of changes) {
        const asked = { request, seed, rows, what: `other ${what}` };
        const answer = await this.base.probe(asked);
        if (!isAnswer(answer)) continue;
        const made = this.probe(asked, answer);
        if (!this.wanted.keys.has(made.key) || (made.text === before && !isDue)) continue;
        if (this.counts.take(`other ${made.key} ${what}`, OF_ONE_CHANGE)) here.push(made);
      }
    }
    return here;
  }
}

/** Further stages for what is asked and the statuses of `keys`. */
export async function deepStages(
  ready: Ready,
  subject: Subject,
  {
    sessions,
    listing,
    keys,
  }: { sessions: readonly Session[]; listing: Listing; keys: Set<string> },
): Promise<Stage[]> {
  const wanted: Wanted = {
    keys,
    names: new Set([...keys].map((key) => key.slice(0, key.lastIndexOf(" -> ")))),
  };
  const pool = poolOf(sessions, listing, wanted);
  const counts = new Counts();
  const stages: Stage[] = [];
  for (const [index, session] of sessions.entries()) {
    const isScripted = session.code === true;
    const bench = new Bench(ready.plan, session.start);
    const maker = await (await Bound.open(bench, madeBy(ready, index), subject, isScripted)).begin(
      true,
    );
    const base = await Bound.open(bench, ready, subject, isScripted);
    const look = new Look({ listing, wanted, counts }, base, index);
    const memory = new Memory(ready);
    for (const one of session.steps) if (one.is === "request") memory.sent(one.request);
    const probes = new Map<number, Probe[]>();
    const every = Math.max(1, Math.ceil(session.steps.length / PLACES_MAX));
    let isNext = false;
    for (const [at, step] of session.steps.entries()) {
      if (step.is === "move") {
        bench.now += step.micros;
        isNext = true;
        continue;
      }
      const isLast = at === session.steps.length - 1;
      const { request, seed } = step;
      const here = await look.ask([{ what: "as it is", request }], seed);
      if (isNext || at % every === every - 1 || isLast) {
        isNext = false;
        const own = carried(pool, [...memory.keys], [...memory.credentials.values()]);
        here.push(...(await look.ask(own, seed)));
        if (at % (every * 3) === 0 || isLast) {
          const changes = [
            ...changesOf(ready.plan, bench.session, bench.now),
            ...dueOf(ready.plan, bench.session, bench.now),
            ...manyOf(ready.plan, bench.session),
          ];
          const first = new Counts();
          const one = own.filter(({ request: { method, target } }) =>
            first.take(listing.target(method, target).name, 2),
          );
          here.push(
            ...(await look.ofOthers(
              one.map((each) => each.request),
              changes,
              seed,
            )),
          );
        }
      }
      if (here.length > 0) probes.set(at, here);
      memory.heard(await maker.ask(request, seed));
      await maker.settle();
    }
    await base.stop();
    await maker.stop();
    stages.push({ session, probes, madeAt: index });
  }
  return stages;
}
