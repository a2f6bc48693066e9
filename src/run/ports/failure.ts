/** What a host tells of failures that no step meets, and of answers that are late. */
import type { FailureCondition, Refusal } from "../../plan/index.ts";
import type { Asked } from "./invocation.ts";

/** What a request gets whose time to answer has passed: the limit's refusal, or the condition's. */
export type Late = (Refusal & { readonly retryAfter?: boolean }) | "time passed";

/** A failure outside the steps. `refusal`: what answers it instead of the condition's row. */
export interface Failure {
  readonly condition: FailureCondition;
  /** Undefined: what came is no whole request; nothing of it is told in headers. */
  readonly asked?: Asked;
  readonly endpoint?: number;
  readonly allow?: readonly string[];
  readonly refusal?: Exclude<Late, string>;
}
