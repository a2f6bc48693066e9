/** Judges exchanges as they come in, those that overlapped together. */
import { BEFORE } from "../judge/judge.ts";
import type { Judgement } from "../judge/judgement.ts";
import type { Session } from "../session.ts";
import { Doubts } from "./doubts.ts";
import { BUDGET, isChanging, Orders } from "./orders.ts";
import type { Judged, Missing, Waiting } from "./passed.ts";
import { Writes } from "./writes.ts";

/** Why an exchange has no verdict. */
export type Unjudged =
  | Missing
  | "no text"
  | "too many orders"
  | "what was before"
  | "a gap"
  | "code outside";

/** How many exchanges came to what. */
export interface Tally {
  asStated: number;
  broken: number;
  readonly unjudged: Map<Unjudged, number>;
}

/** So many that overlapped are judged together. */
const TOGETHER = 24;
/** What is still under way is waited for so long, in microseconds. */
const HELD = 1_500_000n;

export class Sequence {
  readonly tally: Tally = { asStated: 0, broken: 0, unjudged: new Map() };
  readonly #session: Session;
  readonly #budget: number;
  /** In the order in which they ended. */
  readonly #waiting: Waiting[] = [];
  /** What began before may have overlapped with what is judged already. */
  #cutAt = -1n;
  readonly #doubts: Doubts;

  /** `budget`: answers that are judged to find an order of those that overlap. */
  constructor(session: Session, budget = BUDGET) {
    this.#session = session;
    this.#budget = budget;
    this.#doubts = new Doubts(session.judge);
  }

  get waits(): number {
    return this.#waiting.length;
  }

  take(one: Waiting): void {
    const { received } = one.answer;
    let at = this.#waiting.length;
    while (at > 0 && (this.#waiting[at - 1]?.answer.received ?? 0n) > received) at--;
    this.#waiting.splice(at, 0, one);
  }

  /** Exchanges of which nothing is known may have done anything. */
  lost(count: number, at: bigint): void {
    this.#count("no time", count);
    this.#doubts.addAny(at);
  }

  /**
   * Judges those that come next and gives them; none: others have to end first. `open`: when the
   * oldest request began that is under way, in microseconds; undefined: none is.
   */
  next(open: bigint | undefined, now: bigint): readonly Waiting[] {
    const [first] = this.#waiting;
    if (first === undefined) return [];
    const { together, until } = this.#together();
    const isOpen = open !== undefined && open <= until;
    if (isOpen && now - first.answer.received < HELD && together.length < TOGETHER) return [];
    this.#doubts.forget(this.#waiting.reduce(earliest, open));
    this.#waiting.splice(0, together.length);
    const isCut = isOpen || this.#waiting.some(({ answer }) => answer.sent <= until);
    this.#judge(together, isCut);
    if (isCut && until > this.#cutAt) this.#cutAt = until;
    return together;
  }

  /** The first that waits, and those that overlap with it or with one that does. */
  #together(): { readonly together: readonly Waiting[]; readonly until: bigint } {
    const some = this.#waiting.slice(0, TOGETHER);
    let count = 1;
    let until = some[0]?.answer.received ?? 0n;
    for (let i = 1; i < some.length; i++) {
      const overlaps = some.slice(i).some(({ answer }) => answer.sent <= until);
      if (!overlaps) break;
      count = i + 1;
      until = some[i]?.answer.received ?? until;
    }
    return { together: some.slice(0, count), until };
  }

  #judge(all: readonly Waiting[], isCut: boolean): void {
    const missing = all.filter((one) => one.missing !== undefined);
    const whole = all.filter((one) => one.missing === undefined);
    const isSure = !isCut && all.every(({ answer }) => answer.sent > this.#cutAt);
    for (const one of missing) {
      this.#count(one.missing as Unjudged);
      this.#doubts.add(one);
    }
    const [only] = whole;
    if (only !== undefined && whole.length === 1 && missing.length === 0 && isSure) {
      this.#note(only, this.#session.judge.judge(only.request, only.answer));
    } else if (whole.length > 0) {
      this.#order(whole, { isSure: isSure && missing.length === 0, isCut });
    }
  }

  /** `isSure`: no other exchange may have come between these; `isCut`: one that is to come may. */
  #order(
    whole: readonly Waiting[],
    { isSure, isCut }: { readonly isSure: boolean; readonly isCut: boolean },
  ): void {
    const { judge } = this.#session;
    const { placed, left, isAll } = new Orders(this.#session, whole, this.#budget).find();
    for (const { exchange, judgement } of placed) this.#note(exchange, judgement);
    for (const [i, a] of placed.entries()) {
      for (const b of placed.slice(i + 1)) {
        const [one, other] = [a.exchange.answer, b.exchange.answer];
        const isAtOnce = one.sent <= other.received && other.sent <= one.received;
        if (isAtOnce) Writes.clash(judge.world, a.writes, b.writes);
      }
    }
    let isClear = isSure && isAll;
    for (const one of left) {
      const restore = judge.remembered();
      judge.world.begin();
      const judgement = judge.judge(one.request, one.answer);
      const isNoted = judgement.is !== "broken" || isClear;
      if (isNoted) {
        judge.world.keep();
        this.#note(one, judgement);
      } else {
        judge.world.undo();
        restore();
        this.#count("too many orders");
      }
      // What follows a broken answer may be so because of it.
      if (judgement.is === "broken") isClear = false;
    }
    const changing = placed.filter(isChanging);
    this.#doubts.meet([...changing.map(({ exchange }) => exchange), ...left]);
    for (const { exchange, judgement } of changing) {
      if (left.length > 0 || judgement.is !== "as stated") this.#doubts.add(exchange);
      else if (isCut) this.#doubts.add(exchange, "placed");
    }
    for (const one of left) this.#doubts.add(one);
  }

  #note({ request, answer }: Judged, judgement: Judgement): void {
    const number = this.#session.requests + 1;
    this.#session.note({ number, request, answer, judgement });
    if (judgement.is === "as stated") this.tally.asStated += 1;
    else if (judgement.is === "broken") this.tally.broken += 1;
    else if (judgement.gap !== undefined) this.#count("a gap");
    else this.#count(judgement.why === BEFORE ? "what was before" : "code outside");
  }

  #count(why: Unjudged, count = 1): void {
    const { unjudged } = this.tally;
    unjudged.set(why, (unjudged.get(why) ?? 0) + count);
  }
}

function earliest(at: bigint | undefined, { answer }: Waiting): bigint {
  return at === undefined || answer.sent < at ? answer.sent : at;
}
