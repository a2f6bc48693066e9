/** SQL as SQLite has it. */
import type { Binder, Dialect, PlainKind } from "../query/dialect.ts";
import { NotBound } from "../query/lowering.ts";
import { stepping } from "../query/steps.ts";
import { type SqlValue, toSql } from "../schema/columns.ts";

const INT64 = 2n ** 63n;

function bind(kind: PlainKind, value: unknown): SqlValue {
  if (kind === "integer") {
    const whole = value as bigint;
    // An infinite REAL is beyond every INTEGER, as the value is beyond every one of the column.
    if (whole >= INT64) return Number.POSITIVE_INFINITY;
    return whole < -INT64 ? Number.NEGATIVE_INFINITY : whole;
  }
  if (kind === "number" && !Number.isFinite(value)) throw new NotBound();
  return toSql[kind](value);
}

/** Substring tests are on bytes: exact, since UTF-8 never begins a character inside another. */
const bytes = (text: string): string => `CAST(${text} AS BLOB)`;

export const SQLITE: Dialect = {
  yes: "1",
  no: "0",
  stepping,
  parameter: (number) => `?${number}`,
  bind,
  list: (_, values) => {
    // What is beyond every value of the column equals none of them; JSON has no word for it.
    const held = values.filter((one) => typeof one !== "number" || Number.isFinite(one));
    // An integer past 2^53 would lose digits as JSON number only if JavaScript wrote it.
    const texts = held.map((one) => (typeof one === "bigint" ? String(one) : JSON.stringify(one)));
    return `[${texts.join(",")}]`;
  },
  among: (value, number) => `(${value} IN (SELECT value FROM json_each(?${number})))`,
  beginning: () => undefined,
  isTrue: (sql) => `(${sql} = 1)`,
  same: (a, b, is) => `(${a} IS ${is ? "" : "NOT "}${b})`,
  contains: (whole, piece) => `(instr(${bytes(whole)}, ${bytes(piece)}) > 0)`,
  startsWith: (whole, piece) => `(instr(${bytes(whole)}, ${bytes(piece)}) = 1)`,
  endsWith: (whole, piece) => {
    const [x, y] = [bytes(whole), bytes(piece)];
    // The end of an empty text is null, not empty.
    return (
      `(length(${y}) = 0 OR (length(${x}) >= length(${y}) AND ` +
      `substr(${x}, length(${x}) - length(${y}) + 1) = ${y}))`
    );
  },
  slice: () => " LIMIT +? OFFSET +?",
  finish: (sql, binders) => {
    const found: Binder[] = [];
    // A quoted name may hold a question mark; no other text stands in quotes.
    const text = sql.replace(/"(?:[^"]|"")*"|\?(\d+)/g, (piece, number?: string) => {
      const binder = number === undefined ? undefined : binders[Number(number) - 1];
      if (binder === undefined) return piece;
      found.push(binder);
      // A bare `?` makes SQLite prepare the statement anew at each binding (its planner looks at
      // the value); `+?` is the same value, and hides it.
      return "+?";
    });
    return { sql: text, binders: found };
  },
};
