/**
 * Exchanges whose place among those that overlapped with them is not known: what they do may come
 * about behind each of these.
 */
import type { Judge } from "../judge/judge.ts";
import type { Waiting } from "./passed.ts";

/** `one` undefined: any number of exchanges of which nothing is known. */
interface Doubt {
  readonly one?: Waiting;
  /** It had ended then, in microseconds. */
  readonly until: bigint;
}

/** What was cut off may go on so long in the service, in microseconds. */
const GOES_ON = 5_000_000n;

export class Doubts {
  readonly #judge: Judge;
  #all: Doubt[] = [];

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  /**
   * The exchange may have done what it does, now or behind another that overlaps with it; `as`: it
   * is done in the model, so that only others are behind it.
   */
  add(one: Waiting, as: "open" | "placed" = "open"): void {
    const { received } = one.answer;
    const doubt = { one, until: one.missing === "cut off" ? received + GOES_ON : received };
    this.#all.push(doubt);
    if (as === "open") this.#disturb(doubt);
  }

  /** Exchanges of which nothing is known may have done anything. */
  addAny(until: bigint): void {
    const doubt = { until };
    this.#all.push(doubt);
    this.#disturb(doubt);
  }

  /** The model has changed with these. */
  meet(changing: readonly Waiting[]): void {
    for (const doubt of this.#all) {
      if (changing.some(({ answer }) => answer.sent <= doubt.until)) this.#disturb(doubt);
    }
  }

  /** Nothing overlaps with what had ended before that time: none that is to come began earlier. */
  forget(earliest: bigint | undefined): void {
    if (earliest === undefined) this.#all = [];
    else this.#all = this.#all.filter(({ until }) => until >= earliest);
  }

  #disturb({ one, until }: Doubt): void {
    if (one === undefined) this.#judge.disturb(undefined, 0, until);
    else this.#judge.disturb(one.request, one.answer.status, one.answer.received);
  }
}
