/** Reads the rows of a table page by page, so that memory does not grow with the table. */
import type Database from "better-sqlite3";
import type { Value } from "../../run/index.ts";
import { readColumn, rowColumns } from "../query/select.ts";
import { quote } from "../schema/columns.ts";
import type { Table } from "../schema/schema.ts";
import { rawStatement } from "./statements.ts";

/** Rows that are held in memory at a time. */
const PAGE = 1000;

/** A row by names of fields, as the columns of its table hold it. */
export interface KeptRow {
  readonly key: number;
  readonly values: ReadonlyMap<string, Value>;
}

/** All rows by key ascending. */
export function* keptRows(db: Database.Database, table: Table): Generator<KeptRow> {
  const page = rawStatement(
    db,
    `SELECT ${rowColumns(table, "t")} FROM ${quote(table.name)} t ` +
      `WHERE t._key > ? ORDER BY t._key LIMIT ${PAGE}`,
  );
  for (let last: unknown = -1n; ; ) {
    const rows = page.all(last) as unknown[][];
    for (const [key, ...columns] of rows) {
      const values = new Map<string, Value>();
      let at = 0;
      for (const column of table.columns) {
        values.set(column.field, readColumn(column, columns, at) as Value);
        at += column.there === undefined ? 1 : 2;
      }
      yield { key: Number(key), values };
    }
    if (rows.length < PAGE) return;
    last = rows.at(-1)?.[0];
  }
}

/** How many rows the table keeps; 0 where there is none. */
export function countRows(db: Database.Database, table: Table | undefined): number {
  if (table === undefined) return 0;
  return db
    .prepare(`SELECT count(*) FROM ${quote(table.name)}`)
    .pluck(true)
    .get() as number;
}
