/** Finds requests that tell a service from those that do one clause of its document otherwise. */
import { setImmediate } from "node:timers/promises";
import { type Endpoint, itemOf, type Plan } from "../../plan/index.ts";
import {
  type Exploring,
  isForeseen,
  isUnsendable,
  makingOf,
  type Planned,
  shownMarks,
} from "../generate/explore.ts";
import type { Hints } from "../generate/making.ts";
import { isProbed, MANY_TRIES, makersOf, sizesIn } from "../generate/many.ts";
import { requestTo } from "../generate/requests.ts";
import { scarceEndpoints } from "../generate/scarce.ts";
import type { Request } from "../world/message.ts";
import type { Ran, World } from "../world/world.ts";
import { cameTo, isCome, type Mutant, mutantsOf } from "./mutants.ts";
import { LATER, Nearness } from "./near.ts";
import { Worlds } from "./worlds.ts";

/** A mutant that no request has told from the plan yet. */
interface Rival {
  readonly mutant: Mutant;
  tries: number;
}

/** A request of a walk, what it came to, and when in microseconds. */
interface Stride {
  readonly request: Request;
  readonly ran: Ran;
  readonly now: bigint;
}

/** Walks that are tried for one rival; more where few rivals are left: so many for all of them. */
const TRIES = 60;
const TRIES_MOST = 150;
const WALKS = 6_000;
const WALK_MAX = 6;
/** Requests that are tried for one that goes on. */
const ATTEMPTS = 4;
/** Rivals that are tried in the walk of another. */
const BESIDE = 6;
/** Requests that come after the last one that changes something. */
const LOOKS = 4;
/** Rivals that a scarce request is to tell, and tries after which it is one less. */
const MUCH = 4;
const EASED = 6;
/** The chance that a request is made again, where the clause is about keys. */
const AGAIN = 0.4;
/** The chance that a row is named that was deleted, where the clause is about what goes with it. */
const GONE = 0.5;
/** The chance that a scarce request is made where the clause has nothing to do with it. */
const SCARCE = 0.1;
/** Requests that came to the same in all steps tell the same rivals mostly: so many are tried. */
const ALIKE = 6;
/** The share of those behind them that is tried. */
const ALIKE_SHARE = 0.1;
/** Rivals that are tried in one request that was made for something else. */
const TOLD_MAX = 80;
/** The same as long as other things come first. */
const TOLD_EARLY = 20;
/** Between two requests of a walk, in microseconds: as close as a service answers. */
const PACE = 5_000n;

export class Rivals {
  readonly #exploring: Exploring;
  readonly #world: World;
  readonly #worlds: Worlds;
  readonly #alive: Set<Rival>;
  readonly #sizes: readonly number[];
  readonly #come = new Set<string>();
  readonly #scarce: ReadonlySet<string>;
  readonly #nearness: Nearness;
  readonly #keyItems: ReadonlySet<string>;
  #turn: Rival[] = [];
  #walks = 0;
  #isDone = false;
  #pending: ReadonlySet<Rival> = new Set();
  /** How often setups of walks have used endpoints. */
  readonly #used = new Map<string, number>();
  /** How often requests have come to the same. */
  readonly #alike = new Map<string, number>();

  constructor(exploring: Exploring) {
    this.#exploring = exploring;
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
    this.#sizes = sizesIn(plan);
    this.#scarce = scarceEndpoints(plan);
    this.#nearness = new Nearness(plan);
    this.#keyItems = keyItemsOf(plan);
  }

  /**
   * The rivals that a request would tell from the plan if it was sent now. `isOpening`: other
   * things come first.
   */
  toldBy(request: Request, isOpening: boolean): ReadonlySet<Rival> {
    const { judge, clock } = this.#exploring;
    const now = judge.timeAt(clock());
    const ran = judge.foresee(request, clock());
    for (const item of cameTo(ran.trace)) this.#come.add(item);
    if (this.#isMuchAlike(ran)) return new Set();
    const most = isOpening ? TOLD_EARLY : TOLD_MAX;
    return this.#told([{ request, ran, now }], [...this.#alive], most);
  }

  #isMuchAlike({ endpoint, outcome: { response }, trace }: Ran): boolean {
    const name = JSON.stringify([endpoint?.id, response.status, trace]);
    const before = this.#alike.get(name) ?? 0;
    this.#alike.set(name, before + 1);
    return before >= ALIKE && !this.#exploring.random.chance(ALIKE_SHARE);
  }

