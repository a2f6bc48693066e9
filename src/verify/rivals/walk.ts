/** One walk: requests one after the other in the model, of which each goes on from the last. */
import type { Endpoint, ItemId, Transition } from "../../plan/index.ts";
import type { Row } from "../../run/index.ts";
import type { Caller } from "../generate/credentials.ts";
import {
  type Exploring,
  isSendable,
  isUnsendable,
  makingOf,
  shownMarks,
  taken,
} from "../generate/explore.ts";
import type { Hints, Making } from "../generate/making.ts";
import { rowsIn } from "../generate/paths.ts";
import { pickRow } from "../generate/pick.ts";
import { requestTo } from "../generate/requests.ts";
import type { Request } from "../world/message.ts";
import type { Ran, World } from "../world/world.ts";
import { Lead, machineOf } from "./leading.ts";
import { cameTo, isCome, isOfStep, type Mutant } from "./mutants.ts";
import { LATER, transitionOf } from "./near.ts";

/** A request of a walk, what it came to, and when in microseconds. */
export interface Stride {
  readonly request: Request;
  readonly ran: Ran;
  readonly now: bigint;
}

/** The chance that a row is named that was deleted, or none, where the clause is about such. */
const GONE = 0.5;
/** Members of a transition that say where it is refused. */
const OF_WHICH = new Set(["from", "when"]);
/** Clauses of what is answered where a path names no row. */
const NOBODY = /\/path `[^`]*`\/else$/;
/** The chance that nothing is wrong on purpose in a request that is about a step. */
const TAME = 0.75;
/** The chance that a setup goes once more to where it has been, with other values. */
const THERE_AGAIN = 0.3;
/** The chance that a request behind a setup is about the rows that this named. */
const ABOUT = 0.6;
/** The chance that a request of a setup is mended where it is refused. */
const MENDED = 0.3;
/** The same where it is about the row that is led. */
const MENDED_LED = 0.5;
/** The chance that a field which is changed on the way has a value that the clause speaks of. */
const OFTEN = 0.5;
/** Between two requests of a walk, in microseconds: as close as a service answers. */
const PACE = 5_000n;

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
  /** The field that it is to change, and nothing else that the clause speaks of. */
  readonly field?: string;
}

/** One walk, in the work that is begun. */
export class Walk {
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
  /** The row whose fields are changed. */
  #fed: Row | undefined;
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

  /** From now on it is mostly that caller who asks. */
  comes({ scheme, credential }: Caller): void {
    this.#persona.set(scheme, credential);
  }

  /** A row that is led to the transition; undefined: none may come there. */
  lead(taken: Transition): Lead | undefined {
    const { random } = this.#exploring;
    this.#lead = Lead.to(taken, { random, world: this.#world, hints: this.#aim.mutant.hints });
    return this.#lead;
  }

  /** A row of the resource that changes are about; undefined: none is there. */
  feed(resource: string): Row | undefined {
    const { random } = this.#exploring;
    const { plan } = this.#world;
    const { hints } = this.#aim.mutant;
    this.#fed = pickRow({ plan, world: this.#world, random, hints }, this.#world.rows(resource));
    return this.#fed;
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
    const chance = isLed ? MENDED_LED : MENDED;
    const isMended = isSetup && this.#aim.many === 1 && making.random.chance(chance);
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
    const led = this.#fed === undefined ? (this.#lead?.rows ?? []) : [this.#fed];
    if (isLed) return led;
    return isSetup || !this.#exploring.random.chance(ABOUT) ? undefined : [...led, ...this.#about];
  }

  #making(manner: Manner): Making {
    const { wrong, isSetup = false, field } = manner;
    const { mutant, many, again } = this.#aim;
    const making = makingOf(this.#exploring);
    // Steps are come to by what is right.
    const isTame = isSetup || (this.#isOfWork && making.random.chance(TAME));
    const isOfGone = LATER.test(mutant.item) || NOBODY.test(mutant.item);
    const near = field === undefined ? mutant.hints : hintsOfField(mutant.hints, field);
    const hints: Hints = isTame ? { ...near, isTame: true } : near;
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

/** Of one field that is changed on the way: what is null has mostly been so before. */
function hintsOfField({ names, values }: Hints, field: string): Hints {
  const own = names.has(field) ? values.filter((one) => one !== "null") : [];
  return { names: new Set([field]), values: own, often: OFTEN };
}
