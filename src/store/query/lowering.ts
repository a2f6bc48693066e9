/** What the lowering of code to SQL shares: names in scope, bound values, and giving up. */
import type { Code } from "../../expr/index.ts";
import type { SqlValue } from "../schema/columns.ts";
import type { Schema, Table } from "../schema/schema.ts";
import type { Binder, Dialect, PlainKind } from "./dialect.ts";

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
      readonly kind: PlainKind;
      readonly nullable: boolean;
      /** It is a column of the row, or that in lower case, as an index may hold it. */
      readonly isHeld?: boolean;
    }
  | { readonly is: "given"; readonly code: Code; readonly nullable: boolean };

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
  readonly dialect: Dialect;

  constructor(schema: Schema, dialect: Dialect) {
    this.schema = schema;
    this.dialect = dialect;
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

  /** The number of the parameter for what `bind` makes; the same `key` gives the same number. */
  bind(key: string, bind: Binder): number {
    let number = this.#numbers.get(key);
    if (number === undefined) {
      this.binders.push(bind);
      number = this.binders.length;
      this.#numbers.set(key, number);
    }
    return number;
  }

  /** A given value (parameter or literal) bound as a kind. */
  given(code: Code, kind: PlainKind): string {
    if (code.op === "literal") {
      const value = literalValue(code);
      if (value === null) return "NULL";
      const bound = this.#bound(kind, value);
      const number = this.bind(`=${kind} ${typeof bound} ${String(bound)}`, () => bound);
      return this.dialect.parameter(number, kind);
    }
    const place = placeOf(code);
    const number = this.bind(`${kind} ${place}`, (args) => this.#bound(kind, args[place]));
    return this.dialect.parameter(number, kind);
  }

  /** Whether a value is one of a given list. */
  among(value: string, list: Code, kind: PlainKind): string {
    if (kind === "number") throw new NotLowered();
    const place = placeOf(list);
    const number = this.bind(`list ${kind} ${place}`, (args) => {
      const values = args[place] as readonly unknown[];
      return this.dialect.list(
        kind,
        values.map((one) => this.#bound(kind, one)),
      );
    });
    return this.dialect.among(value, number, kind);
  }

  #bound(kind: PlainKind, value: unknown): SqlValue {
    if (value === undefined) throw new NotBound();
    return value === null ? null : this.dialect.bind(kind, value);
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
