/** What the lowering of code to SQL shares: names in scope, bound values, and giving up. */
import type { Code } from "../../expr/index.ts";
import type { ColumnKind, SqlValue } from "../schema/columns.ts";
import { toSql } from "../schema/columns.ts";
import type { Schema, Table } from "../schema/schema.ts";

/** A piece of code has no SQL of exactly its meaning: the query runs in memory. */
export class NotLowered extends Error {}

/** An argument cannot be bound exactly: this one run of the query is done in memory. */
export class NotBound extends Error {}

/** A row variable: its table and the alias that stands for it. */
export interface RowName {
  readonly table: Table;
  readonly alias: string;
}
export type Names = ReadonlyMap<string, RowName>;

/** A value in SQL. A parameter has no kind of its own: it takes that of what it meets. */
export type Scalar =
  | {
      readonly is: "sql";
      readonly sql: string;
      readonly kind: Exclude<ColumnKind, "json">;
      readonly nullable: boolean;
    }
  | { readonly is: "given"; readonly code: Code; readonly nullable: boolean };

/** Makes the value of one numbered SQL parameter out of the query's arguments. */
export type Binder = (args: readonly unknown[]) => SqlValue;

const INT64 = 2n ** 63n;

function bindAs(kind: Exclude<ColumnKind, "json">, value: unknown): SqlValue {
  if (value === undefined) throw new NotBound();
  if (value === null) return null;
  if (kind === "integer") {
    const whole = value as bigint;
    // An infinite REAL is beyond every INTEGER, as the value is beyond every one of the column.
    if (whole >= INT64) return Number.POSITIVE_INFINITY;
    return whole < -INT64 ? Number.NEGATIVE_INFINITY : whole;
  }
  if (kind === "number" && !Number.isFinite(value)) throw new NotBound();
  return toSql[kind](value);
}

/** The value of a literal as expressions have it. */
function literalValue(code: Code & { op: "literal" }): unknown {
  const { value, type } = code;
  if (typeof value !== "string") return value;
  if (type.kind === "integer") return BigInt(value);
  if (type.kind === "string" || type.kind === "date") return value;
  throw new NotLowered();
}

/** One SELECT being written: its bound values and the aliases used. */
export class Writing {
  readonly binders: Binder[] = [];
  readonly #numbers = new Map<string, number>();
  #aliases = 0;
  readonly schema: Schema;

  constructor(schema: Schema) {
    this.schema = schema;
  }

  table(resource: string): Table {
    const table = this.schema.tables.get(resource);
    if (table === undefined) throw new NotLowered();
    return table;
  }

  alias(): string {
    this.#aliases += 1;
    return `t${this.#aliases}`;
  }

  /** A numbered parameter for what `bind` makes; the same `key` gives the same number. */
  bind(key: string, bind: Binder): string {
    let number = this.#numbers.get(key);
    if (number === undefined) {
      this.binders.push(bind);
      number = this.binders.length;
      this.#numbers.set(key, number);
    }
    return `?${number}`;
  }

  /** A given value (parameter or literal) bound as a kind. */
  given(code: Code, kind: Exclude<ColumnKind, "json">): string {
    if (code.op === "literal") {
      const value = literalValue(code);
      if (value === null) return "NULL";
      const bound = bindAs(kind, value);
      return this.bind(`=${kind} ${typeof bound} ${String(bound)}`, () => bound);
    }
    const place = placeOf(code);
    return this.bind(`${kind} ${place}`, (args) => bindAs(kind, args[place]));
  }

  /** A given list, bound as JSON text for `json_each`. */
  givenList(code: Code, kind: Exclude<ColumnKind, "json">): string {
    if (kind === "number") throw new NotLowered();
    const place = placeOf(code);
    return this.bind(`list ${kind} ${place}`, (args) => {
      // What is beyond every value of the column equals none of them; JSON has no word for it.
      const values = (args[place] as readonly unknown[])
        .map((one) => bindAs(kind, one))
        .filter((one) => typeof one !== "number" || Number.isFinite(one));
      // An integer past 2^53 would lose digits as JSON number only if JavaScript wrote it.
      return `[${values
        .map((one) => (typeof one === "bigint" ? String(one) : JSON.stringify(one)))
        .join(",")}]`;
    });
  }
}

/** Number of the argument that a parameter names: `$3` is 3. */
export function placeOf(code: Code): number {
  if (code.op !== "name" || !code.name.startsWith("$")) throw new NotLowered();
  return Number(code.name.slice(1));
}

/** Whether the code is a parameter or a literal. */
export function isGiven(code: Code): boolean {
  return code.op === "literal" || (code.op === "name" && code.name.startsWith("$"));
}