  /** They are told from the plan: an answer was as the plan has it. */
  leave(told: Iterable<Rival>): void {
    for (const one of told) {
      this.#alive.delete(one);
      this.#worlds.forget(one.mutant);
    }
  }

  /** None was found for any that is left. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Whether all requests that `next` gave last were made, and answered as the plan has it. */
  followed(isWhole: boolean): void {
    if (isWhole) this.leave(this.#pending);
    this.#pending = new Set();
  }

  /** Requests that tell a rival from the plan; empty: none was found, or it was to end. */
  async next(until: () => boolean): Promise<readonly Planned[]> {
    this.#pending = new Set();
    while (!until()) {
      await setImmediate();
      const rival = this.#nextRival();
      this.#isDone = rival === undefined;
      if (rival === undefined) return [];
      rival.tries += 1;
      this.#walks += 1;
      const walk = this.#walk(rival);
      if (walk.length === 0) continue;
      const costs = walk.filter(({ ran }) => this.#isScarce(ran.endpoint)).length;
      const among = costs > 0 ? this.#alive : [rival, ...this.#others()];
      const told = this.#told(walk, among);
      // Of a few requests that a limit lets pass, each is to tell as much as it can.
      if (told.size === 0 || told.size < costs * (MUCH - rival.tries / EASED)) continue;
      this.#pending = told;
      return walk.map(({ request, ran }) => ({ request, made: ran.made }));
    }
    return [];
  }

  /** Of two that are drawn mostly the one that walks have used less. */
  #seldom(among: readonly Endpoint[]): Endpoint {
    const { random } = this.#exploring;
    const [one, other] = [random.pick(among), random.pick(among)];
    const used = ({ id }: Endpoint): number => this.#used.get(id) ?? 0;
    return used(other) < used(one) ? other : one;
  }

  #isScarce(endpoint: Endpoint | undefined): boolean {
    return endpoint !== undefined && this.#scarce.has(endpoint.id);
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
        const most = this.#walks < WALKS ? TRIES_MOST : TRIES;
        const open = [...this.#alive].filter((one) => one.tries < most && this.#isReached(one));
        if (open.length === 0) return undefined;
        this.#turn = open;
      } else if (this.#alive.has(rival)) return rival;
    }
  }

  /** Whether a request has come to the clause; what nothing comes to cannot be told. */
  #isReached({ mutant: { item, endpoints } }: Rival): boolean {
    return endpoints !== undefined || isCome(item, this.#come);
  }

