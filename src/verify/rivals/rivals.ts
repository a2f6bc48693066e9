/** Finds requests that tell a service from those that do one clause of its document otherwise. */
import { setImmediate } from "node:timers/promises";
import { itemOf } from "../../plan/index.ts";
import type { Exploring, Planned } from "../generate/explore.ts";
import { isProbed } from "../generate/many.ts";
import type { Request } from "../world/message.ts";
import type { Ran, World } from "../world/world.ts";
import { Few } from "./few.ts";
import { cameTo, isCome, isOfStep, type Mutant, mutantsOf } from "./mutants.ts";
import { Nearness } from "./near.ts";
import type { Stride } from "./walk.ts";
import { Walking } from "./walking.ts";
import { Worlds } from "./worlds.ts";

/** A mutant that no request has told from the plan yet, or none elsewhere. */
interface Rival {
  readonly mutant: Mutant;
  tries: number;
  /** The endpoint and the status of the answer that has told it. */
  told?: string;
}

/** Rivals that are told, and by which endpoint and status. */
type Telling = ReadonlyMap<Rival, string>;

/** Rivals, and the status of the answer that tells them: with another one nothing is told. */
interface Told {
  readonly status: number;
  readonly rivals: Telling;
}

/** How long is looked for what tells rivals. */
interface Patience {
  /** Walks that are tried for one; twice as many in each round. */
  readonly tries: number;
  /** The same for one that was told: another answer may tell it, too. */
  readonly again: number;
  readonly rounds: number;
}

const PATIENCE: Patience = { tries: 150, again: 30, rounds: 3 };
/** Rivals that are tried in the walk of another. */
const BESIDE = 6;
/** Tries of a rival with the rows that are there. */
const QUICK = 3;
/** Rivals that a scarce request is to tell, and tries after which it is one less. */
const MUCH = 4;
const EASED = 6;
/** Requests that came to the same in all steps tell the same rivals mostly: so many are tried. */
const ALIKE = 6;
/** The share of those behind them that is tried. */
const ALIKE_SHARE = 0.1;
/** Rivals that are tried in one request that was made for something else. */
const TOLD_MAX = 80;
/** The same as long as other things come first. */
const TOLD_EARLY = 20;

export class Rivals {
  readonly #exploring: Exploring;
  readonly #patience: Patience;
  readonly #world: World;
  readonly #worlds: Worlds;
  #alive: Set<Rival>;
  readonly #come = new Set<string>();
  readonly #walking: Walking;
  readonly #few: Few;
  #turn: Rival[] = [];
  #isDone = false;
  #pending: Telling = new Map();
  /** Those that one answer has told: a service may do only what this shows as it is stated. */
  #left = new Set<Rival>();
  #round = 1;
  /** How often requests have come to the same. */
  readonly #alike = new Map<string, number>();

  constructor(exploring: Exploring, patience = PATIENCE) {
    this.#exploring = exploring;
    this.#patience = patience;
    this.#world = exploring.judge.world;
    const { plan } = this.#world;
    const probed = new Set([
      ...plan.limits.filter(({ counts }) => isProbed(counts)).map(({ id }) => id),
      itemOf(plan.about.crossOrigin),
    ]);
    const soon = mutantsOf(plan).filter(({ takesTime, item }) => {
      return !takesTime && !probed.has(item.split("/").slice(0, 2).join("/"));
    });
    const all = soon.map((mutant) => ({ mutant, tries: 0 }));
    this.#worlds = new Worlds(this.#world);
    this.#alive = new Set(all);
    const nearness = new Nearness(plan);
    this.#walking = new Walking(exploring, nearness);
    this.#few = new Few(exploring, nearness);
  }

