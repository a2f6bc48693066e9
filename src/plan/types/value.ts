/** Types of stored and sent values, and the rules they obey, as a document states them. */
import type { Code } from "../../expr/index.ts";
import type { Answer, Expression, Refusal } from "./answer.ts";
import type { ItemId } from "./items.ts";

export type TimestampWire = "rfc3339" | "unix seconds" | "unix milliseconds";
export type Precision = "seconds" | "milliseconds" | "microseconds";

/** A type of the notation. Wire forms are part of it. */
export type BaseType =
  | { readonly kind: "boolean" | "number" | "duration" | "json" }
  | { readonly kind: "string" | "date" | "time zone" | "file" | "secret" }
  | { readonly kind: "email" | "uri" | "uuid" }
  | { readonly kind: "state" | "event name" | "error name" }
  | { readonly kind: "integer"; readonly wire: "number" | "string" }
  | { readonly kind: "decimal"; readonly places: number; readonly wire: "number" | "string" }
  | {
      readonly kind: "timestamp";
      readonly precision: Answer<Precision>;
      readonly wire: TimestampWire;
    }
  /** Made by the service: unique text with an optional fixed beginning. */
  | { readonly kind: "id"; readonly prefix?: string }
  | { readonly kind: "one of"; readonly values: readonly string[] }
  /** A JSON value that the schema takes; the text of one without a heading is its name. */
  | { readonly kind: "schema"; readonly name: string }
  | { readonly kind: "list"; readonly of: ValueType }
  | { readonly kind: "map"; readonly of: ValueType }
  /** A nested structure (`a part`), or in a shape any part, view or shape by its name. */
  | { readonly kind: "structure"; readonly name: string }
  /** A stored row of `resource`; shown as its key, or as `view` (a view or the resource). */
  | { readonly kind: "reference"; readonly resource: string; readonly view?: string };

/** A JSON Schema 2020-12, as text without spaces, so that no digit is lost. */
export interface Schema {
  readonly id: ItemId;
  /** As references name it; the text itself where it stands as a type. */
  readonly name: string;
  readonly schema: Answer<string>;
  /** The gap of a text that is to stand for a value: its schema states no type that says how. */
  readonly asText?: ItemId;
}

/** A type with what else a value may be: `null`, or not there at all. */
export interface ValueType {
  readonly type: BaseType;
  readonly orNull: boolean;
  readonly orAbsent: boolean;
  /** The type is not shown: it is any JSON in the plan, and whatever reads a value meets this. */
  readonly gap?: ItemId;
}

export type Hash =
  | {
      readonly kind: "argon2id";
      readonly memoryKiB: number;
      readonly passes: number;
      readonly lanes: number;
    }
  | { readonly kind: "scrypt"; readonly n: number; readonly r: number; readonly p: number }
  | { readonly kind: "sha256" }
  /** Readable by the service. */
  | { readonly kind: "plain" };

/** What happens to a row when the row that this reference names is deleted. */
export type WhenGone =
  | "deleted with it"
  | "set to null"
  | "refused"
  /** Out of the nearest list or map in which the reference stands. */
  | "taken out";

/**
 * One rule of a field or an input; rules are judged left to right and the first that fails speaks.
 * Numbers are exact text. Failure conditions are those of `failures.ts`.
 */
export type Rule = { readonly id: ItemId } /** Characters are Unicode code points. */ & (
  | { readonly kind: "characters"; readonly min?: number; readonly max?: number }
  | { readonly kind: "items"; readonly min?: number; readonly max?: number }
  /** Inclusive bounds as literals of the field's type. */
  | { readonly kind: "range"; readonly min?: Code; readonly max?: Code }
  | { readonly kind: "matches"; readonly pattern: string }
  | { readonly kind: "scheme"; readonly schemes: readonly string[] }
  | { readonly kind: "different items" }
  | { readonly kind: "at least one member" }
  | { readonly kind: "not empty" | "empty becomes null" | "empty means absent" | "trimmed" }
  | { readonly kind: "absent means"; readonly value: Expression }
  /** A condition over `value` and, on a field, `it`: `holds` ... else ... */
  | { readonly kind: "holds"; readonly condition: Expression; readonly otherwise: Refusal }
  /** Stored when the row is created and nothing was given. */
  | { readonly kind: "starts"; readonly value: Expression }
  /** `changes` lists the fields whose change sets it again; empty: on create alone. */
  | {
      readonly kind: "set";
      readonly value: Expression;
      readonly onCreate: boolean;
      readonly onUpdate: boolean;
      readonly changes: readonly string[];
    }
  | {
      readonly kind: "counts up";
      readonly from: string;
      readonly within: readonly string[];
      readonly onEveryChange: boolean;
    }
  /** Without `otherwise`: no request makes or changes a row. `anyCase`: A to Z equal a to z. */
  | {
      readonly kind: "unique";
      readonly within: readonly string[];
      readonly anyCase?: true;
      readonly otherwise?: Refusal;
    }
  | { readonly kind: "kept as"; readonly hash: Hash }
  | {
      readonly kind: "random";
      readonly bytes: number;
      readonly form: "base64" | "base64url" | "hex" | "uuid";
      readonly prefix: string;
    }
  | { readonly kind: "key" }
  | { readonly kind: "when gone"; readonly action: WhenGone; readonly otherwise?: Refusal }
  | { readonly kind: "order"; readonly order: Answer<"as given" | "ascending" | "descending"> }
  | { readonly kind: "gap"; readonly gap: ItemId }
);
