/** What passes between the writer and whoever makes calls: plain, small data. */
import type { ItemId } from "../../plan/index.ts";

/** What became of a call that was made. */
export type CallResult =
  /** The answer as JSON text. */
  | { readonly is: "said"; readonly text: string }
  | { readonly is: "late" }
  | { readonly is: "fault"; readonly message: string }
  /** It is to be made again: a long call has no answer yet, or nobody was there. */
  | { readonly is: "later"; readonly afterMs?: number; readonly message?: string };

/** A call that a step has made. */
export interface Step {
  readonly step: ItemId;
  /** How often the step had called before, in this run of the work. */
  readonly nth: number;
  readonly call: string;
  readonly given: string;
  readonly key: string;
}

/** A call that was answered, for the next run of its work. */
export interface Said extends Step {
  readonly told: CallResult;
}

/** What a work is run again with: each run of it is alike as far as the store is. */
export interface Replay {
  /** Names the work. */
  readonly work: string;
  /** All chance of the work comes from it. */
  readonly seed: string;
  readonly now: bigint;
  /** Calls that were made. */
  readonly count: number;
  readonly said: readonly Said[];
}

/** A call to be made. */
export interface Ask {
  readonly key: string;
  readonly call: string;
  /** JSON text of what is given. */
  readonly given: string;
  /** The key of the call that it undoes. */
  readonly undoes?: string;
  /** How long the answer may take. */
  readonly withinMs?: number;
  /** Whether it may be made again when nobody knows whether it arrived. */
  readonly repeatable: boolean;
  /** Whether it is made once, and asked for again by the writer. */
  readonly patient: boolean;
  /** The stand-in that answers in place of code. */
  readonly standIn?: string;
}

/** What became of an ask that the writer gave out. */
export interface AskResult {
  readonly key: string;
  readonly told: CallResult;
}

/** Calls to be made now. */
export interface Asks {
  readonly asks: readonly Ask[];
  /** When a further one is due; undefined: none is. */
  readonly due: bigint | undefined;
  /** As in `Collected`, of those that no request waits for. */
  readonly untilMs?: number;
}

/** A work that waits for a call, with what it is to be run again with. */
export interface Unfinished {
  readonly ask: Ask;
  readonly step: Step;
  readonly replay: Replay;
}
