/**
 * Exchanges that overlapped have come to the service in an order that nobody saw: all those are
 * tried that are possible (Herlihy and Wing, Linearizability, 1990), within a budget.
 */
import type { Judgement } from "../judge/judgement.ts";
import type { Session } from "../session.ts";
import type { Judged } from "./passed.ts";
import { Writes } from "./writes.ts";

/** How exchanges that overlapped were judged. */
export interface Placed<One extends Judged = Judged> {
  readonly exchange: One;
  readonly judgement: Judgement;
  readonly writes: Writes;
}

/** What is found of some exchanges that overlapped. */
interface Ordered<One extends Judged> {
  /** In an order that is as stated as far as it goes. The model goes on behind it. */
  readonly placed: readonly Placed<One>[];
  readonly left: readonly One[];
  /** Every order was tried. */
  readonly isAll: boolean;
}

/** Answers that are judged to find an order, and milliseconds that it may take. */
export const BUDGET = 300;
const BUDGET_MS = 400;

/** Whether the model is another behind it, and would not be what it is in another order. */
export function isChanging({ judgement, writes }: Placed): boolean {
  return judgement.is !== "as stated" || judgement.learned === true || !writes.isNone;
}

/** Looks for an order in which every answer is as stated. */
export class Orders<One extends Judged> {
  readonly #session: Session;
  readonly #all: readonly One[];
  #budget: number;
  readonly #until = performance.now() + BUDGET_MS;
  #best: readonly One[] = [];

  constructor(session: Session, all: readonly One[], budget: number) {
    this.#session = session;
    this.#all = all;
    this.#budget = budget;
  }

  find(): Ordered<One> {
    const found = this.#place(this.#all, []);
    if (found !== undefined) return { placed: found, left: [], isAll: true };
    // As far as it went at best.
    const isAll = this.#budget > 0;
    const placed = this.#best.map((one) => this.#judge(one));
    const left = this.#all.filter((one) => !this.#best.includes(one));
    return { placed, left, isAll };
  }

  #judge(exchange: One): Placed<One> {
    const { judge } = this.#session;
    const before = Writes.before(judge.world, exchange.request);
    const judgement = judge.judge(exchange.request, exchange.answer);
    return { exchange, judgement, writes: before.after(judge.world) };
  }

  /** Those that may be next: none of the others has ended before they began. */
  #next(left: readonly One[]): readonly One[] {
    const ended = left.map(({ answer }) => answer.received);
    const first = ended.reduce((a, b) => (a < b ? a : b));
    return left.filter(({ answer }) => answer.sent <= first);
  }

  /** Places all that are left; undefined: no order is as stated, or the budget is used up. */
  #place(left: readonly One[], before: readonly Placed<One>[]): readonly Placed<One>[] | undefined {
    if (left.length === 0) return before;
    const { judge } = this.#session;
    for (const next of this.#next(left)) {
      if (performance.now() > this.#until) this.#budget = 0;
      if (this.#budget-- <= 0) return undefined;
      const restore = judge.remembered();
      judge.world.begin();
      const placed = this.#judge(next);
      if (placed.judgement.is !== "broken") {
        const rest = left.filter((one) => one !== next);
        const placedAll = [...before, placed];
        if (placedAll.length > this.#best.length) {
          this.#best = placedAll.map(({ exchange }) => exchange);
        }
        const found = this.#place(rest, placedAll);
        if (found !== undefined) {
          judge.world.keep();
          return found;
        }
        // What changes nothing can be placed where it fits: no other place is better.
        if (!isChanging(placed)) {
          judge.world.undo();
          restore();
          return undefined;
        }
      }
      judge.world.undo();
      restore();
    }
    return undefined;
  }
}
