/** SQL as PostgreSQL has it. */
import type { Dialect, PlainKind } from "../query/dialect.ts";
import { NotBound } from "../query/lowering.ts";
import { type SqlValue, toSql } from "../schema/columns.ts";
import { beginningOf, toKept } from "./text.ts";

/** The type of a kind of column; texts have the order of their code points. */
export const TYPES: Readonly<Record<PlainKind, string>> = {
  integer: "bigint",
  digits: 'text COLLATE "C"',
  number: "double precision",
  boolean: "boolean",
  text: 'text COLLATE "C"',
  reference: "bigint",
};

/** The same without what a cast has no place for. */
const CASTS: Readonly<Record<PlainKind, string>> = { ...TYPES, digits: "text", text: "text" };

/** Whether values of a kind may be longer than what an index has a place for. */
export function isLong(kind: PlainKind): boolean {
  return kind === "text" || kind === "digits";
}

const INT64 = 2n ** 63n;

/** Whether no column of integers holds the value. */
export function isBeyond(value: SqlValue): boolean {
  return typeof value === "bigint" && (value >= INT64 || value < -INT64);
}

/** A statement whose parameter of that number is compared as a number of any size. */
export function widened(sql: string, number: number): string {
  return sql.replaceAll(`$${number}::bigint`, `$${number}::numeric`);
}

function bind(kind: PlainKind, value: unknown): SqlValue {
  // What is beyond the column is compared as it is, by a statement of its own.
  if (kind === "integer") return value as bigint;
  if (kind === "number" && !Number.isFinite(value)) throw new NotBound();
  if (kind === "boolean") return value === true ? "true" : "false";
  const held = toSql[kind](value);
  return typeof held === "string" ? toKept(held) : held;
}

/** An item of an array in its text form. */
const item = (one: SqlValue): string =>
  typeof one === "string" ? `"${one.replaceAll(/["\\]/g, "\\$&")}"` : String(one);

export const POSTGRES: Dialect = {
  yes: "TRUE",
  no: "FALSE",
  stepping: () => undefined,
  parameter: (number, kind) => `$${number}::${CASTS[kind]}`,
  bind,
  // What is beyond every value of the column equals none of them.
  list: (_, values) => `{${values.flatMap((one) => (isBeyond(one) ? [] : item(one))).join(",")}}`,
  among: (value, number, kind) => {
    const all = `$${number}::${CASTS[kind]}[]`;
    const whole = `${value} = ANY(${all})`;
    if (!isLong(kind)) return `(${whole})`;
    const by = `ARRAY(SELECT ${beginningOf("x")} FROM unnest(${all}) x)`;
    return `(${beginningOf(value)} = ANY(${by}) AND ${whole})`;
  },
  beginning: (sql, kind) => (isLong(kind) ? beginningOf(sql) : undefined),
  isTrue: (sql) => sql,
  // `IS NOT DISTINCT FROM` finds nothing by an index.
  same: (a, b, is, by) => {
    const whole = `${a} = ${b} AND ${a} IS NOT NULL AND ${b} IS NOT NULL`;
    const both = by === undefined ? whole : `${by[0]} = ${by[1]} AND ${whole}`;
    const [x, y] = by ?? [a, b];
    const same = `((${both}) OR (${x} IS NULL AND ${y} IS NULL))`;
    return is ? same : `(NOT ${same})`;
  },
  contains: (whole, piece) => `(strpos(${whole}, ${piece}) > 0)`,
  startsWith: (whole, piece) => `starts_with(${whole}, ${piece})`,
  endsWith: (whole, piece) => `(right(${whole}, length(${piece})) = ${piece})`,
  slice: (count) => ` LIMIT $${count + 1}::bigint OFFSET $${count + 2}::bigint`,
  finish: (sql, binders) => ({ sql, binders }),
};
