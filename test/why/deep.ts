/**
 * A second look: further traffic for what is listed and was not seen to matter. Asks the requests
 * of all sessions at many more places, as many callers, of rows with other values.
 */
import type { Endpoint } from "../../src/plan/index.ts";
import { textOf } from "../gaps/compare.ts";
import { Guide } from "../gaps/guide.ts";
import type { Session } from "../gaps/play.ts";
import type { Ready } from "../gaps/static.ts";
import type { Subject } from "../gaps/subjects.ts";
import { Random } from "../histories/random.ts";
import { requestFor } from "../histories/requests.ts";
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
/** Answers of one key that are kept: in all, and of one kind at one place. */
const OF_ONE_KEY = 60;
const OF_ONE_KIND = 2;
/** Requests made at random to one endpoint at one place. */
const AT_RANDOM = 16;
const FAULTED_MAX = 1;
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
  /** Names the place in a session. */
  place = "";

  constructor(
    { listing, wanted, counts }: { listing: Listing; wanted: Wanted; counts: Counts },
    base: Bound,
  ) {
    this.listing = listing;
    this.wanted = wanted;
    this.counts = counts;
    this.base = base;
  }

  private takes(key: string, kind: string): boolean {
    const { counts } = this;
    return (
      this.wanted.keys.has(key) &&
      counts.take(`${key} ${this.place} ${kind}`, OF_ONE_KIND) &&
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
      if (answer.status < 400) here.push(...(await this.faultsOf(made)));
    }
    return here;
  }

  /** The same with a fault at one of its last accesses to rows. */
  private async faultsOf(probe: Probe): Promise<Probe[]> {
    const { wanted, counts } = this;
    const key = keyOf(probe.target, FAULT_STATUS);
    if (
      !wanted.keys.has(key) ||
      !counts.take(`fault ${key} ${this.place} ${probe.what}`, FAULTED_MAX)
    )
      return [];
    const count = await this.base.accesses(probe);
    const here: Probe[] = [];
    for (const fault of new Set([1, count - 1, count])) {
      if (fault < 1) continue;
      const asked = { ...probe, fault, of: count, what: `a fault, ${probe.what}` };
      const answer = await this.base.probe(asked);
      if (isAnswer(answer)) here.push(this.probe(asked, answer));
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

const FAULT_STATUS = 500;

/** Requests that are made at random to each of the endpoints. */
function atRandom(guide: Guide, endpoints: readonly Endpoint[], random: Random): Variant[] {
  const around = { ...guide.around(), random, seeks: true };
  return endpoints.flatMap((one) =>
    Array.from({ length: AT_RANDOM }, (_, i) => ({
      what: `at random ${i}`,
      request: requestFor({ ...around, seeks: i % 2 === 0 }, one),
    })),
  );
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
  const endpoints = ready.plan.endpoints.filter(({ id }) => wanted.names.has(id));
  const counts = new Counts();
  const stages: Stage[] = [];
  for (const [index, session] of sessions.entries()) {
    const isScripted = session.code === true;
    const bench = new Bench(ready.plan, session.start);
    const maker = await (await Bound.open(bench, madeBy(ready, index), subject, isScripted)).begin(
      true,
    );
    const base = await Bound.open(bench, ready, subject, isScripted);
    const look = new Look({ listing, wanted, counts }, base);
    const memory = new Memory(ready);
    for (const one of session.steps) if (one.is === "request") memory.sent(one.request);
    const guide = new Guide(ready, subject, session.start);
    const random = new Random(index + 1);
    const probes = new Map<number, Probe[]>();
    const every = Math.max(1, Math.ceil(session.steps.length / PLACES_MAX));
    let isNext = false;
    for (const [at, step] of session.steps.entries()) {
      if (step.is === "move") {
        bench.now += step.micros;
        guide.take(step);
        isNext = true;
        continue;
      }
      const isLast = at === session.steps.length - 1;
      const { request, seed } = step;
      look.place = `${index} ${at}`;
      const here = await look.ask([{ what: "as it is", request }], seed);
      if (isNext || at % every === every - 1 || isLast) {
        isNext = false;
        const own = carried(pool, [...memory.keys], [...memory.credentials.values()]);
        here.push(...(await look.ask([...own, ...atRandom(guide, endpoints, random)], seed)));
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
      guide.take(step);
      memory.heard(await maker.ask(request, seed));
      await maker.settle();
    }
    await base.stop();
    await maker.stop();
    stages.push({ session, probes, madeAt: index });
  }
  return stages;
}
