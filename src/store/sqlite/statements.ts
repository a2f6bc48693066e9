/** The prepared statements of a table: rows by key, in, changed and out; and of its lists. */
import type Database from "better-sqlite3";
import { rowColumns } from "../query/select.ts";
import { STEP_FUNCTION, stepping } from "../query/steps.ts";
import { type Column, quote } from "../schema/columns.ts";
import type { Table } from "../schema/schema.ts";

export type Statement = Database.Statement<unknown[]>;

/** The statements of one table. */
export interface TableStatements {
  readonly get: Statement;
  readonly getMany: Statement;
  readonly all: Statement;
  readonly after: Statement;
  readonly insert: Statement;
  readonly update: Statement;
  readonly remove: Statement;
  /** By field: side tables of list items. */
  readonly lists: readonly {
    readonly column: Column;
    readonly add: Statement;
    readonly drop: Statement;
  }[];
}

/** A statement that gives arrays, with integers as bigint. */
export function rawStatement(db: Database.Database, sql: string): Statement {
  return db.prepare<unknown[]>(sql).raw(true).safeIntegers(true);
}

/** Statement that changes all columns of a row; a row without columns has nothing to change. */
function updateSql(name: string, columns: readonly string[]): string {
  if (columns.length === 0) return `UPDATE ${name} SET _key = _key WHERE _key = ?`;
  const changes = columns.map((one) => `${quote(one)} = ?`).join(", ");
  return `UPDATE ${name} SET ${changes} WHERE _key = ?`;
}

function insertSql(name: string, columns: readonly string[]): string {
  if (columns.length === 0) return `INSERT INTO ${name} DEFAULT VALUES`;
  const marks = columns.map(() => "?").join(", ");
  return `INSERT INTO ${name} (${columns.map(quote).join(", ")}) VALUES (${marks})`;
}

/** Prepares the statements of one table. */
export function prepareTable(db: Database.Database, table: Table): TableStatements {
  const name = quote(table.name);
  const select = `SELECT ${rowColumns(table, "t")} FROM ${name} t`;
  const columns = table.columns.flatMap((one) =>
    one.there === undefined ? [one.name] : [one.name, one.there],
  );
  return {
    get: rawStatement(db, `${select} WHERE t._key = ?`),
    getMany: rawStatement(db, `${select} WHERE t._key IN (SELECT value FROM json_each(?))`),
    all: rawStatement(db, `${select} WHERE ${stepping("t._key")} ORDER BY t._key`),
    after: rawStatement(db, `${select} WHERE t._key > ? ORDER BY t._key LIMIT ?`),
    insert: db.prepare(insertSql(name, columns)),
    update: db.prepare(updateSql(name, columns)),
    remove: db.prepare(`DELETE FROM ${name} WHERE _key = ?`),
    lists: [...table.lists].map(([field, side]) => ({
      column: table.column.get(field) as Column,
      add: db.prepare(`INSERT INTO ${quote(side)} (value, _key, place) VALUES (?, ?, ?)`),
      drop: db.prepare(`DELETE FROM ${quote(side)} WHERE value = ? AND _key = ? AND place = ?`),
    })),
  };
}

/** Steps from value to value by the index; each then asks where it stands first. */
export function differentItemsSql(side: string): string {
  const first = (column: string) =>
    `(SELECT ${column} FROM ${side} i WHERE i.value = v.value ` +
    "ORDER BY i._key, i.place LIMIT 1)";
  return (
    `WITH RECURSIVE v(value) AS (SELECT min(value) FROM ${side} UNION ALL ` +
    `SELECT (SELECT min(n.value) FROM ${side} n WHERE n.value > v.value) FROM v ` +
    `WHERE v.value IS NOT NULL AND ${STEP_FUNCTION}()) ` +
    `SELECT value FROM v WHERE value IS NOT NULL ORDER BY ${first("_key")}, ${first("place")}`
  );
}
