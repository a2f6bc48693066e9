/** How the steps of a request can end; plain data, answered by `answers`. */
import { type ItemId, namelessGap, type Resource } from "../../plan/index.ts";
import type { Asking, InputFailure, Members, Response, Row } from "../ports/index.ts";

export type StepOutcome =
  /** Written when the invariants have been judged. */
  | { readonly is: "response"; readonly write: () => Response }
  | {
      readonly is: "error";
      readonly error: string;
      readonly on: string | null;
      readonly given: Members;
      /** The row that broke an invariant. */
      readonly it?: Row;
      /** A refusal that keeps what was done before it. */
      readonly keep: boolean;
      readonly retryAfter?: string;
    }
  | { readonly is: "failures"; readonly failures: readonly InputFailure[] }
  | {
      readonly is: "gap";
      readonly gap: ItemId;
      readonly silent?: boolean;
      /** It is refused, which is stated; with which error is not shown. */
      readonly refuses?: boolean;
    }
  | { readonly is: "unsupported"; readonly item: ItemId }
  /** A call must be answered before the work can go on: it is run again from its beginning. */
  | { readonly is: "unasked"; readonly asking: Asking }
  | { readonly is: "no code"; readonly call: ItemId; readonly name: string }
  | { readonly is: "fault"; readonly message: string };

/** Ends the steps from deep inside an evaluation or a writer. No error: it needs no stack. */
export class Stop {
  readonly outcome: StepOutcome;

  constructor(outcome: StepOutcome) {
    this.outcome = outcome;
  }
}

/** What meets a row that nothing names: a type or rules that are not shown may say its key. */
export function withoutKey(resource: Resource): StepOutcome {
  const gap = namelessGap(resource);
  return gap === undefined ? { is: "unsupported", item: resource.id } : { is: "gap", gap };
}
