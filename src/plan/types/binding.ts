/** Rows that the parameters of a path name. */
import type { Expression, Refusal } from "./answer.ts";
import type { ItemId } from "./items.ts";

/** `Path `slug`: `article`, the `Article` by `slug`, else ...`. */
export interface Binding {
  readonly id: ItemId;
  readonly param: string;
  readonly as: string;
  readonly resource: string;
  readonly by: string;
  /** The letters A to Z equal a to z. */
  readonly anyCase?: true;
  /** A further condition over `it`. */
  readonly where?: Expression;
  readonly otherwise: Refusal;
}
