/** Steps: what an endpoint, a transition or a named routine does, in order. */
import type { Literal } from "../../expr/index.ts";
import type { Assignment, Expression, Refusal } from "./answer.ts";
import type { ItemId } from "./items.ts";

export type CheckKind = "caller" | "inputs" | "paths" | "limits" | "idempotency key";

export interface OrderKey {
  /** Over `it`, an element of the list. */
  readonly by: Expression;
  readonly descending: boolean;
}

/** What a Respond step sends as body. */
export type ResponseBody =
  | { readonly is: "none" }
  /** `of` shown as a resource, view or shape; `list`: each element of `of`. */
  | {
      readonly is: "shape";
      readonly shape: string;
      readonly list: boolean;
      readonly of: Expression;
    }
  /** A shape with several Given names. */
  | { readonly is: "shape with"; readonly shape: string; readonly with: readonly Assignment[] }
  | { readonly is: "value"; readonly value: Expression }
  /** `value` is the body itself, not JSON. */
  | { readonly is: "text"; readonly value: Expression; readonly media: string };

/** One branch of `By`, or of a case table (one value or `any` for each column). */
export interface Case {
  readonly id: ItemId;
  /** For each subject the literals it may have; empty: any. */
  readonly values: readonly (readonly Literal[])[];
  readonly steps: readonly Step[];
}

export type Step = { readonly id: ItemId } & (
  | { readonly kind: "check"; readonly what: CheckKind }
  /** `Check the tag of x`: the version tag in If-Match against the row's. */
  | { readonly kind: "check tag"; readonly of: string }
  | { readonly kind: "require"; readonly condition: Expression; readonly otherwise: Refusal }
  /** `otherwise` undefined: `or null`. */
  | {
      readonly kind: "let one";
      readonly as: string;
      readonly resource: string;
      readonly where: Expression;
      readonly otherwise?: Refusal;
    }
  | {
      readonly kind: "let every";
      readonly as: string;
      readonly resource: string;
      readonly where?: Expression;
    }
  | {
      readonly kind: "let";
      readonly as: string;
      readonly value: Expression;
      /** The value is a list whose order is stated to be free. */
      readonly order?: "free";
    }
  | { readonly kind: "order"; readonly list: string; readonly keys: readonly OrderKey[] }
  | {
      readonly kind: "page";
      readonly as: string;
      readonly of: string;
      readonly from: Expression;
      readonly atMost: Expression;
    }
  /**
   * Behind the row that `after` is or whose key it is (null: from the start), in the list's stated
   * order; `backward`: straight before it (null: at the end).
   */
  | {
      readonly kind: "page after";
      readonly backward?: true;
      readonly as: string;
      readonly of: string;
      readonly after: Expression;
      readonly atMost: Expression;
      readonly otherwise: Refusal;
    }
  | {
      readonly kind: "create";
      readonly resource: string;
      readonly as?: string;
      readonly from?: Expression;
      readonly with: readonly Assignment[];
      readonly unlessThere: boolean;
    }
  | {
      readonly kind: "set from";
      readonly target: string;
      readonly from: Expression;
      readonly givenOnly: boolean;
    }
  | {
      readonly kind: "set";
      readonly target: string;
      readonly field: string;
      readonly value: Expression;
    }
  | { readonly kind: "delete"; readonly target: string }
  | { readonly kind: "delete every"; readonly resource: string; readonly where: Expression }
  /** The transitions named share a machine; the one whose From and guard hold is taken. */
  | {
      readonly kind: "fire";
      readonly transitions: readonly string[];
      readonly on: string;
      readonly otherwise?: Refusal;
    }
  | {
      readonly kind: "may fire";
      readonly transition: string;
      readonly on: string;
      readonly otherwise?: Refusal;
    }
  | { readonly kind: "emit"; readonly event: string; readonly of: Expression }
  | {
      readonly kind: "call";
      readonly call: string;
      readonly with: readonly Assignment[];
      readonly as?: string;
      readonly otherwise?: Refusal;
    }
  | { readonly kind: "do"; readonly routine: string; readonly with: readonly Assignment[] }
  | {
      readonly kind: "respond";
      readonly status: number;
      readonly body: ResponseBody;
      readonly headers: readonly Assignment[];
    }
  /** `keep`: what was done before is kept. */
  | { readonly kind: "refuse"; readonly refusal: Refusal; readonly keep: boolean }
  | {
      readonly kind: "when";
      readonly condition: Expression;
      readonly then: readonly Step[];
      readonly otherwise?: readonly Step[];
    }
  | {
      readonly kind: "cases";
      readonly subjects: readonly Expression[];
      readonly cases: readonly Case[];
    }
  /** `own`: each element is all or nothing on its own; outcomes go to the list `into`. */
  | {
      readonly kind: "for each";
      readonly as: string;
      readonly in: Expression;
      readonly own: boolean;
      readonly into?: string;
      readonly steps: readonly Step[];
    }
  /** `gap`: which of two refusals is answered, where they are not all alike. */
  | { readonly kind: "any order"; readonly steps: readonly Step[]; readonly gap?: ItemId }
  | { readonly kind: "gap"; readonly gap: ItemId }
);
