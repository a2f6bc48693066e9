/** Limits on requests: up to the amount and one more, for others too, and when time is up. */
import {
  durationOf,
  type Endpoint,
  type ItemId,
  itemOf,
  type Limit,
  pathText,
  statedOf,
} from "../../plan/index.ts";
import { nowMicros } from "../talk/client.ts";
import type { Request } from "../world/message.ts";
import type { Ran } from "../world/world.ts";
import {
  awaitLimits,
  find,
  findAhead,
  foreseen,
  isRight,
  MARGIN,
  MILLISECOND,
  type Probing,
  waitUntil,
  whoAsks,
} from "./probing.ts";

/** Requests that are made at most to come to one limit. */
const REQUESTS_MAX = 750;
const TRIES = 120;
/** What a request is taken to need. */
const PACE = 4n * MILLISECOND;

/** The length of a window in microseconds; undefined: it is a day, or not stated. */
function lengthOf({ window }: Limit): bigint | undefined {
  const stated = statedOf(window);
  return stated === undefined || stated.is === "day" ? undefined : durationOf(stated.durationText);
}

/** Whether anybody waits until its window is over. */
export function isShort(limit: Limit, { patienceMs }: Pick<Probing, "patienceMs">): boolean {
  const length = lengthOf(limit);
  return length !== undefined && length <= BigInt(patienceMs) * MILLISECOND;
}

/**
 * Probes the limits whose windows are awaited; `lasting`: those of longer ones. What they have
 * counted stands in the way of all that comes later.
 */
export async function probeRates(run: Probing, lasting: "short" | "lasting"): Promise<void> {
  const { limits } = run.session.plan;
  const own = limits.filter(
    (one) => one.counts.is === "requests" && isShort(one, run) === (lasting === "short"),
  );
  for (const limit of own.toSorted((a, b) => rank(a) - rank(b))) {
    if (run.isOver) return;
    await new RateProbe(run, limit).probe();
  }
}

/** What stands in the way of fewer requests comes first. */
function rank({ counts, per }: Limit): number {
  const isOfAll = statedOf(per)?.is === "caller" ? 0 : 2;
  return isOfAll + (counts.is === "requests" && counts.endpoint !== undefined ? 0 : 1);
}

/** How a request stands with a limit. */
interface Standing {
  readonly is: "passed" | "refused";
  readonly group: number;
  /** How many more may pass behind it. */
  readonly left: bigint;
  /** When one may pass again, by the service's clock. */
  readonly ends: bigint;
}

interface Filler {
  readonly request: Request;
  readonly ran: Ran;
  readonly group: number;
  readonly left: bigint;
}

class RateProbe {
  readonly #run: Probing;
  readonly #limit: Limit;

  constructor(run: Probing, limit: Limit) {
    this.#run = run;
    this.#limit = limit;
  }

