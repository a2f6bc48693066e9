/** Static types of expressions and the typed code that the checker makes of them (JSON data). */

import type { Budget } from "../base/index.ts";
import type { Ast } from "./ast.ts";

/** A member of a row or object type. `absent`: may be missing, so reading it needs a guard. */
export interface Member {
  readonly type: Type;
  readonly absent: boolean;
  /** It may be left out where the object is written as a literal: it is filled in. */
  readonly filled?: true;
  /** It is given where another member of the object is one of these words. */
  readonly givenWhen?: { readonly member: string; readonly words: readonly string[] };
  /** It has several types: each where the other member is one of these words. */
  readonly types?: readonly { readonly type: Type; readonly words: readonly string[] }[];
}

/**
 * Static type. Values at run time:
 * boolean, string -> JS; integer -> bigint; decimal -> bigint unscaled (places are static);
 * number -> JS number (binary64); timestamp, duration -> bigint microseconds (since the epoch);
 * date -> "YYYY-MM-DD"; zone -> IANA name; null -> null; absent -> undefined;
 * list -> array; map -> Map<string, value>; json -> Json tree; row, object -> see the evaluator.
 */
export type Type =
  | { readonly kind: "boolean" }
  /** `Bound`: what is known of it while an expression is checked; never part of code. */
  | ({ readonly kind: "integer" | "number" | "timestamp" | "date" | "duration" } & Bound)
  | { readonly kind: "zone" | "json" | "null" | "secret" }
  /** Bytes with a media type: compared and handed on, nothing else. */
  | { readonly kind: "file" }
  /** `oneOf`: the only values it can have. */
  | { readonly kind: "string"; readonly oneOf?: readonly string[] }
  | ({ readonly kind: "decimal"; readonly places: number } & Bound)
  /** `least`: as many items it surely has; never part of code. */
  | { readonly kind: "list"; readonly of: Type; readonly least?: bigint }
  /** Keys are strings. */
  | { readonly kind: "map"; readonly of: Type }
  /** A stored row, or a reference to one: both compare as rows; a dot reads through. */
  | { readonly kind: "row"; readonly resource: string }
  /** A structure without identity: a body, a part, a view, `query`, `path`, `header`, `error`. */
  | { readonly kind: "object"; readonly name: string }
  | { readonly kind: "nullable"; readonly of: Type }
  /**
   * The element type of `[]`, the type of an expression that has an error, or (`gap`) of a value
   * whose type the document does not show: fits all.
   */
  | { readonly kind: "unknown"; readonly gap?: string };

/** What is known of a value that has an order, in the whole units of its type (`units.ts`). */
export interface Bound {
  readonly least?: bigint;
  readonly most?: bigint;
  readonly nonZero?: true;
}

/**
 * A value that has a name, used like a function of what it is given. Its own uses of other values
 * are written out already. One that is not shown: a name whose type is hidden by a gap.
 */
export interface NamedValue {
  readonly given: readonly string[];
  readonly body: Ast;
}

/** What an expression can see. Filled by the checker of documents; `expr` knows no document. */
export interface Environment {
  /** Type of each plain name: `it`, `body`, `caller`, `now`, `setting`, what `Let` named ... */
  readonly names: ReadonlyMap<string, Type>;
  /** Collection name -> resource name: `follows` -> `Follow`. A collection is a list of rows. */
  readonly collections: ReadonlyMap<string, string>;
  /** Values by their names: a use is written out before anything else looks at it. */
  readonly values?: ReadonlyMap<string, NamedValue>;
  /** The gap behind which any other name may be hidden: an unknown one is no problem then. */
  readonly open?: string;
  /** What to do where a name is missing here, or may be null, for names that one expects. */
  readonly advice?: ReadonlyMap<string, string>;
  /** Members of a row type (resource name) or object type (its name). */
  members(type: {
    readonly kind: "row" | "object";
    readonly name: string;
  }): ReadonlyMap<string, Member> | undefined;
  /** An index, a division or a conversion that may fault is a problem, unless it is guarded. */
  readonly guarded?: boolean;
  /** What the search for names that were meant may still take; a new one each time if not given. */
  readonly compared?: Budget;
}

/**
 * Access paths known to be present (`"query.tag"`) or not null (`"it.author"`) at a point, written
 * as dotted names; a key of a map is present as `"m[k]"`, and `"i < size(l)"` is a fact, too. A
 * fact about a path holds for that path alone.
 */
export interface Facts {
  readonly present: ReadonlySet<string>;
  readonly notNull: ReadonlySet<string>;
  /** What is known of numbers, by the text of what gives them. */
  readonly bounds: ReadonlyMap<string, Bound>;
}

/** A literal in code: integers, decimals, timestamps ... as exact text, so that JSON is safe. */
export type Literal = string | boolean | null;

/** Typed, fully resolved code: plain JSON data, without positions. Every node carries its type. */
export type Code =
  /** A value that the document does not show: to evaluate it meets the gap of that name. */
  | { readonly op: "gap"; readonly type: Type; readonly gap: string }
  | { readonly op: "literal"; readonly type: Type; readonly value: Literal }
  /** No value: what is to be shown is left out. No text of an expression makes it. */
  | { readonly op: "absent"; readonly type: Type }
  | { readonly op: "list"; readonly type: Type; readonly items: readonly Code[] }
  | {
      readonly op: "map";
      readonly type: Type;
      readonly entries: readonly { readonly key: Code; readonly value: Code }[];
    }
  | { readonly op: "name"; readonly type: Type; readonly name: string }
  /** `name`: the collection, as the document names it. */
  | {
      readonly op: "rows";
      readonly type: Type;
      readonly resource: string;
      readonly name?: string;
    }
  | { readonly op: "get"; readonly type: Type; readonly of: Code; readonly member: string }
  | { readonly op: "has"; readonly type: Type; readonly of: Code; readonly member: string }
  | { readonly op: "index"; readonly type: Type; readonly of: Code; readonly at: Code }
  /** `fn`: an operator (`==`, `<`, `+`, `-`, `!`, `&&`, `||`, `?:`, `in`, `neg`) or a function. */
  | {
      readonly op: "call";
      readonly type: Type;
      readonly fn: string;
      readonly args: readonly Code[];
    }
  | {
      readonly op: "each";
      readonly type: Type;
      readonly macro: "exists" | "all" | "exists_one" | "filter" | "map" | "group";
      readonly over: Code;
      readonly as: string;
      readonly body: Code;
      /** Only for `group`: what is collected under the key that `body` gives. */
      readonly value?: Code;
    };

/** A problem in an expression; the span is relative to the start of the expression's text. */
export interface Problem {
  readonly code:
    | "syntax"
    | "unknown-name"
    | "wrong-type"
    | "unguarded"
    | "overflow"
    | "too-large"
    | "pattern";
  readonly message: string;
  readonly hint?: string;
  readonly start: number;
  readonly end: number;
}

/** A problem of which it is known elsewhere where it stands. */
export type ProblemText = Omit<Problem, "start" | "end">;

/** The outcome of checking one expression. `code` is undefined where there are problems. */
export interface Checked {
  readonly type: Type;
  readonly code?: Code;
  /** The outcome of a condition that is the same whatever it reads. */
  readonly settled?: boolean;
  readonly problems: readonly Problem[];
  /** Facts that hold after it, where it was true and where it was false. */
  readonly whenTrue: Facts;
  readonly whenFalse: Facts;
}
