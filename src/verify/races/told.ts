/** Requests that were made at the same time, and what was found of their answers. */
import type { Difference } from "../judge/compare.ts";
import type { Answer, Request } from "../world/message.ts";
import type { Ran } from "../world/world.ts";

/** A request of a race with its answer. */
export interface Raced {
  /** From 1 on; 0: it was made by itself, behind all the others. */
  readonly client: number;
  readonly request: Request;
  readonly answer: Answer;
}

/** Where an order ends: behind some requests the next one would be answered otherwise. */
export interface Miss {
  /** Places in the race of those that are as stated, in their order. */
  readonly placed: readonly number[];
  /** The place of the one that is not. */
  readonly at: number;
  readonly ran: Ran;
  readonly differences: readonly Difference[];
}

/** Requests at the same time whose answers no order gives. */
export interface Race {
  /** Those at the same time, then those behind them; numbers are those of exchanges. */
  readonly raced: readonly (Raced & { readonly number: number })[];
  /** Place of the one that is called wrong. */
  readonly at: number;
}

/** What became of the races of a session. */
export interface RaceCounts {
  /** Races that were run. */
  run: number;
  /** Answers that no order gives, shown again and named. */
  broken: number;
  /** Too many orders, something that is not stated, or it did not show again. */
  unknown: number;
}
