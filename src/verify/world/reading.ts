/** What is taken for one request that the document leaves open. */
import type { Chooser } from "../../run/index.ts";
import type { Turn } from "./turned.ts";

/** One way to read what the document leaves open, for one request. */
export interface Reading {
  /** The service's time of the request in microseconds. */
  readonly now: bigint;
  /** Texts that it made, as far as they are known, in the order in which they are made. */
  readonly made?: readonly string[];
  /** Chooses what is free; undefined: what is simplest. */
  readonly chooser?: Chooser;
  /** Rows come in this order where none is asked for. */
  readonly turn?: Turn;
  /** The greatest numbers that were given before, by their counters: other clients took some. */
  readonly counted?: ReadonlyMap<string, bigint>;
  /** Windows of limits are taken to begin so much later, for what is counted in them. */
  readonly shift?: bigint;
  /** Times, ascending, at which what was due by then happened; the rest when the request came. */
  readonly dueAt?: readonly bigint[];
  /**
   * Which of all that may be said to each call of the request in turn (`Sayings`), from then on the
   * first; undefined: what the document says in the place of code.
   */
  readonly says?: readonly number[];
  /** The name of a limit of which others have used all that it lets through. */
  readonly usedUp?: string | undefined;
}