  /** Requests about the clause of a rival, done in the model and undone. */
  #walk(rival: Rival): readonly Stride[] {
    const { judge, random, clock } = this.#exploring;
    const world = this.#world;
    const { endpoints } = world.plan;
    const { shows: near, feeds } = this.#nearness.of(rival.mutant);
    const persona = new Map<string, string>();
    const { hints, item } = rival.mutant;
    const again = this.#keyItems.has(item) ? AGAIN : undefined;
    const isLater = LATER.test(item);
    const before = [...this.#exploring.before];
    const walk: Stride[] = [];
    const known = new Set<string>();
    let now = judge.timeAt(clock());
    const many = random.chance(0.15) ? random.pick(this.#sizes) : 1;
    const stride = (endpoint: Endpoint, wrong: number, isSetup = true): boolean => {
      const gone = isSetup || !isLater ? undefined : GONE;
      const told: Hints = isSetup ? { ...hints, isTame: true } : hints;
      // Of many rows each is to be made.
      const repeated = isSetup && many > 1 ? 0 : again;
      const own = { now, wrong, hints: told, persona, before, again: repeated, gone };
      const making = { ...makingOf(this.#exploring), ...own };
      const request = requestTo(making, endpoint);
      if (isUnsendable(request, known)) return false;
      world.begin();
      const ran = world.run(request, { now });
      // A refusal, too, may be kept under a key.
      const isUseful = !isSetup || again !== undefined || ran.outcome.response.status < 400;
      if (!isForeseen(ran, request) || ran.outcome.effects.gap !== undefined || !isUseful) {
        world.undo();
        return false;
      }
      world.keep();
      for (const mark of shownMarks(ran)) known.add(mark);
      if (isSetup) this.#used.set(endpoint.id, (this.#used.get(endpoint.id) ?? 0) + 1);
      walk.push({ request, ran, now });
      if (endpoint.method !== "GET") before.push(request);
      now += PACE;
      return true;
    };
    world.begin();
    try {
      const steps = 1 + random.below(WALK_MAX);
      for (let i = 0; i < steps * ATTEMPTS && walk.length < steps; i++) {
        const makers = many > 1 && i === 0 ? makersOf(world.plan) : [];
        const among =
          makers.length > 0 ? makers : random.pick([near, near, feeds, feeds, endpoints]);
        if (among.length === 0) continue;
        const endpoint = this.#seldom(among);
        if (endpoint.method === "GET") continue;
        const isNear = near.length < endpoints.length && near.includes(endpoint);
        if (this.#isScarce(endpoint) && !isNear && !random.chance(SCARCE)) continue;
        if (!stride(endpoint, 0) || makers.length === 0) continue;
        for (let n = 1, left = MANY_TRIES * many; n < many && left > 0; left--) {
          if (stride(endpoint, 0)) n += 1;
        }
      }
      const wrong = random.pick([0, 0, 0.1, 0.3]);
      for (let i = 0; i < LOOKS; i++) {
        stride(random.pick(random.chance(0.7) ? near : endpoints), wrong, false);
      }
    } finally {
      world.undo();
    }
    return walk;
  }

  /** Which of the rivals would answer otherwise in a walk. */
  #told(
    walk: readonly Stride[],
    among: Iterable<Rival>,
    most = Number.POSITIVE_INFINITY,
  ): Set<Rival> {
    const found = new Set<Rival>();
    let tried = 0;
    const places = new Set(
      walk.flatMap(({ ran: { endpoint } }) =>
        endpoint === undefined ? [] : [this.#world.plan.endpoints.indexOf(endpoint)],
      ),
    );
    const come = cameTo(walk.flatMap(({ ran }) => ran.trace));
    for (const rival of among) {
      const { endpoints, item } = rival.mutant;
      const isNear =
        endpoints === undefined || isOfStep(item)
          ? isCome(item, come)
          : [...endpoints].some((at) => places.has(at));
      if (!isNear) continue;
      if (this.#tells(walk, rival)) found.add(rival);
      // The others have their turn next time.
      else if (most < Number.POSITIVE_INFINITY && this.#alive.delete(rival)) this.#alive.add(rival);
      if (++tried >= most) break;
    }
    return found;
  }

  #tells(walk: readonly Stride[], rival: Rival): boolean {
    const { addresses } = this.#exploring;
    const world = this.#worlds.of(rival.mutant);
    if (world === undefined) {
      this.#alive.delete(rival);
      return false;
    }
    world.begin();
    try {
      return walk.some(({ request, ran, now }) => {
        const other = world.run(request, { now, made: ran.made });
        return !isSame(ran, other) || (addresses !== undefined && !isSentAlike(ran, other));
      });
    } catch {
      return false;
    } finally {
      world.undo();
    }
  }
}

/** Items that say what a key does under which a request may be made again. */
function keyItemsOf({ endpoints }: Plan): ReadonlySet<string> {
  const all = endpoints.flatMap(({ idempotency }) =>
    idempotency === undefined ? [] : [idempotency, ...Object.values(idempotency)],
  );
  return new Set(all.flatMap((one) => (typeof one === "object" && "id" in one ? [one.id] : [])));
}

/** Whether it is a step, or a part of one: works tell when they come to those. */
const isOfStep = (item: string): boolean => item.includes("/step ");

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
