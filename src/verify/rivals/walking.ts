/** Walks: requests in the model that may tell a service from one that does a clause otherwise. */
import type { Endpoint, ItemId, Plan, Transition } from "../../plan/index.ts";
import type { Row } from "../../run/index.ts";
import {
  type Exploring,
  isSendable,
  isUnsendable,
  makingOf,
  shownMarks,
  taken,
} from "../generate/explore.ts";
import type { Hints, Making } from "../generate/making.ts";
import { MANY_MAX, MANY_TRIES, makersOf, sizesIn } from "../generate/many.ts";
import { rowsIn } from "../generate/paths.ts";
import { requestTo } from "../generate/requests.ts";
import { scarceEndpoints } from "../generate/scarce.ts";
import type { Request } from "../world/message.ts";
import type { Ran, World } from "../world/world.ts";
import { Lead, machineOf } from "./leading.ts";
import { cameTo, isCome, isOfStep, type Mutant } from "./mutants.ts";
import { LATER, type Nearness, transitionOf } from "./near.ts";

/** A request of a walk, what it came to, and when in microseconds. */
export interface Stride {
  readonly request: Request;
  readonly ran: Ran;
  readonly now: bigint;
}

const WALK_MAX = 6;
/** Requests that are tried for one that goes on. */
const ATTEMPTS = 4;
/** Requests that come after the last one that changes something. */
const LOOKS = 4;
/** Requests that are tried for each of them: limits may refuse some, others come to nothing. */
const LOOK_TRIES = 4;
/** The chance that a request to where a step is comes to it, or is not made. */
const AIMED = 0.7;
/** The same where nothing was changed before. */
const LOOKS_QUICK = 6;
/** The chances that many rows are made first, and where the clause speaks of a number. */
const MANY = 0.15;
const MANY_NEAR = 0.3;
/** The same where it shows only behind as many as a limit lets be kept. */
const MANY_KEPT = 0.5;
/** The chance that a request is made again, where the clause is about keys. */
const AGAIN = 0.4;
/** The chance that a row is named that was deleted, or none, where the clause is about such. */
const GONE = 0.5;
/** Members of a transition that say where it is refused. */
const OF_WHICH = new Set(["from", "when"]);
/** Clauses of what is answered where a path names no row. */
const NOBODY = /\/path `[^`]*`\/else$/;
/** The chance that a scarce request is made where the clause has nothing to do with it. */
const SCARCE = 0.1;
/** The chance that nothing is wrong on purpose in a request that is about a step. */
const TAME = 0.75;
/** The chance that a setup goes once more to where it has been, with other values. */
const THERE_AGAIN = 0.3;
/** The chance that a request behind a setup is about the rows that this named. */
const ABOUT = 0.6;
/** The chance that a request of a setup is mended where it is refused. */
const MENDED = 0.3;
/** Between two requests of a walk, in microseconds: as close as a service answers. */
const PACE = 5_000n;
/** The chance that a row is led to the transition that the clause is of. */
const LED = 0.5;
/** The chance that nothing else is done before. */
const LED_ALONE = 0.3;
/** Transitions on the way, and requests that are tried for each of them. */
const LED_MAX = 4;
const LED_TRIES = 6;
/** The chance that what the clause comes to is changed when the row is there. */
const FED = 0.5;

/** Makes walks, and knows what they cost. */
export class Walking {
  readonly #exploring: Exploring;
  readonly #nearness: Nearness;
  readonly #scarce: ReadonlySet<string>;
  readonly #keyItems: ReadonlySet<string>;
  /** How often setups of walks have used endpoints. */
  readonly #used = new Map<string, number>();

  constructor(exploring: Exploring, nearness: Nearness) {
    this.#exploring = exploring;
    this.#nearness = nearness;
    const { plan } = exploring.judge.world;
    this.#scarce = scarceEndpoints(plan);
    this.#keyItems = keyItemsOf(plan);
  }

  /** Whether a service takes few requests to the endpoint. */
  isScarce(endpoint: Endpoint | undefined): boolean {
    return endpoint !== undefined && this.#scarce.has(endpoint.id);
  }

  /**
   * Requests about the clause of a mutant, done in the model and undone. `isQuick`: with the rows
   * that are there.
   */
  walk(mutant: Mutant, isQuick: boolean): readonly Stride[] {
    const { world } = this.#exploring.judge;
    const many = isQuick ? 1 : this.#manyOf(mutant);
    const again = this.#keyItems.has(mutant.item) ? AGAIN : undefined;
    const walk = new Walk(this.#exploring, { mutant, many, again });
    world.begin();
    try {
      if (!isQuick) this.#setUp(walk, mutant, many);
      // What many rows make a difference for is not asked otherwise than they were made.
      const wrong = many > 1 ? 0 : this.#exploring.random.pick([0, 0, 0.1, 0.3]);
      this.#look(walk, mutant, { wrong, most: isQuick ? LOOKS_QUICK : LOOKS });
    } finally {
      world.undo();
    }
    return walk.strides;
  }

  #setUp(walk: Walk, mutant: Mutant, many: number): void {
    const { judge, random } = this.#exploring;
    const { plan } = judge.world;
    const { endpoints } = plan;
    const { shows: near, leads, feeds } = this.#nearness.of(mutant);
    const taken = many > 1 || !random.chance(LED) ? undefined : transitionOf(plan, mutant.item);
    const isAlone = taken !== undefined && random.chance(LED_ALONE);
    const steps = isAlone ? 0 : 1 + random.below(WALK_MAX);
    for (let i = 0; i < steps * ATTEMPTS && walk.strides.length < steps; i++) {
      const makers = many > 1 && i === 0 ? makersOf(plan, [...near, ...feeds]) : [];
      const among =
        makers.length > 0 ? makers : random.pick([leads, leads, feeds, feeds, endpoints]);
      if (among.length === 0) continue;
      const endpoint = this.#seldom(among);
      if (endpoint.method === "GET") continue;
      const isNear = near.length < endpoints.length && near.includes(endpoint);
      if (this.isScarce(endpoint) && !isNear && !random.chance(SCARCE)) continue;
      const isMade = this.#didSetUp(walk, endpoint);
      if (!isMade || makers.length === 0) continue;
      for (let n = 1, left = MANY_TRIES * many; n < many && left > 0; left--) {
        if (this.#didSetUp(walk, endpoint)) n += 1;
      }
    }
    if (taken !== undefined) this.#leadTo(taken, walk, feeds);
  }

  /** Brings a row to where the transition starts, and changes what its clause comes to. */
  #leadTo(taken: Transition, walk: Walk, feeds: readonly Endpoint[]): void {
    const { random } = this.#exploring;
    const lead = walk.lead(taken);
    for (let i = 0; i < LED_MAX && lead !== undefined; i++) {
      const { away, nearer } = lead;
      const firing = nearer.flatMap((one) => this.#nearness.firing(one));
      if (away === undefined || firing.length === 0) break;
      for (let left = LED_TRIES; left > 0 && lead.away === away; left--) {
        walk.stride(random.pick(firing), { wrong: 0, isSetup: true, isLed: true });
      }
      if (lead.away === away) break;
    }
    if (lead?.away !== 0 || feeds.length === 0 || !random.chance(FED)) return;
    for (let left = LED_TRIES; left > 0; left--) {
      const isFed = walk.stride(random.pick(feeds), { wrong: 0, isSetup: true, isLed: true });
      if (isFed) break;
    }
  }

  #didSetUp(walk: Walk, endpoint: Endpoint): boolean {
    const isDone = walk.stride(endpoint, { wrong: 0, isSetup: true });
    if (isDone) this.#used.set(endpoint.id, (this.#used.get(endpoint.id) ?? 0) + 1);
    return isDone;
  }

  #look(
    walk: Walk,
    mutant: Mutant,
    { wrong, most }: { readonly wrong: number; readonly most: number },
  ): void {
    const { judge, random } = this.#exploring;
    const { endpoints } = judge.world.plan;
    const { shows: near, reads } = this.#nearness.of(mutant);
    const behind = reads.length > 0 ? [reads, reads] : [];
    const among = [near, near, ...behind, endpoints];
    const costs = (): boolean => walk.strides.some(({ ran }) => this.isScarce(ran.endpoint));
    for (let i = 0, done = 0; i < most * LOOK_TRIES && done < most; i++) {
      const endpoint = random.pick(random.pick(among));
      // One that is scarce is enough for one walk.
      if (this.isScarce(endpoint) && costs()) continue;
      const isAimed = walk.canAim && near.includes(endpoint) && random.chance(AIMED);
      if (walk.stride(endpoint, { wrong, isAimed })) done += 1;
    }
  }

  /** How many rows of a kind are made first. */
  #manyOf(mutant: Mutant): number {
    const { judge, random } = this.#exploring;
    const { sizes } = this.#nearness.of(mutant);
    const { hints } = mutant;
    if (sizes.length > 0 && random.chance(MANY_KEPT)) return random.pick(sizes);
    const own = hints.values.map(Number).filter((one) => Number.isInteger(one) && one > 2);
    const near = own.filter((one) => one <= MANY_MAX);
    if (!random.chance(near.length > 0 ? MANY_NEAR : MANY)) return 1;
    const isNear = near.length > 0 && random.chance(0.7);
    return random.pick(isNear ? near : sizesIn(judge.world.plan));
  }

  /** Of two that are drawn mostly the one that walks have used less. */
  #seldom(among: readonly Endpoint[]): Endpoint {
    const { random } = this.#exploring;
    const [one, other] = [random.pick(among), random.pick(among)];
    const used = ({ id }: Endpoint): number => this.#used.get(id) ?? 0;
    return used(other) < used(one) ? other : one;
  }
}

interface Aim {
  readonly mutant: Mutant;
  readonly many: number;
  /** The chance that a request is made again. */
  readonly again: number | undefined;
}

/** How a request of a walk is made. */
interface Manner {
  /** The chance that something is wrong on purpose. */
  readonly wrong: number;
  readonly isSetup?: boolean;
  /** It is not made where it would not come to the clause. */
  readonly isAimed?: boolean;
  /** It is about the row that is led. */
  readonly isLed?: boolean;
}

/** One walk, in the work that is begun. */
class Walk {
  readonly strides: Stride[] = [];
  readonly #exploring: Exploring;
  readonly #world: World;
  readonly #aim: Aim;
  readonly #persona = new Map<string, string>();
  readonly #before: Request[];
  readonly #known = new Set<string>();
  /** Rows that the setup has named. */
  readonly #about: Row[] = [];
  /** The row that is led to the transition. */
  #lead: Lead | undefined;
  /** The transition, or the name of the error, that the clause is of. */
  readonly #transition: Transition | undefined;
  readonly #error: string | undefined;
  #now: bigint;

  constructor(exploring: Exploring, aim: Aim) {
    const { plan } = exploring.judge.world;
    const [part, name] = aim.mutant.item.split("/");
    this.#transition = transitionOf(plan, aim.mutant.item);
    this.#error =
      part === "errors" ? plan.errors.find((one) => one.name === name)?.name : undefined;
    this.#exploring = exploring;
    this.#world = exploring.judge.world;
    this.#aim = aim;
    this.#before = [...exploring.before];
    this.#now = exploring.judge.timeAt(exploring.clock());
  }

  /** A row that is led to the transition; undefined: none may come there. */
  lead(taken: Transition): Lead | undefined {
    const { random } = this.#exploring;
    this.#lead = Lead.to(taken, { random, world: this.#world, hints: this.#aim.mutant.hints });
    return this.#lead;
  }

  /** Does one request more; false: it was refused, or leads nowhere. */
  stride(endpoint: Endpoint, manner: Manner): boolean {
    const { isSetup = false, isAimed = false, isLed = false } = manner;
    const world = this.#world;
    const now = this.#now;
    const request = this.#request(endpoint, manner);
    if (request === undefined || isUnsendable(request, this.#known)) return false;
    world.begin();
    const ran = world.run(request, { now });
    const isOfLimits = this.#isOfLimits;
    const purpose = isOfLimits ? "a limit" : "a clause";
    const isSpared = this.#exploring.isSpared?.(ran, world.rates, purpose) === true;
    const isSpent = isSpared || (!isOfLimits && world.rates?.failed !== undefined);
    const isRefused = ran.outcome.response.status >= 400;
    const isVain = isAimed && !this.#comesTo(ran);
    const isFirst = this.strides.length === 0;
    // Another caller may do it, or have used up less of a limit.
    if (isVain || ((isRefused || isSpent) && (isFirst || isLed))) this.#persona.clear();
    // A refusal, too, may be kept under a key.
    const isKept = this.#aim.again !== undefined || !isRefused;
    const isUseful = (!isSetup || isKept) && !isSpent && !isVain;
    if (!isUseful || !isSendable(world, request, ran) || ran.outcome.effects.gap !== undefined) {
      world.undo();
      return false;
    }
    world.keep();
    for (const mark of shownMarks(ran)) this.#known.add(mark);
    this.strides.push({ request, ran, now });
    if (isSetup) this.#about.push(...rowsIn({ plan: world.plan, world }, endpoint, request.target));
    if (endpoint.method !== "GET") this.#before.push(request);
    this.#now += PACE;
    return true;
  }

  /** Whether what is right comes to it. */
  get #isOfWork(): boolean {
    return isOfStep(this.#item) || this.#transition !== undefined;
  }

  /** Whether it is known of a request that it comes to the clause. */
  get canAim(): boolean {
    return this.#isOfWork || this.#error !== undefined;
  }

  #comesTo({ trace, outcome }: Ran): boolean {
    if (this.#error !== undefined) return outcome.error === this.#error;
    const taken = this.#transition;
    if (taken !== undefined) {
      const machine = machineOf(this.#world.plan, taken)?.id;
      const isOfWhich = OF_WHICH.has(this.#aim.mutant.member);
      return trace.some(
        ([item, came]) => item === taken.id || (isOfWhich && item === machine && came === "failed"),
      );
    }
    return isCome(this.#item, cameTo(trace));
  }

  get #item(): ItemId {
    return this.#aim.mutant.item;
  }

  get #isOfLimits(): boolean {
    return this.#item.startsWith("limits/");
  }

  #request(endpoint: Endpoint, manner: Manner): Request | undefined {
    const { isSetup = false, isLed = false } = manner;
    const making = this.#making(manner);
    const there = isSetup && !isLed ? this.#thereAgain(making) : undefined;
    if (there !== undefined) return there;
    // Many rows are of one caller, whom mending might change.
    const isMended = isSetup && this.#aim.many === 1 && making.random.chance(isLed ? 0.5 : MENDED);
    if (!isMended) return requestTo(making, endpoint);
    return taken(this.#exploring, { endpoint, making, known: this.#known })?.request;
  }

  /** A request to where one of this walk went, with another body; undefined: none is to be made. */
  #thereAgain(making: Making): Request | undefined {
    if (this.#aim.many > 1 || !making.random.chance(THERE_AGAIN)) return undefined;
    const last = this.strides.findLast(({ request: { body }, ran: { endpoint } }) => {
      return body !== undefined && (endpoint?.bindings.length ?? 0) > 0;
    });
    const endpoint = last?.ran.endpoint;
    if (last === undefined || endpoint === undefined) return undefined;
    return { ...requestTo(making, endpoint), target: last.request.target };
  }

  #aboutFor({ isSetup = false, isLed = false }: Manner): readonly Row[] | undefined {
    const led = this.#lead?.rows ?? [];
    if (isLed) return led;
    return isSetup || !this.#exploring.random.chance(ABOUT) ? undefined : [...led, ...this.#about];
  }

  #making(manner: Manner): Making {
    const { wrong, isSetup = false } = manner;
    const { mutant, many, again } = this.#aim;
    const making = makingOf(this.#exploring);
    // Steps are come to by what is right.
    const isTame = isSetup || (this.#isOfWork && making.random.chance(TAME));
    const isOfGone = LATER.test(mutant.item) || NOBODY.test(mutant.item);
    const hints: Hints = isTame ? { ...mutant.hints, isTame: true } : mutant.hints;
    return {
      ...making,
      ...{ now: this.#now, hints, persona: this.#persona, before: this.#before },
      wrong: isTame ? 0 : wrong,
      // Many rows are of one caller, and each is to be made.
      isOneCaller: isSetup && many > 1,
      again: isSetup && many > 1 ? 0 : again,
      about: this.#aboutFor(manner),
      gone: isSetup || !isOfGone ? undefined : GONE,
    };
  }
}

/** Items that say what a key does under which a request may be made again. */
function keyItemsOf({ endpoints }: Plan): ReadonlySet<string> {
  const all = endpoints.flatMap(({ idempotency }) =>
    idempotency === undefined ? [] : [idempotency, ...Object.values(idempotency)],
  );
  return new Set(all.flatMap((one) => (typeof one === "object" && "id" in one ? [one.id] : [])));
}