  async probe(): Promise<void> {
    const first =
      (await this.#filler()) ?? ((await awaitLimits(this.#run)) ? await this.#filler() : undefined);
    if (first === undefined) return;
    const needed = first.left + 1n;
    if (needed > BigInt(Math.min(REQUESTS_MAX, this.#run.requestsLeft))) return;
    await this.#awaitBeginning(needed);
    if (!(await this.#fill(first, needed))) return;
    const isOwn = await this.#others(first);
    if (!isOwn) return;
    await this.#end(first, needed);
  }

  /** How a request that was foreseen last stands. */
  #standing(): Standing | undefined {
    const { rates } = this.#run.session.judge.world;
    const passed = rates?.passed.find(({ limit }) => limit === this.#limit);
    if (passed !== undefined) return { ...passed, is: "passed", ends: 0n };
    if (rates?.failed !== this.#limit || rates.group === undefined) return undefined;
    return { is: "refused", group: rates.group, left: 0n, ends: rates.ends ?? 0n };
  }

  #standingOf(request: Request): Standing | undefined {
    return foreseen(this.#run, request) === undefined ? undefined : this.#standing();
  }

  #isCounted({ outcome: { response } }: Ran): boolean {
    const { counts } = this.#limit;
    return counts.is === "requests" && (counts.status ?? response.status) === response.status;
  }

  /** A request that counts: one that only reads if there is one, and of the youngest caller. */
  async #filler(): Promise<Filler | undefined> {
    let best: (Filler & { readonly score: number }) | undefined;
    const counts = (ran: Ran): boolean => this.#standing()?.is === "passed" && this.#isCounted(ran);
    const isAny = (ran: Ran, request: Request): boolean => {
      const at = this.#standing();
      if (at === undefined || !counts(ran)) return false;
      const reads = request.method === "GET" ? 1_000_000 : 0;
      const score = reads + at.group + (ran.outcome.response.status < 400 ? 2_000_000 : 0);
      if (best === undefined || score > best.score) {
        best = { request, ran, group: at.group, left: at.left, score };
      }
      return false;
    };
    const endpoints = this.#endpoints;
    // What is there already is looked through for the best; else one is made possible.
    await findAhead(this.#run, { endpoints, tries: TRIES, fits: counts });
    find(this.#run, { endpoints, tries: TRIES, fits: isAny });
    return best;
  }

  /** Fixed windows are filled in one piece. */
  async #awaitBeginning(needed: bigint): Promise<void> {
    const length = lengthOf(this.#limit);
    if (statedOf(this.#limit.window)?.is !== "fixed" || length === undefined) return;
    if (!isShort(this.#limit, this.#run)) return;
    const now = this.#run.session.judge.timeAt(nowMicros());
    const end = now - (now % length) + length;
    if (end - now < length / 2n || end - now < needed * PACE + 3n * MARGIN) {
      await waitUntil(this.#run, end + MARGIN);
    }
  }

  /** The endpoint whose requests it counts; undefined: those of all. */
  get #endpoints(): readonly Endpoint[] | undefined {
    const { counts } = this.#limit;
    const { endpoints } = this.#run.session.judge.world.plan;
    if (counts.is !== "requests" || counts.endpoint === undefined) return undefined;
    return endpoints.filter(
      ({ method, path }) => `${method} ${pathText(path)}` === counts.endpoint,
    );
  }

  /** The next request of the group that comes to this. */
  async #next({ request, group, ran }: Filler, is: Standing["is"]): Promise<Request | undefined> {
    if (request.method === "GET" && this.#standingOf(request)?.is === is) return request;
    const { endpoint } = ran;
    const sought = (which: Standing["is"]) => ({
      ...(endpoint === undefined ? {} : { endpoints: [endpoint] }),
      tries: TRIES,
      fits: (one: Ran): boolean => {
        const at = this.#standing();
        const isIt = at?.is === which && at.group === group;
        return isIt && (which === "refused" || this.#isCounted(one));
      },
    });
    const found = find(this.#run, sought(is));
    // Requests that are made for it do not count where one endpoint's do.
    const isApart = is === "passed" && this.#endpoints !== undefined;
    if (found !== undefined || !isApart) return found?.request;
    // What the limit refuses already needs nothing that could be made for it.
    if (find(this.#run, sought("refused")) !== undefined) return undefined;
    return (await findAhead(this.#run, sought(is)))?.request;
  }

  /** Sends so many requests that pass, or as many as pass; whether all answers were as stated. */
  async #pass(first: Filler, most: bigint): Promise<boolean> {
    for (let i = 0n; i < most; i++) {
      const request = await this.#next(first, "passed");
      if (request === undefined || this.#run.requestsLeft <= 0) return true;
      if (!(await isRight(this.#run, request))) return false;
    }
    return true;
  }

  /** Uses the amount up and asks for more, twice: what is refused does not count. */
  async #fill(first: Filler, needed: bigint): Promise<boolean> {
    const length = lengthOf(this.#limit) ?? 0n;
    const isSliding = statedOf(this.#limit.window)?.is === "sliding";
    if (isSliding && isShort(this.#limit, this.#run)) {
      // What slides lets the first ones through before the others.
      if (!(await this.#pass(first, (needed + 1n) / 2n))) return false;
      const { judge } = this.#run.session;
      await waitUntil(this.#run, judge.timeAt(nowMicros()) + (length * 2n) / 5n);
    }
    if (!(await this.#pass(first, 2n * needed + 2n))) return false;
    for (let i = 0; i < 2; i++) {
      const request = await this.#next(first, "refused");
      if (request === undefined || !(await isRight(this.#run, request))) return false;
    }
    return true;
  }

  #held(...items: readonly (ItemId | undefined)[]): void {
    const { verdicts, requests } = this.#run.session;
    verdicts.held(
      items.flatMap((one) => one ?? []),
      requests,
    );
  }

  /** Asks for another caller and at another endpoint; whether the answers were as stated. */
  async #others(first: Filler): Promise<boolean> {
    const { counts, per } = this.#limit;
    const { plan } = this.#run.session;
    const isOfCaller = statedOf(per)?.is === "caller";
    const who = whoAsks(plan, first.request);
    const other = find(this.#run, {
      tries: TRIES,
      fits: (_, request) => {
        const at = this.#standing();
        if (at === undefined || whoAsks(plan, request) === who) return false;
        return isOfCaller ? at.is === "passed" && at.group !== first.group : at.is === "refused";
      },
    });
    if (other !== undefined) {
      if (!(await isRight(this.#run, other.request))) return false;
      this.#held(itemOf(per));
    }
    const own = counts.is === "requests" ? counts.endpoint : undefined;
    const elsewhere = find(this.#run, {
      tries: TRIES,
      fits: ({ endpoint, outcome: { response } }, request) => {
        const name = endpoint && `${endpoint.method} ${pathText(endpoint.path)}`;
        if (endpoint === undefined || whoAsks(plan, request) !== who) return false;
        if (own === undefined) {
          return endpoint !== first.ran.endpoint && this.#standing()?.is === "refused";
        }
        return name !== own && response.status < 400 && this.#standing() === undefined;
      },
    });
    return elsewhere === undefined || isRight(this.#run, elsewhere.request);
  }

  /** Asks just before the time is up and just behind. */
  async #end(first: Filler, needed: bigint): Promise<void> {
    const refused = await this.#next(first, "refused");
    const ends = refused === undefined ? undefined : this.#standingOf(refused)?.ends;
    const length = lengthOf(this.#limit);
    if (refused === undefined || ends === undefined || length === undefined) return;
    if (!isShort(this.#limit, this.#run)) return;
    await waitUntil(this.#run, ends - MARGIN);
    const still = await this.#next(first, "refused");
    const isInTime = this.#run.session.judge.timeAt(nowMicros()) < ends - MARGIN / 2n;
    if (still !== undefined && isInTime && !(await isRight(this.#run, still))) return;
    await waitUntil(this.#run, ends + MARGIN);
    const again = await this.#next(first, "passed");
    if (again === undefined || !(await isRight(this.#run, again))) return;
    this.#held(itemOf(this.#limit.window));
    // What has left a window that slides may pass, and no more.
    if (statedOf(this.#limit.window)?.is !== "sliding") return;
    if (!(await this.#pass(first, needed / 2n))) return;
    const more = await this.#next(first, "refused");
    if (more !== undefined) await isRight(this.#run, more);
  }
}
