/** What reading leaves to `Check the inputs`: a condition that needs rows or the caller. */
import type { Code } from "../../expr/index.ts";

/** A condition over `value` or `body`. */
export interface Later {
  readonly code: Code;
  readonly name: "value" | "body";
  /** What `value` is; the body is what the request has. */
  readonly value?: unknown;
  /** Where in the whole body the object stands that is `body` here. */
  readonly within?: readonly (string | number)[];
  /** What the condition gives where there is a failure. */
  readonly failsWhen: boolean;
}
