/**
 * Exchanges that overlapped have come to the service in an order that nobody saw: all those are
 * tried that are possible (Herlihy and Wing, Linearizability, 1990), within a budget.
 */
import type { Judgement } from "../judge/judge.ts";
import type { Session } from "../session.ts";
import type { Answer, Request } from "../world/message.ts";
import { Writes } from "./writes.ts";

/** An exchange that can be judged. */
export interface Judged {
  readonly request: Request;
  readonly answer: Answer;
}

/** How exchanges that overlapped were judged. */
interface Placed {
  readonly exchange: Judged;
  readonly judgement: Judgement;
  readonly writes: Writes;
}

/** What is found of some exchanges that overlapped. */
interface Ordered {
  /** In an order that is as stated as far as it goes. The model goes on behind it. */
  readonly placed: readonly Placed[];
  readonly left: readonly Judged[];
  /** Every order was tried. */
  readonly isAll: boolean;
}

/** Answers that are judged to find an order, and milliseconds that it may take. */
const BUDGET = 300;
const BUDGET_MS = 400;

/** Looks for an order in which every answer is as stated. */
export class Orders {
  readonly #session: Session;
  readonly #all: readonly Judged[];
  #budget = BUDGET;
  readonly #until = performance.now() + BUDGET_MS;
  #best: readonly Judged[] = [];

  constructor(session: Session, all: readonly Judged[]) {
    this.#session = session;
    this.#all = all;
  }

  find(): Ordered {
    const found = this.#place(this.#all, []);
    if (found !== undefined) return { placed: found, left: [], isAll: true };
    // As far as it went at best.
    const isAll = this.#budget > 0;
    const placed = this.#best.map((one) => this.#judge(one));
    const left = this.#all.filter((one) => !this.#best.includes(one));
    return { placed, left, isAll };
  }

  #judge(exchange: Judged): Placed {
    const { judge } = this.#session;
    const before = Writes.before(judge.world, exchange.request);
    const judgement = judge.judge(exchange.request, exchange.answer);
    return { exchange, judgement, writes: before.after(judge.world) };
  }

  /** Those that may be next: none of the others has ended before they began. */
  #next(left: readonly Judged[]): readonly Judged[] {
    const ended = left.map(({ answer }) => answer.received);
    const first = ended.reduce((a, b) => (a < b ? a : b));
    return left.filter(({ answer }) => answer.sent <= first);
  }

  /** Places all that are left; undefined: no order is as stated, or the budget is used up. */
  #place(left: readonly Judged[], before: readonly Placed[]): readonly Placed[] | undefined {
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
        if (placed.writes.isNone && placed.judgement.is === "as stated") {
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
