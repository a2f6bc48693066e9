/** Which requests are made next: what comes to something new, and what tells rivals, in turn. */
import {
  type Exploring,
  newRequest,
  type Planned,
  untakenOf,
  WALKS,
  walkToNew,
} from "../generate/explore.ts";
import { Keyed } from "../generate/keyed.ts";
import { lookAt } from "../generate/looking.ts";
import { Outsides } from "../generate/outsides.ts";
import { Paged } from "../generate/paged.ts";
import { Stories } from "../generate/stories.ts";
import type { Answer, Request } from "../world/message.ts";
import type { Ran } from "../world/world.ts";
import type { Rivals } from "./rivals.ts";

/** Requests that are tried for one that comes to something new at once; fewer where little is. */
const TRIED = 30;
const TRIED_SELDOM = 10;
/** Milliseconds for which one of the two searches goes on before the other has its turn. */
const TURN_MS = 150;

/** In one of so many turns a request is made of which a service takes few. */
const FEW_EVERY = 4;

/** In one of so many turns what nobody has seen is read. */
const LOOK_EVERY = 20;

/** Milliseconds of walks that are given to endpoints of which none has been answered as asked. */
const OPENING_MS = 10_000;

/** How much of what a search has found lately is remembered behind its next turn. */
const LATELY = 0.9;

/** What a search that finds nothing is taken to find: it may have its turns, too. */
const LEAST = 0.3;

/** What one search has found lately, and the time that it is charged for. */
class Yield {
  #found = 1;
  #turns = 1;
  /** Milliseconds that count the more, the less it finds. */
  charged = 0;

  took(ms: number, hasFound: boolean): void {
    this.#found = LATELY * this.#found + Number(hasFound);
    this.#turns = LATELY * this.#turns + 1;
    this.charged += (ms * this.#turns) / (this.#found + LEAST);
  }
}

/** Two searches of which the one that finds more has more of the time. */
export class Searching {
  readonly #exploring: Exploring;
  readonly #rivals: Rivals;
  readonly #outsides: Outsides;
  readonly #keyed: Keyed;
  readonly #paged: Paged;
  readonly #stories: Stories;
  readonly #yields = { walks: new Yield(), rivals: new Yield() };
  /** Milliseconds of walks. */
  #walked = 0;
  /** Walks since something was found. */
  #vain = 0;
  #isSeldom = false;
  #turns = 0;

  constructor(exploring: Exploring, rivals: Rivals) {
    this.#exploring = exploring;
    this.#rivals = rivals;
    this.#outsides = new Outsides(exploring);
    this.#keyed = new Keyed(exploring);
    this.#paged = new Paged(exploring);
    this.#stories = new Stories(exploring);
  }

  /** Takes up a request that was answered as stated. */
  took(request: Request, ran: Ran, answer: Answer): void {
    this.#stories.took(request, answer);
    this.#keyed.took(request, ran);
    this.#paged.took(request, ran, answer);
  }

  /** Empty: neither finds anything any more, or it is over. */
  async next(isOver: () => boolean): Promise<readonly Planned[]> {
    const exploring = this.#exploring;
    const told = this.#stories.next();
    if (told !== undefined) return this.#found([{ request: told, made: [] }]);
    const isTurn = ++this.#turns % LOOK_EVERY === 0;
    const few = this.#turns % FEW_EVERY === 0 ? this.#rivals.few() : undefined;
    const known = few ?? this.#keyed.next() ?? this.#paged.next();
    const next = known ?? (isTurn ? lookAt(exploring) : undefined);
    if (next !== undefined) return this.#found([{ request: next, made: [] }]);
    const chosen = newRequest(exploring, this.#isSeldom ? TRIED_SELDOM : TRIED);
    this.#isSeldom = chosen === undefined;
    const one = chosen ?? this.#outsides.next();
    if (one !== undefined) return this.#found([{ request: one, made: [] }]);
    while (!isOver()) {
      const isWalked = this.#vain >= WALKS;
      if (isWalked && this.#rivals.isDone) return [];
      const { walks, rivals } = this.#yields;
      const isLess = !this.isOpening && rivals.charged <= walks.charged;
      const which = !this.#rivals.isDone && (isWalked || isLess) ? "rivals" : "walks";
      const began = performance.now();
      const until = (): boolean => isOver() || performance.now() - began > TURN_MS;
      const next =
        which === "rivals" ? await this.#rivals.next(until) : await this.#walk(exploring, until);
      const ms = performance.now() - began;
      this.#yields[which].took(ms, next.length > 0);
      if (which === "walks") this.#walked += ms;
      if (next.length > 0) return this.#found(next);
    }
    return [];
  }

  /** Whether endpoints come first that have answered no request as it asked. */
  get isOpening(): boolean {
    return this.#walked < OPENING_MS && untakenOf(this.#exploring).length > 0;
  }

  async #walk(exploring: Exploring, until: () => boolean): Promise<readonly Planned[]> {
    while (!until() && this.#vain < WALKS) {
      this.#vain += 1;
      const walk = await walkToNew(exploring);
      if (walk.length > 0) return walk;
    }
    return [];
  }

  #found(next: readonly Planned[]): readonly Planned[] {
    this.#vain = 0;
    return next;
  }
}
