/** How a field is a column: its SQL type, and its value to and from what SQLite holds. */
import {
  type Field,
  hasNarrowIntegers,
  isNarrow,
  isText,
  type Plan,
  type ValueType,
} from "../../plan/index.ts";
import { fromDigits, toDigits } from "./digits.ts";
import { type JsonCodec, jsonCodecs } from "./json.ts";

/** What a column holds; two columns of one kind compare as the expressions' values do. */
export type ColumnKind =
  | "integer"
  | "digits"
  | "number"
  | "boolean"
  | "text"
  | "reference"
  | "json";

/** The kinds of columns that SQL compares as the expressions do. */
export type PlainKind = Exclude<ColumnKind, "json">;

export type SqlValue = string | number | bigint | null;

export interface Column {
  readonly field: string;
  /** Place of the field among the resource's fields. */
  readonly index: number;
  readonly name: string;
  /** Column that tells a null from an absent value (1: there), for an `or absent` field. */
  readonly there: string | undefined;
  readonly kind: ColumnKind;
  readonly type: ValueType;
  /** Never called with null or undefined. */
  to(value: unknown): SqlValue;
  /** Never called with null; integers arrive as bigint. */
  from(held: SqlValue): unknown;
}

/** The kind of column that a field is kept in. */
function kindOf(field: Field): ColumnKind {
  const { type } = field.type;
  if (isText(type)) return "text";
  switch (type.kind) {
    case "integer":
    case "decimal":
      return hasNarrowIntegers(field) ? "integer" : "digits";
    case "timestamp":
    case "duration":
      return "integer";
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "reference":
      return "reference";
    case "list":
    case "map":
    case "structure":
    case "json":
    case "schema":
      return "json";
  }
}

export const SQL_TYPES: Readonly<Record<ColumnKind, string>> = {
  integer: "INTEGER",
  digits: "TEXT",
  number: "REAL",
  boolean: "INTEGER",
  text: "TEXT",
  reference: "INTEGER",
  json: "TEXT",
};

/** A value of expressions as SQLite holds it in a column of a kind (json apart). */
export const toSql: Readonly<Record<PlainKind, (value: unknown) => SqlValue>> = {
  integer: (value) => {
    const whole = value as bigint;
    if (!isNarrow(whole)) {
      throw new RangeError("a value past the bounds of its field reached the store");
    }
    return whole;
  },
  digits: (value) => toDigits(value as bigint),
  number: (value) => {
    const float = value as number;
    if (!Number.isFinite(float)) throw new RangeError("a number that is not finite was stored");
    return float;
  },
  boolean: (value) => (value === true ? 1 : 0),
  text: (value) => value as string,
  reference: (value) =>
    typeof value === "object" ? (value as { key: number }).key : (value as number),
};

const fromSql: Readonly<Record<PlainKind, (held: SqlValue) => unknown>> = {
  integer: (held) => BigInt(held as bigint),
  digits: (held) => fromDigits(held as string),
  number: (held) => Number(held),
  boolean: (held) => Number(held) === 1,
  text: (held) => held,
  reference: (held) => Number(held),
};

function codecOf(kind: ColumnKind, json: JsonCodec): Pick<Column, "to" | "from"> {
  if (kind !== "json") return { to: toSql[kind], from: fromSql[kind] };
  return {
    to: (value) => JSON.stringify(json.to(value)),
    from: (held) => json.from(JSON.parse(held as string)),
  };
}

/** Names of columns: SQLite's are not case-sensitive, the notation's are. */
function uniqueName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${wanted}~${n}`;
  taken.add(name.toLowerCase());
  return name;
}

/** The columns of a resource's fields, in their order. */
export function columnsOf(plan: Plan, fields: readonly Field[]): readonly Column[] {
  const jsonOf = jsonCodecs(plan);
  const taken = new Set<string>();
  return fields.map((field, index) => {
    const kind = kindOf(field);
    const name = uniqueName(`f_${field.name}`, taken);
    const there = field.type.orAbsent ? uniqueName(`h_${field.name}`, taken) : undefined;
    return {
      field: field.name,
      index,
      name,
      there,
      kind,
      type: field.type,
      ...codecOf(kind, jsonOf(field)),
    };
  });
}

/** A quoted SQL identifier. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
