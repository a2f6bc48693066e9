/** What a host tells of failures that no step meets, and of answers that are late. */
import type { FailureCondition, ItemId, Refusal } from "../../plan/index.ts";
import type { Asked } from "./invocation.ts";
import type { Response } from "./outcome.ts";

/** What a request gets whose time to answer has passed: the limit's refusal, or the condition's. */
export type Late = (Refusal & { readonly retryAfter?: boolean }) | "time passed";

/** A failure outside the steps. `refusal`: what answers it instead of the condition's row. */
export interface Failure {
  readonly condition: FailureCondition;
  readonly asked: Asked;
  readonly endpoint?: number;
  readonly allow?: readonly string[];
  readonly refusal?: Exclude<Late, string>;
}

/** An answer that the host makes by itself: neither steps nor a row of failures give it. */
export interface HostAnswer {
  readonly response: Response;
  readonly asked: Asked;
  readonly endpoint?: number;
  /** The gap of which it tells: it is the answer, whatever the headers come to. */
  readonly gap?: ItemId;
}
