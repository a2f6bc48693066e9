/** What a work asks of the code behind calls, and what a store keeps of it; knows no code. */
import type { ItemId } from "../../plan/index.ts";

/** A row that a call was given, under the name of its Given bullet. */
export interface GivenRow {
  readonly name: string;
  readonly resource: string;
  readonly key: number;
}

/** What a step asks of the code behind a call. */
export interface Asking {
  readonly step: ItemId;
  readonly call: string;
  /** JSON text: an object with a member for each Given name. */
  readonly given: string;
  /** Rows among what is given: the transitions that the answer causes are theirs. */
  readonly rows: readonly GivenRow[];
}

/** What was said. `text`: JSON of `word` and the data of that word; a stand-in has no data. */
export interface CallAnswer {
  readonly text: string;
  readonly standIn: boolean;
}

/** What a host tells the step. `key`: names a call that may have acted outside. */
export type CallOutcome =
  | { readonly is: "said"; readonly answer: CallAnswer; readonly key?: string }
  /** No answer came within the call's time-out. */
  | { readonly is: "late"; readonly key?: string }
  /** The code failed. */
  | { readonly is: "fault"; readonly message: string; readonly key?: string }
  /** It must be asked first: the work ends, and is run again when the answer is there. */
  | { readonly is: "unasked" }
  /** A call that answers later: it is made when the work is committed. */
  | { readonly is: "kept" }
  /** No code is behind the call. */
  | { readonly is: "no code" }
  | { readonly is: "gap"; readonly gap: ItemId };

/** A call as a store keeps it: so that no crash forgets what was done outside. */
export interface Called {
  /** Names the call to the code behind it, the same whenever it is made again. */
  readonly key: string;
  /** The work that made it. */
  readonly work: string;
  readonly call: string;
  /** JSON text of what is given. */
  readonly given: string;
  readonly rows: readonly GivenRow[];
  /**
   * `asked`: made by a work that is not committed. `undo`: undoes the call `undoes`, whose work was
   * not committed. `long`: answers later.
   */
  readonly state: "asked" | "undo" | "long";
  readonly undoes: string | undefined;
  readonly since: bigint;
  /** When it is to be made; `asked` calls are made at once, and never from the store. */
  readonly due: bigint;
  readonly attempts: number;
}

/** The calls of a store; what is done to them is part of the running transaction. */
export interface Calls {
  /** Keeps a call in place of the one with its key. */
  put(called: Called): void;
  get(key: string): Called | undefined;
  remove(key: string): void;
  /** Calls in state `asked`: of one work, or of all. */
  asked(work?: string): readonly Called[];
  /** Calls of a state that are due at `until` or before, the earliest first. */
  due(state: "undo" | "long", until: bigint, countMax: number): readonly Called[];
  /** The earliest due time past `after`. */
  nextDue(after: bigint): bigint | undefined;
}

/** A long call that has been answered. */
export interface Answered {
  readonly call: string;
  readonly given: string;
  readonly rows: readonly GivenRow[];
  readonly answer: CallAnswer;
}

/** A timed firing that is about to be tried; it may have to wait for a call. */
export interface Firing {
  readonly resource: string;
  readonly key: number;
  /** The transition, or the invariant to keep for a time. */
  readonly item: ItemId;
  readonly at: bigint;
}
