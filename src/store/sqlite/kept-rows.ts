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
interface KeptRow {
  readonly key: number;
  readonly values: ReadonlyMap<string, Value>;
}

/** All rows by key ascending. `name`: of the table, where it has another one meanwhile. */
export function* keptRows(
  db: Database.Database,
  table: Table,
  name: string = table.name,
): Generator<KeptRow> {
  const page = rawStatement(
    db,
    `SELECT ${rowColumns({ ...table, name }, "t")} FROM ${quote(name)} t ` +
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

/** Whether rows are kept in the table. */
export function hasRows(db: Database.Database, table: Table | undefined): boolean {
  if (table === undefined) return false;
  return db.prepare(`SELECT 1 FROM ${quote(table.name)} LIMIT 1`).get() !== undefined;
}
