/** Takes the tables of one plan over into those of another: each value as it was written. */
import type Database from "better-sqlite3";
import type { Field, Plan } from "../../plan/index.ts";
import type { Value } from "../../run/index.ts";
import { type Column, quote } from "../schema/columns.ts";
import { type Schema, statementsOf, type Table } from "../schema/schema.ts";
import { compileHeirs, type FirstValue, type Named } from "./inherit.ts";
import { keptRows } from "./kept-rows.ts";

const FORMER = "former";

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
  readonly inherit: (values: Named) => Named;
}

/** Copies all rows, with their keys. */
function copy(db: Database.Database, { before, now, inherit }: Move): void {
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
  for (const { key, values: kept } of keptRows(db, before, FORMER)) {
    const values = inherit(kept);
    insert.run(key, ...now.columns.flatMap((column) => held(column, values.get(column.field))));
    for (const { field, add } of lists) {
      const items = values.get(field);
      if (!Array.isArray(items)) continue;
      for (const [place, item] of items.entries()) add.run(item, key, place);
    }
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

/** The fields of a resource; none where the plan has no such. */
function fieldsOf({ resources }: Plan, name: string): readonly Field[] {
  return resources.find((one) => one.name === name)?.fields ?? [];
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
  const heirs = compileHeirs(before.plan, now.plan, now.first);
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
        copy(db, {
          before: old,
          now: table,
          inherit: heirs(fieldsOf(before.plan, resource), fields),
        });
        db.exec(`DROP TABLE ${quote(FORMER)}`);
      });
    }
  }
  makeOthers(db, now.schema);
  return added;
}
