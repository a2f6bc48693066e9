/** Takes the tables of one plan over into those of another: each value as it was written. */
import type Database from "better-sqlite3";
import type { Field, Plan } from "../../plan/index.ts";
import type { Value } from "../../run/index.ts";
import { readColumn, rowColumns } from "../query/select.ts";
import { type Column, quote } from "../schema/columns.ts";
import { type Schema, statementsOf, type Table } from "../schema/schema.ts";
import { rawStatement } from "./statements.ts";

/** Of a field that rows did not have before: the value that the document states for them. */
export type FirstValue = (field: Field) => Value;

const FORMER = "former";
/** Rows that are held in memory at a time. */
const PAGE = 1000;

/** All of a table that decides on how its rows are written. */
function formOf(table: Table, plan: Plan): string {
  const columns = table.columns.map(({ field, name, there, kind, type }) => {
    return [field, name, there, kind, kind === "json" ? [type, plan.partTypes] : kind];
  });
  return JSON.stringify([columns.toSorted(), [...table.lists]]);
}

/** How a value stands in its column, and, where it may be absent, in the one beside it. */
function held(column: Column, value: Value): unknown[] {
  const isThere = value !== undefined;
  const own = value === undefined || value === null ? null : column.to(value);
  return column.there === undefined ? [own] : [own, isThere ? 1 : 0];
}

interface Move {
  readonly before: Table;
  readonly now: Table;
  readonly fields: readonly Field[];
  readonly first: FirstValue;
}

/** Copies all rows, with their keys. */
function copy(db: Database.Database, { before, now, fields, first }: Move): void {
  const former = { ...before, name: FORMER };
  const page = rawStatement(
    db,
    `SELECT ${rowColumns(former, "t")} FROM ${quote(FORMER)} t ` +
      `WHERE t._key > ? ORDER BY t._key LIMIT ${PAGE}`,
  );
  const names = now.columns.flatMap((one) => [
    one.name,
    ...(one.there === undefined ? [] : [one.there]),
  ]);
  const all = ["_key", ...names].map(quote);
  const insert = db.prepare(
    `INSERT INTO ${quote(now.name)} (${all.join(", ")}) VALUES (${all.map(() => "?").join(", ")})`,
  );
  const lists = [...now.lists].map(([field, side]) => ({
    field,
    add: db.prepare(`INSERT INTO ${quote(side)} (value, _key, place) VALUES (?, ?, ?)`),
  }));
  const added = fields.filter(({ name }) => !before.column.has(name));
  let firsts: ReadonlyMap<string, Value> | undefined;
  const take = ([key, ...columns]: readonly unknown[]): void => {
    firsts ??= new Map(added.map((one) => [one.name, first(one)]));
    const values = new Map(firsts);
    let at = 0;
    for (const column of before.columns) {
      values.set(column.field, readColumn(column, columns, at) as Value);
      at += column.there === undefined ? 1 : 2;
    }
    const own = now.columns.flatMap((column) => held(column, values.get(column.field)));
    insert.run(key, ...own);
    for (const { field, add } of lists) {
      const items = values.get(field);
      if (!Array.isArray(items)) continue;
      for (const [place, item] of items.entries()) add.run(item, key, place);
    }
  };
  for (let last: unknown = -1n; ; ) {
    const rows = page.all(last) as unknown[][];
    for (const row of rows) take(row);
    if (rows.length < PAGE) return;
    last = rows.at(-1)?.[1];
  }
}

/** The highest key that was ever given: it is not given again, though its row is gone. */
function keepSequence(db: Database.Database, name: string, run: () => void): void {
  const of = db.prepare("SELECT seq FROM sqlite_sequence WHERE name = ?").pluck(true);
  const last = of.get(name);
  run();
  db.prepare("DELETE FROM sqlite_sequence WHERE name = ?").run(name);
  if (last !== undefined) {
    db.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)").run(name, last);
  }
}

function make(db: Database.Database, table: Table): void {
  for (const statement of statementsOf(table)) {
    if (!statement.startsWith("CREATE INDEX")) db.exec(statement);
  }
}

function drop(db: Database.Database, table: Table): void {
  for (const side of table.lists.values()) db.exec(`DROP TABLE ${quote(side)}`);
}

/** Tables that belong to no resource and are not there yet. */
function makeOthers(db: Database.Database, schema: Schema): void {
  for (const statement of schema.statements) {
    const name = /^CREATE TABLE (\w+) /.exec(statement)?.[1];
    if (name === undefined) continue;
    db.exec(statement.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS"));
  }
}

/**
 * Takes the rows over. To be called in a transaction; the indexes are made anew behind it. Gives
 * the resources that the first plan did not have.
 */
export function widen(
  db: Database.Database,
  before: { readonly plan: Plan; readonly schema: Schema },
  now: { readonly plan: Plan; readonly schema: Schema; readonly first: FirstValue },
): readonly string[] {
  const added: string[] = [];
  for (const [resource, table] of before.schema.tables) {
    if (now.schema.tables.has(resource)) continue;
    drop(db, table);
    db.exec(`DROP TABLE ${quote(table.name)}`);
  }
  for (const { name: resource, fields } of now.plan.resources) {
    const table = now.schema.tables.get(resource);
    const old = before.schema.tables.get(resource);
    if (table === undefined) continue;
    if (old === undefined) {
      make(db, table);
      added.push(resource);
    } else if (formOf(old, before.plan) !== formOf(table, now.plan)) {
      keepSequence(db, table.name, () => {
        drop(db, old);
        db.exec(`ALTER TABLE ${quote(old.name)} RENAME TO ${quote(FORMER)}`);
        make(db, table);
        copy(db, { before: old, now: table, fields, first: now.first });
        db.exec(`DROP TABLE ${quote(FORMER)}`);
      });
    }
  }
  makeOthers(db, now.schema);
  return added;
}

/** Whether rows of the resource are kept. */
export function isKept(db: Database.Database, schema: Schema, resource: string): boolean {
  const table = schema.tables.get(resource);
  if (table === undefined) return false;
  return db.prepare(`SELECT 1 FROM ${quote(table.name)} LIMIT 1`).get() !== undefined;
}
