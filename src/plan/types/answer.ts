/** Items, answers and gaps: what an item of a document can say, and what it is not asked. */
import type { Code } from "../../expr/index.ts";
import type { ItemId } from "./items.ts";

/**
 * The answer to a question. A silent answer stands in the plan as a gap that is marked silent.
 * `not asked`: nothing in the document raises the question, and nothing answers it. That differs
 * from `none`, by which a document says that there is none.
 */
export type Answer<T> =
  | { readonly is: "stated"; readonly id: ItemId; readonly value: T }
  | { readonly is: "none"; readonly id: ItemId }
  | { readonly is: "free"; readonly id: ItemId }
  | { readonly is: "gap"; readonly gap: ItemId }
  | { readonly is: "not asked" };

/** A recorded gap, or a silent item, which blocks in the same way. */
export interface Gap {
  readonly id: ItemId;
  readonly part: string;
  /** The heading whose scope it has: the part's title or the name of a construct. */
  readonly scope: string;
  readonly subject: string;
  /** The sentence, bullet or cell as written; for a silent item the question. */
  readonly sentence: string;
  /** Whether some answer of the service depends on it. */
  readonly blocking: boolean;
  readonly silent: boolean;
}

/** An expression: typed code, and the text it was written as. */
export interface Expression {
  readonly code: Code;
  readonly text: string;
}

/** `name` = `e`. */
export interface Assignment {
  readonly name: string;
  readonly value: Expression;
}

/** What a refusal answers: a stated error, or a gap. */
export type Refusal =
  | {
      readonly is: "error";
      readonly id: ItemId;
      readonly error: string;
      /** The word after `on`: names the offending member in the error's body. */
      readonly on?: string;
      readonly with: readonly Assignment[];
    }
  | { readonly is: "gap"; readonly gap: ItemId };
