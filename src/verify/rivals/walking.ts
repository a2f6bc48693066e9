/** Walks: requests in the model that may tell a service from one that does a clause otherwise. */
import type { Endpoint, Plan, Transition } from "../../plan/index.ts";
import type { Exploring } from "../generate/explore.ts";
import { MANY_MAX, MANY_TRIES, makersOf, sizesIn } from "../generate/many.ts";
import { doorsOf, scarceEndpoints } from "../generate/scarce.ts";
import { Doors } from "./doors.ts";
import type { Mutant } from "./mutants.ts";
import { type Fed, type Nearness, transitionOf } from "./near.ts";
import { type Stride, Walk } from "./walk.ts";

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
/** The chance that a scarce request is made where the clause has nothing to do with it. */
const SCARCE = 0.1;
/** The chance that a row is led to the transition that the clause is of. */
const LED = 0.5;
/** The chance that nothing else is done before. */
const LED_ALONE = 0.3;
/** Transitions on the way, and requests that are tried for each of them. */
const LED_MAX = 4;
const LED_TRIES = 6;
/** The chance that what the clause comes to is changed when the row is there. */
const FED = 0.5;
/** The chance that fields of one row are changed first that a step comes to, and how many. */
const FED_ROW = 0.3;
const FED_MAX = 3;

/** Makes walks, and knows what they cost. */
export class Walking {
  readonly #exploring: Exploring;
  readonly #nearness: Nearness;
  readonly #scarce: ReadonlySet<string>;
  readonly #doors: Doors;
  readonly #keyItems: ReadonlySet<string>;
  /** How often setups of walks have used endpoints. */
  readonly #used = new Map<string, number>();

  constructor(exploring: Exploring, nearness: Nearness) {
    this.#exploring = exploring;
    this.#nearness = nearness;
    const { plan } = exploring.judge.world;
    this.#doors = new Doors(exploring);
    const { ending } = doorsOf(plan);
    this.#scarce = new Set([...scarceEndpoints(plan), ...ending.map(({ id }) => id)]);
    this.#keyItems = keyItemsOf(plan);
  }

  /** Whether a service takes few requests to the endpoint, or it ends what such have opened. */
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
      this.#doors.letIn(walk);
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
    const { shows: near, leads, feeds, fed } = this.#nearness.of(mutant);
    if (many === 1 && fed.length > 0 && random.chance(FED_ROW)) {
      this.#feed(walk, random.pick(fed));
      return;
    }
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

  /** Changes fields of one row, one after the other. */
  #feed(walk: Walk, { resource, changes }: Fed): void {
    const { random } = this.#exploring;
    if (walk.feed(resource) === undefined) return;
    const drawn = [...changes].map((one) => [random.next(), one] as const);
    const inTurn = drawn.toSorted(([a], [b]) => a - b).slice(0, FED_MAX);
    for (const [, [field, endpoints]] of inTurn) {
      for (let left = ATTEMPTS; left > 0; left--) {
        const endpoint = random.pick(endpoints);
        if (this.isScarce(endpoint) && !random.chance(SCARCE)) continue;
        if (walk.stride(endpoint, { wrong: 0, isSetup: true, isLed: true, field })) break;
      }
    }
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

/** Items that say what a key does under which a request may be made again. */
function keyItemsOf({ endpoints }: Plan): ReadonlySet<string> {
  const all = endpoints.flatMap(({ idempotency }) =>
    idempotency === undefined ? [] : [idempotency, ...Object.values(idempotency)],
  );
  return new Set(all.flatMap((one) => (typeof one === "object" && "id" in one ? [one.id] : [])));
}