  /**
   * The rivals that a request would tell from the plan if it was sent now, and answered with that
   * status. `isOpening`: other things come first.
   */
  toldBy(request: Request, isOpening: boolean): Told {
    const { judge, clock } = this.#exploring;
    const now = judge.timeAt(clock());
    const ran = judge.foresee(request, clock());
    for (const item of cameTo(ran.trace)) this.#come.add(item);
    const { status } = ran.outcome.response;
    if (this.#isMuchAlike(ran)) return { status, rivals: new Map() };
    const most = isOpening ? TOLD_EARLY : TOLD_MAX;
    return { status, rivals: this.#told([{ request, ran, now }], [...this.#alive], most) };
  }

  #isMuchAlike({ endpoint, outcome: { response }, trace }: Ran): boolean {
    const name = JSON.stringify([endpoint?.id, response.status, trace]);
    const before = this.#alike.get(name) ?? 0;
    this.#alike.set(name, before + 1);
    return before >= ALIKE && !this.#exploring.random.chance(ALIKE_SHARE);
  }

  /** A request of which a service takes few, for what no other shows; undefined: none is known. */
  few(): Request | undefined {
    const { judge, clock } = this.#exploring;
    const rivals = new Map([...this.#alive].map((one) => [one.mutant, one]));
    return this.#few.next([...rivals.keys()], ({ request, ran }, mutants) => {
      const among = mutants.flatMap((one) => rivals.get(one) ?? []);
      return this.#told([{ request, ran, now: judge.timeAt(clock()) }], among).size;
    });
  }

  /** They are told from the plan: an answer was as the plan has it. */
  leave(told: Telling): void {
    for (const [one, where] of told) {
      this.#alive.delete(one);
      this.#worlds.forget(one.mutant);
      if (one.told === undefined) this.#left.add(one);
      one.told = where;
      one.tries = 0;
    }
  }

  /** None was found for any that is left. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Whether all requests that `next` gave last were made, and answered as the plan has it. */
  followed(isWhole: boolean): void {
    if (isWhole) this.leave(this.#pending);
    this.#pending = new Map();
  }

  /** Requests that tell a rival from the plan; empty: none was found, or it was to end. */
  async next(until: () => boolean): Promise<readonly Planned[]> {
    this.#pending = new Map();
    while (!until()) {
      await setImmediate();
      const rival = this.#nextRival();
      this.#isDone = rival === undefined;
      if (rival === undefined) return [];
      rival.tries += 1;
      const walk = this.#walking.walk(rival.mutant, rival.tries <= QUICK);
      if (walk.length === 0) continue;
      const costs = walk.filter(({ ran }) => this.#walking.isScarce(ran.endpoint)).length;
      const among = costs > 0 ? this.#alive : [rival, ...this.#others()];
      const told = this.#told(walk, among);
      // Of a few requests that a limit lets pass, each is to tell as much as it can.
      if (told.size === 0 || told.size < costs * (MUCH - rival.tries / EASED)) continue;
      this.#pending = told;
      return walk.map(({ request, ran }) => {
        return { request, made: ran.made, status: ran.outcome.response.status };
      });
    }
    return [];
  }

  /** A few that are tried along with another. */
  #others(): readonly Rival[] {
    const { random } = this.#exploring;
    const open = this.#turn.filter((one) => this.#alive.has(one));
    return open.length === 0 ? [] : Array.from({ length: BESIDE }, () => random.pick(open));
  }

  #nextRival(): Rival | undefined {
    for (;;) {
      const rival = this.#turn.pop();
      if (rival === undefined) {
        const open = [...this.#alive].filter((one) => this.#isOpen(one));
        this.#turn = open;
        if (open.length > 0) continue;
        if (this.#round === this.#patience.rounds) return undefined;
        this.#round += 1;
        this.#alive = new Set([...this.#alive, ...this.#left]);
        this.#left = new Set();
      } else if (this.#alive.has(rival)) return rival;
    }
  }

  #isOpen(one: Rival): boolean {
    const { tries, again } = this.#patience;
    const most = one.told === undefined ? tries : again;
    return one.tries < most * 2 ** (this.#round - 1) && this.#isReached(one);
  }

  /** Whether a request has come to the clause; what nothing comes to cannot be told. */
  #isReached({ mutant: { item, endpoints } }: Rival): boolean {
    return endpoints !== undefined || isCome(item, this.#come);
  }

  /** Which of the rivals would answer otherwise in a walk; `most` of them are tried. */
  #told(walk: readonly Stride[], among: Iterable<Rival>, most = Number.POSITIVE_INFINITY): Telling {
    const told = new Map<Rival, string>();
    const groups = this.#byStride(walk, among, most);
    const last = groups.findLastIndex((one) => one.length > 0);
    const world = this.#world;
    world.begin();
    try {
      for (const [i, { request, ran, now }] of walk.slice(0, last + 1).entries()) {
        const rest = walk.slice(i);
        for (const rival of groups[i] ?? []) {
          const where = this.#telling(rest, rival);
          if (where !== undefined) told.set(rival, where);
          // The others have their turn next time.
          else if (most < Number.POSITIVE_INFINITY && this.#alive.delete(rival))
            this.#alive.add(rival);
        }
        if (i < last) world.run(request, { now, made: ran.made });
      }
    } finally {
      world.undo();
    }
    return told;
  }

  /** Rivals by the first request that may tell: what comes before is the same for them. */
  #byStride(
    walk: readonly Stride[],
    among: Iterable<Rival>,
    most: number,
  ): readonly (readonly Rival[])[] {
    const { endpoints } = this.#world.plan;
    const strides = walk.map(({ ran: { endpoint, trace } }) => ({
      place: endpoint === undefined ? -1 : endpoints.indexOf(endpoint),
      come: cameTo(trace),
    }));
    const groups: Rival[][] = walk.map(() => []);
    let tried = 0;
    for (const rival of among) {
      if (tried >= most) break;
      const { endpoints: own, item } = rival.mutant;
      const isOwn = own === undefined || isOfStep(item);
      const first = strides.findIndex(({ place, come }) =>
        isOwn ? isCome(item, come) : own.has(place),
      );
      if (first < 0) continue;
      groups[first]?.push(rival);
      tried += 1;
    }
    return groups;
  }

  /** Where a rival answers otherwise in requests, each made where the model is now. */
  #telling(walk: readonly Stride[], rival: Rival): string | undefined {
    const { addresses } = this.#exploring;
    const world = this.#worlds.of(rival.mutant);
    if (world === undefined) {
      this.#alive.delete(rival);
      return undefined;
    }
    world.begin();
    try {
      for (const { request, ran, now } of walk) {
        const other = world.run(request, { now, made: ran.made });
        const isAlike = isSame(ran, other) && (addresses === undefined || isSentAlike(ran, other));
        const where = `${ran.endpoint?.id} ${ran.outcome.response.status}`;
        if (!isAlike && where !== rival.told) return where;
      }
      return undefined;
    } catch {
      return undefined;
    } finally {
      world.undo();
    }
  }
}

/** Whether the same messages go to the same receivers. */
function isSentAlike({ events: one }: Ran, { events: other }: Ran): boolean {
  const told = (events: Ran["events"]): string =>
    events
      .flatMap(({ messages = [] }) => messages.map(({ event, receiver }) => `${event} ${receiver}`))
      .join();
  return told(one) === told(other);
}

function isSame(
  { outcome: { response: one } }: Ran,
  { outcome: { response: other } }: Ran,
): boolean {
  return (
    one.status === other.status &&
    one.body === other.body &&
    JSON.stringify(one.headers) === JSON.stringify(other.headers)
  );
}
