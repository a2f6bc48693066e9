/** Judges exchanges as they come in, those that overlapped together. */
import { BEFORE, type Judgement } from "../judge/judge.ts";
import type { Session } from "../session.ts";
import { type Judged, Orders } from "./orders.ts";
import type { Missing } from "./passed.ts";
import { Writes } from "./writes.ts";

/** Why an exchange has no verdict. */
export type Unjudged =
  | Missing
  | "no text"
  | "too many orders"
  | "what was before"
  | "a gap"
  | "code outside";

/** An exchange that waits for its turn. */
export interface Waiting extends Judged {
  readonly missing?: Missing | "no text";
}

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
  /** In the order in which they ended. */
  readonly #waiting: Waiting[] = [];
  /** What began before may have overlapped with what is judged already. */
  #cutAt = -1n;

  constructor(session: Session) {
    this.#session = session;
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
    this.#session.judge.disturb(undefined, 0, at);
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
    for (const one of missing) this.#miss(one);
    const [only] = whole;
    if (only !== undefined && whole.length === 1 && missing.length === 0 && isSure) {
      this.#note(only, this.#session.judge.judge(only.request, only.answer));
    } else if (whole.length > 0) this.#order(whole, isSure && missing.length === 0);
    // They may have done what they did behind the others, too.
    if (whole.length > 0) for (const one of missing) this.#disturb(one);
  }

  /** `isSure`: no other exchange may have come between these. */
  #order(whole: readonly Waiting[], isSure: boolean): void {
    const { judge } = this.#session;
    const { placed, left, isAll } = new Orders(this.#session, whole).find();
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
        this.#disturb(one);
      }
      // What follows a broken answer may be so because of it.
      if (judgement.is === "broken") isClear = false;
    }
  }

  #miss(one: Waiting): void {
    this.#count(one.missing as Unjudged);
    this.#disturb(one);
  }

  #disturb({ request, answer }: Waiting): void {
    this.#session.judge.disturb(request, answer.status, answer.received);
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
