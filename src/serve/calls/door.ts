/** The code behind calls, wherever it runs. */
import type { CallResult } from "../jobs/ask.ts";

/** One call as the code gets it. */
export interface Request {
  readonly call: string;
  /** JSON text of what is given. */
  readonly given: string;
  readonly key: string;
  /** The key of the call that this one undoes. */
  readonly undoes: string | undefined;
  /** Whether it may be made again when nobody knows whether it arrived. */
  readonly repeatable: boolean;
  /** Ends the call: its answer is not wanted any more. */
  readonly signal: AbortSignal;
}

/** What became of one attempt. `lost`: nobody answered; `arrived`: it may have been done. */
export type Attempted =
  | Exclude<CallResult, { is: "late" }>
  | {
      readonly is: "lost";
      readonly arrived: boolean;
      readonly message: string;
      readonly afterMs?: number;
    };

export interface Door {
  /** Makes one attempt. Never rejects. */
  ask(request: Request): Promise<Attempted>;
  close(): void;
}

/** What a function is told besides what it is given. */
export interface CallContext {
  /** Names this call, the same whenever it is made again. */
  readonly key: string;
  /** The key of the call that this one undoes. */
  readonly undoes?: string;
  /** Aborted when the answer is not wanted any more. */
  readonly signal: AbortSignal;
}

/** One call's code: gives the word and its data; for a call that answers later also nothing. */
export type CallFunction = (given: never, context: CallContext) => unknown;

export type Functions = Readonly<Record<string, CallFunction>>;
