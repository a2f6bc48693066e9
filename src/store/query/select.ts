/** Makes the SELECT statements of a query: rows or columns, count, existence; binds nothing. */
import { type Code, freeNames } from "../../expr/index.ts";
import { fieldOfRow } from "../../plan/index.ts";
import type { Query } from "../../run/index.ts";
import { type Column, quote } from "../schema/columns.ts";
import type { Schema, Table } from "../schema/schema.ts";
import { rowsWithItem, scalar, topCondition } from "./condition.ts";
import type { Bindable, Dialect, PlainKind } from "./dialect.ts";
import { type Names, NotLowered, Writing } from "./lowering.ts";

/** A query as SQL. */
export interface Selected {
  readonly table: Table;
  /** `LIMIT` and `OFFSET` follow as the last two values. */
  readonly rows: Bindable;
  /** As `rows`, but keys are sorted before rows are read; undefined: there is nothing to sort. */
  readonly page: string | undefined;
  readonly count: Bindable;
  readonly exists: Bindable;
  readonly kinds: readonly PlainKind[];
}

/** The columns of a whole row, in the order in which `readRow` takes them. */
export function rowColumns(table: Table, alias: string): string {
  const names = ["_key"];
  for (const column of table.columns) {
    names.push(column.name);
    if (column.there !== undefined) names.push(column.there);
  }
  return names.map((name) => `${alias}.${quote(name)}`).join(", ");
}

/** The SQL value of one column and, for `or absent`, its mark, as a value of expressions. */
export function readColumn(column: Column, held: readonly unknown[], at: number): unknown {
  const value = held[at] as never;
  if (value !== null) return column.from(value);
  return column.there !== undefined && Number(held[at + 1]) !== 1 ? undefined : null;
}

function orderOf(writing: Writing, names: Names, query: Query): readonly string[] {
  const keys: string[] = [];
  let pinned = false;
  for (const key of query.order) {
    const value = scalar(writing, names, key.by);
    if (value.is !== "sql" || value.kind === "boolean") throw new NotLowered();
    // A value that is known to be there stands in a column that may be empty in other rows.
    if (value.nullable && key.by.type.kind === "nullable") throw new NotLowered();
    const direction = key.descending ? "DESC" : "ASC";
    const { kind, sql, isHeld } = value;
    const beginning = isHeld ? writing.dialect.beginning(sql, kind) : undefined;
    if (beginning !== undefined) keys.push(`${beginning} ${direction}`);
    keys.push(`${sql} ${direction}`);
    const { by } = key;
    pinned ||=
      writing.table(query.resource).single.has(fieldOfRow(by, query.as) ?? "") &&
      value.kind !== "reference";
  }
  // Equal rows follow in the order of their keys, in the direction of the last key.
  const down = query.order.at(-1)?.descending === true;
  const alias = names.get(query.as)?.alias ?? "t1";
  return pinned ? keys : [...keys, `${alias}._key ${down ? "DESC" : "ASC"}`];
}

/** Whether a condition lets one row through at most: a field that is of one row alone. */
function isOfOne(table: Table, as: string, part: Code): boolean {
  if (part.op !== "call" || part.fn !== "==") return false;
  return part.args.some((one, at) => {
    const column = table.column.get(fieldOfRow(one, as) ?? "");
    const other = part.args[1 - at];
    if (column === undefined || other === undefined || freeNames(other).has(as)) return false;
    const { orNull, orAbsent } = column.type;
    return table.single.has(column.field) && !orNull && !orAbsent && column.kind !== "json";
  });
}

/** Rows whose list has an item are counted where items are kept: no row is read. */
function countOf(
  writing: Writing,
  names: Names,
  query: Query,
  conditions: number,
): string | undefined {
  const [only] = query.where;
  if (only === undefined || conditions !== 1) return undefined;
  const found = rowsWithItem(writing, names, only);
  return found?.ofRow === false && found.row === `${names.get(query.as)?.alias}._key`
    ? `SELECT count(*) FROM (SELECT DISTINCT ${found.keys}) d`
    : undefined;
}

/** Lowers a query; undefined where some part of it has no SQL of exactly its meaning. */
export function selectOf(schema: Schema, query: Query, dialect: Dialect): Selected | undefined {
  try {
    return lower(new Writing(schema, dialect), query);
  } catch (error) {
    if (error instanceof NotLowered) return undefined;
    throw error;
  }
}

function lower(writing: Writing, query: Query): Selected {
  const { dialect } = writing;
  const table = writing.table(query.resource);
  const alias = writing.alias();
  const names: Names = new Map([[query.as, { table, alias }]]);
  const wheres: string[] = [];
  if (query.keysAt !== undefined) {
    const { keysAt } = query;
    const keys = writing.bind("keys", (args) =>
      dialect.list("reference", args[keysAt] as readonly number[]),
    );
    wheres.push(dialect.among(`${alias}._key`, keys, "reference"));
  }
  for (const part of query.where) wheres.push(topCondition(writing, names, part));
  const kinds: PlainKind[] = [];
  const columns = query.columns?.map((code) => {
    const value = scalar(writing, names, code);
    if (value.is !== "sql") throw new NotLowered();
    kinds.push(value.kind);
    return value.sql;
  });
  // An order of one row would make the database go through all rows in that order.
  const isOne = query.where.some((part) => isOfOne(table, query.as, part));
  const order = query.keysAt !== undefined || isOne ? [] : orderOf(writing, names, query);
  const stepping = dialect.stepping(`${alias}._key`);
  const all = [...(stepping === undefined ? [] : [stepping]), ...wheres];
  const where = all.length === 0 ? "" : ` WHERE ${all.join(" AND ")}`;
  const from = `FROM ${quote(table.name)} ${alias}${where}`;
  // The database counts a whole table without going through its rows.
  const counted = wheres.length === 0 ? `FROM ${quote(table.name)}` : from;
  const what =
    columns === undefined ? rowColumns(table, alias) : [`${alias}._key`, ...columns].join(", ");
  const sorted = order.length === 0 ? "" : ` ORDER BY ${order.join(", ")}`;
  const made = (sql: string) => dialect.finish(sql, writing.binders);
  const slice = sorted + dialect.slice(writing.binders.length);
  // The slice's values must stay the last two, which a value in the order would come behind.
  const page =
    sorted === "" || sorted.includes("?")
      ? undefined
      : made(
          `SELECT ${what} FROM ${quote(table.name)} ${alias} WHERE ${alias}._key IN ` +
            `(SELECT ${alias}._key ${from}${slice})${sorted}`,
        ).sql;
  return {
    table,
    kinds,
    page,
    rows: made(`SELECT ${what} ${from}${slice}`),
    count: made(countOf(writing, names, query, wheres.length) ?? `SELECT count(*) ${counted}`),
    exists: made(`SELECT 1 ${from} LIMIT 1`),
  };
}
