/** Takes the tables of one plan over into those of another: each value as it was written. */
import type Database from "better-sqlite3";
import type { Plan } from "../../plan/index.ts";
import type { Value } from "../../run/index.ts";
import { type Column, quote } from "../schema/columns.ts";
import { type Schema, statementsOf, type Table } from "../schema/schema.ts";
import { LATER_MESSAGE_COLUMNS } from "../schema/tables.ts";
import { compileHeirs, type Named, type Passage } from "./inherit.ts";
import { type KeptRow, keptRows } from "./kept-rows.ts";
import { SqliteSession } from "./session.ts";

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

/** Rows on their way from a table to another. */
interface Move {
  readonly resource: string;
  /** The table as it is called meanwhile. */
  readonly before: Table;
  readonly now: Table;
  /** The highest key that was ever given: it is not given again, though its row is gone. */
  readonly last: unknown;
}

/** Copies all rows, with their keys. */
function copy(db: Database.Database, { before, now }: Move, values: (row: KeptRow) => Named): void {
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
  for (const row of keptRows(db, before)) {
    const made = values(row);
    insert.run(row.key, ...now.columns.flatMap((column) => held(column, made.get(column.field))));
    for (const { field, add } of lists) {
      const items = made.get(field);
      if (!Array.isArray(items)) continue;
      for (const [place, item] of items.entries()) add.run(item, row.key, place);
    }
  }
}

function keepSequence(db: Database.Database, { now: { name }, last }: Move): void {
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
  for (const name of [...table.lists.values(), table.name]) db.exec(`DROP TABLE ${quote(name)}`);
}

/** Gives a table another name, with those of its lists, and says how it is called then. */
function setAside(db: Database.Database, table: Table, number: number): Table {
  const name = `former_${number}`;
  const rename = (from: string, to: string): string => {
    db.exec(`ALTER TABLE ${quote(from)} RENAME TO ${quote(to)}`);
    return to;
  };
  const lists = [...table.lists].map(([field, side], at): [string, string] => [
    field,
    rename(side, `${name}_${at}`),
  ]);
  return { ...table, name: rename(table.name, name), lists: new Map(lists) };
}

/** Tables that belong to no resource and are not there yet. */
export function makeOthers(db: Database.Database, schema: Schema): void {
  for (const statement of schema.statements) {
    const name = /^CREATE TABLE (\w+) /.exec(statement)?.[1];
    if (name === undefined) continue;
    db.exec(statement.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS"));
    if (name === "messages") completeMessages(db);
  }
}

/** Gives the table of messages the columns that it has had since. */
function completeMessages(db: Database.Database): void {
  const there = new Set(db.prepare("SELECT name FROM pragma_table_info('messages')").pluck().all());
  for (const [column, statement] of Object.entries(LATER_MESSAGE_COLUMNS)) {
    if (!there.has(column)) db.exec(statement);
  }
}

/** Sets aside the tables whose rows are written anew. */
function movesOf(
  db: Database.Database,
  { before, now, renames, decided }: Passage,
  schemas: { readonly before: Schema; readonly now: Schema },
): Move[] {
  const last = db.prepare("SELECT seq FROM sqlite_sequence WHERE name = ?").pluck(true);
  return [...schemas.now.tables].flatMap(([resource, table], number) => {
    const old = schemas.before.tables.get(renames.resource(resource));
    if (old === undefined) return [];
    const isAnew = table.columns.some(
      ({ field }) =>
        renames.field(resource, field) !== field ||
        renames.words(resource, field) !== undefined ||
        decided?.(resource, field) !== undefined,
    );
    const isSame = old.name === table.name && formOf(old, before) === formOf(table, now);
    if (isSame && !isAnew) return [];
    return [{ resource, now: table, last: last.get(old.name), before: setAside(db, old, number) }];
  });
}

/**
 * Takes the rows over. To be called in a transaction; the indexes are made anew behind it. Gives
 * the resources that the first plan did not have. Tables of resources that are gone are dropped.
 */
export function widen(
  db: Database.Database,
  passage: Passage,
  schemas: { readonly before: Schema; readonly now: Schema },
): readonly string[] {
  const { renames } = passage;
  const moves = movesOf(db, passage, schemas);
  const claimed = new Set([...schemas.now.tables.keys()].map((one) => renames.resource(one)));
  const aside = new Map(moves.map((one) => [renames.resource(one.resource), one.before]));
  const tables = new Map(
    [...schemas.before.tables].map(([name, one]) => [name, aside.get(name) ?? one]),
  );
  const session = new SqliteSession(db, { ...schemas.before, tables });
  const gone = [...tables].flatMap(([name, table], number) =>
    claimed.has(name)
      ? []
      : [[name, setAside(db, table, schemas.now.tables.size + number)] as const],
  );
  for (const [name, table] of gone) tables.set(name, table);
  const heirs = compileHeirs(passage);
  const added: string[] = [];
  for (const [resource, table] of schemas.now.tables) {
    const move = moves.find((one) => one.resource === resource);
    if (move !== undefined || !schemas.before.tables.has(renames.resource(resource)))
      make(db, table);
    if (move === undefined && !schemas.before.tables.has(renames.resource(resource)))
      added.push(resource);
  }
  for (const move of moves) {
    const inherit = heirs(move.resource);
    copy(db, move, (row) => inherit(row, session));
    keepSequence(db, move);
  }
  for (const table of [...aside.values(), ...gone.map(([, one]) => one)]) drop(db, table);
  makeOthers(db, schemas.now);
  return added;
}
