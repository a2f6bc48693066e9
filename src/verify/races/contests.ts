/** Finds, in the model, requests that are worth to be made at the same time. */
import { setImmediate } from "node:timers/promises";
import type { Endpoint } from "../../plan/index.ts";
import type { Row } from "../../run/index.ts";
import {
  type Exploring,
  isForeseen,
  isUnsendable,
  makingOf,
  type Planned,
  shownMarks,
} from "../generate/explore.ts";
import { requestTo } from "../generate/requests.ts";
import type { Request } from "../world/message.ts";
import { withoutMarks } from "../world/texts.ts";
import type { Ran } from "../world/world.ts";
import { endpointOf, RowsChanged } from "./rows.ts";

/** Requests to be made at the same time, behind others that are made one after the other. */
export interface Contest {
  /** Alike for contests of the same kind. */
  readonly name: string;
  readonly setup: readonly Planned[];
  readonly first: Request;
  readonly second: Request;
  /** Show what has become of the rows. */
  readonly reads: readonly Request[];
}

/** Pairs that are tried in one state of the model. */
const PAIRS = 8;
/** States that are walked through. */
const AHEAD = 8;
const WALKS = 4;
/** Tries to read what two requests have changed. */
const READS_TRIED = 12;
const READS = 2;

interface Pair {
  readonly first: Request;
  readonly second: Request;
  readonly name: string;
  readonly row: Row | undefined;
}

/** What two requests come to, together and apart. */
interface Came {
  readonly ran: Ran;
  readonly changed: ReadonlyMap<string, Row>;
}

/** Chooses contests by the model of an exploration. */
export class Contests {
  readonly #exploring: Exploring;
  readonly #rows: RowsChanged;
  readonly #writing: readonly Endpoint[];
  /** How often each kind was chosen. */
  readonly #chosen = new Map<string, number>();

  constructor(exploring: Exploring) {
    this.#exploring = exploring;
    const { world } = exploring.judge;
    this.#rows = new RowsChanged(world);
    const writing = new Set(
      world.program.endpoints.filter(({ writes }) => writes).map(({ id }) => id),
    );
    this.#writing = world.plan.endpoints.filter(({ id }) => writing.has(id));
  }

  /** The next one; of a kind that was chosen seldom. Undefined: none was found. */
  async next(most: number, isOver: () => boolean): Promise<Contest | undefined> {
    if (this.#writing.length === 0) return undefined;
    let best: Contest | undefined;
    for (let i = 0; i < WALKS && !isOver(); i++) {
      await setImmediate();
      const found = this.#walk();
      if (found === undefined) continue;
      if (best === undefined || this.times(found.name) < this.times(best.name)) best = found;
      if (this.times(best.name) === 0) break;
    }
    if (best === undefined || this.times(best.name) >= most) return undefined;
    this.#chosen.set(best.name, this.times(best.name) + 1);
    return best;
  }

  /** How often a kind was chosen. */
  times(name: string): number {
    return this.#chosen.get(name) ?? 0;
  }

  /** A few requests that change the model; the rarest pair that can be made behind some of them. */
  #walk(): Contest | undefined {
    const { judge, random, clock } = this.#exploring;
    const { world } = judge;
    const setup: Planned[] = [];
    const known = new Set<string>();
    let best: Contest | undefined;
    world.begin();
    try {
      for (let i = 0; i < AHEAD; i++) {
        const found = this.#pairs(known, setup);
        const isRarer =
          best === undefined || (found && this.times(found.name) < this.times(best.name));
        if (isRarer) best = found;
        if (best !== undefined && this.times(best.name) === 0) return best;
        const endpoint = random.pick(this.#writing);
        const request = requestTo(
          { ...makingOf(this.#exploring), wrong: 0, isTagged: true },
          endpoint,
        );
        if (isUnsendable(request, known)) continue;
        world.begin();
        const ran = world.run(request, { now: judge.timeAt(clock()) });
        if (!isDone(ran, request)) {
          world.undo();
          continue;
        }
        world.keep();
        for (const mark of shownMarks(ran)) known.add(mark);
        setup.push({ request, made: ran.made });
      }
    } finally {
      world.undo();
    }
    return best;
  }

  /** The rarest of some pairs. */
  #pairs(known: ReadonlySet<string>, setup: readonly Planned[]): Contest | undefined {
    let best: Pair | undefined;
    for (let i = 0; i < PAIRS; i++) {
      const pair = this.#pair(known);
      if (pair === undefined) continue;
      if (best === undefined || this.times(pair.name) < this.times(best.name)) best = pair;
    }
    if (best === undefined) return undefined;
    const { first, second, name } = best;
    const reads = this.#reads(best, known);
    return { name, setup: [...setup], first, second, reads };
  }

  #pair(known: ReadonlySet<string>): Pair | undefined {
    const { random } = this.#exploring;
    const making = { ...makingOf(this.#exploring), wrong: 0, isTagged: true };
    const endpoint = random.pick(this.#writing);
    const first = requestTo(making, endpoint);
    const alone = this.#came([first], known);
    if (alone === undefined) return undefined;
    const [row] = [...alone.changed.values()];
    const second = this.#rival(first, endpoint, row);
    const other = this.#came([second], known);
    if (other === undefined) return undefined;
    const behind = this.#came([first, second], known, "any");
    const before = this.#came([second, first], known, "any");
    if (behind === undefined || before === undefined) return undefined;
    const how = [differenceOf(other.ran, behind.ran), differenceOf(alone.ran, before.ran)];
    const shared = [...alone.changed.keys()].some((one) => other.changed.has(one));
    if (how.every((one) => one === undefined) && !shared) return undefined;
    const ends = [first, second].map((one) => endpointOf(this.#exploring.judge.world, one)?.id);
    const same = first.target === second.target && first.body === second.body;
    const name = [...ends, ...how, shared ? "shared" : "", same ? "same" : ""].join(" | ");
    return { first, second, name, row };
  }

  /** A request that may be in the way of another. */
  #rival(first: Request, endpoint: Endpoint, row: Row | undefined): Request {
    const { random } = this.#exploring;
    const making = { ...makingOf(this.#exploring), wrong: 0, focus: row };
    const { target, body, headers } = first;
    const like = random.pick(["same", "values", "row", "row", "other", "other"]);
    if (like === "same") return first;
    if (like === "other") return requestTo(making, random.pick(this.#near(endpoint)));
    const another = requestTo(making, endpoint);
    if (like === "row") return { ...another, headers: withKeys(headers, another), target };
    const own = body === undefined ? {} : { body };
    return { ...another, headers: withKeys(headers, another), target, ...own };
  }

  /** Endpoints that have a row of their path with one in common, or all. */
  #near(endpoint: Endpoint): readonly Endpoint[] {
    const bound = new Set(endpoint.bindings.map(({ resource }) => resource));
    const near = this.#writing.filter(({ bindings }) =>
      bindings.some(({ resource }) => bound.has(resource)),
    );
    return near.length === 0 ? this.#writing : near;
  }

  /** What the last of the requests comes to; undefined: it cannot be sent, or is refused. */
  #came(
    requests: readonly Request[],
    known: ReadonlySet<string>,
    answer: "any" | "done" = "done",
  ): Came | undefined {
    if (requests.some((one) => isUnsendable(one, known))) return undefined;
    const { judge, clock } = this.#exploring;
    const { world } = judge;
    const now = judge.timeAt(clock());
    let came: Came | undefined;
    world.begin();
    try {
      for (const request of requests) {
        const endpoint = endpointOf(world, request);
        if (endpoint === undefined) return undefined;
        let ran: Ran | undefined;
        const changed = this.#rows.by(endpoint, () => {
          world.begin();
          ran = world.run(request, { now });
          world.keep();
        });
        if (ran === undefined || !isForeseen(ran, request)) return undefined;
        // What code says to each of several is not seen.
        if (ran.outcome.effects.gap !== undefined || ran.said.length > 0) return undefined;
        if (answer === "done" && !isDone(ran, request)) return undefined;
        came = { ran, changed };
      }
    } finally {
      world.undo();
    }
    return came;
  }

  /** Requests that show what both have changed; those of one row first. */
  #reads({ first, second, row }: Pair, known: ReadonlySet<string>): readonly Request[] {
    const { judge, random } = this.#exploring;
    const reading = judge.world.plan.endpoints.filter(({ method }) => method === "GET");
    if (reading.length === 0) return [];
    const found = new Map<string, { readonly request: Request; readonly isOfRow: boolean }>();
    for (let i = 0; i < READS_TRIED; i++) {
      const endpoint = random.pick(reading);
      const making = { ...makingOf(this.#exploring), wrong: 0, focus: row };
      const request = requestTo(making, endpoint);
      if (request.method !== "GET" || found.has(request.target)) continue;
      const before = this.#came([request], known, "any");
      if (before?.ran.outcome.response.status !== 200) continue;
      const behind = this.#came([first, second, request], known, "any");
      if (behind === undefined || differenceOf(before.ran, behind.ran) === undefined) continue;
      found.set(request.target, { request, isOfRow: endpoint.bindings.length > 0 });
    }
    const all = [...found.values()].toSorted((a, b) => Number(b.isOfRow) - Number(a.isOfRow));
    return all.slice(0, READS).map(({ request }) => request);
  }
}

/** Whether the request does what it asks for. */
function isDone(ran: Ran, request: Request): boolean {
  const { response, commit, effects } = ran.outcome;
  const isTaken = commit && response.status < 400 && ran.said.length === 0;
  return isTaken && effects.gap === undefined && isForeseen(ran, request);
}

/** The headers of one request with the others of another that differ: who asks stays. */
function withKeys(headers: Request["headers"], another: Request): Request["headers"] {
  const own = /^(?:authorization|cookie)$/i;
  const who = headers.filter(([name]) => own.test(name));
  return [...who, ...another.headers.filter(([name]) => !own.test(name))];
}

/** How two answers differ, in a word; undefined: they do not. */
function differenceOf(a: Ran, b: Ran): string | undefined {
  const [one, other] = [a.outcome, b.outcome];
  if (one.error !== other.error || one.response.status !== other.response.status) {
    const failed = b.trace.filter(([, came]) => came === "failed").map(([item]) => item);
    return `${other.response.status} ${other.error ?? ""} ${failed.join()}`;
  }
  const [mine, theirs] = [one, other].map(({ response }) => withoutMarks(response.body ?? "", ""));
  return mine === theirs ? undefined : "another answer";
}
