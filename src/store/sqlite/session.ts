/** The session of a SQLite connection: rows in and out, queries as prepared statements. */
import type Database from "better-sqlite3";
import type { Having, Query, Row, Session, Slice, Value } from "../../run/index.ts";
import type { Bindable } from "../query/dialect.ts";
import { NotBound } from "../query/lowering.ts";
import { readColumn, type Selected, selectOf } from "../query/select.ts";
import { quote, type SqlValue } from "../schema/columns.ts";
import type { Schema, Table } from "../schema/schema.ts";
import { SqliteCalls } from "./calls.ts";
import { SqliteAnswers, SqliteCounters } from "./counters.ts";
import { SQLITE } from "./dialect.ts";
import { SqliteEvents } from "./events.ts";
import { storageFault } from "./fault.ts";
import { SqliteMessages } from "./messages.ts";
import { NonEmptyTables } from "./non-empty-tables.ts";
import {
  differentItemsSql,
  prepareTable,
  rawStatement,
  type Statement,
  type TableStatements,
} from "./statements.ts";

type RowColumns = readonly unknown[];

interface QueryStatements {
  readonly selected: Selected;
  rows: Statement | undefined;
  page: Statement | undefined;
  count: Statement | undefined;
  exists: Statement | undefined;
}

const NO_LIMIT = 2n ** 63n - 1n;

/** Reads values of columns by kind, for queries that give columns instead of rows. */
function columnValue(kind: Selected["kinds"][number] | undefined, held: unknown): Value {
  if (held === null) return null;
  if (kind === "boolean") return Number(held) === 1;
  if (kind === "integer") return BigInt(held as bigint);
  if (kind === "reference" || kind === "number") return Number(held);
  return held as Value;
}

/** A session on one connection. Throws `StorageFault` where the database cannot go on. */
export class SqliteSession implements Session {
  readonly #db: Database.Database;
  readonly #schema: Schema;
  readonly #tables = new Map<string, TableStatements>();
  readonly #queries: (QueryStatements | null | undefined)[] = [];
  readonly #filled: NonEmptyTables;
  readonly #savepoint: Statement;
  readonly #release: Statement;
  readonly #rollback: Statement;

  readonly counters: SqliteCounters;
  readonly answers: SqliteAnswers;
  readonly messages: SqliteMessages;
  readonly events: SqliteEvents;
  readonly calls: SqliteCalls;

  constructor(db: Database.Database, schema: Schema) {
    this.#db = db;
    this.counters = new SqliteCounters(db);
    this.answers = new SqliteAnswers(db);
    this.messages = new SqliteMessages(db);
    this.events = new SqliteEvents(db);
    this.calls = new SqliteCalls(db);
    this.#schema = schema;
    this.#filled = new NonEmptyTables(db, schema);
    this.#savepoint = db.prepare("SAVEPOINT s");
    this.#release = db.prepare("RELEASE s");
    this.#rollback = db.prepare("ROLLBACK TO s");
  }

  #table(resource: string): Table {
    const table = this.#schema.tables.get(resource);
    if (table === undefined) throw new Error(`the store has no table for ${resource}`);
    return table;
  }

  #raw(sql: string): Statement {
    return rawStatement(this.#db, sql);
  }

  #statements(table: Table): TableStatements {
    const known = this.#tables.get(table.resource);
    if (known !== undefined) return known;
    const made = prepareTable(this.#db, table);
    this.#tables.set(table.resource, made);
    return made;
  }

  #guard<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      throw storageFault(error);
    }
  }

  #row(table: Table, held: RowColumns): Row {
    const values: Value[] = [];
    let at = 1;
    for (const column of table.columns) {
      values.push(readColumn(column, held, at) as Value);
      at += column.there === undefined ? 1 : 2;
    }
    return { resource: table.resource, key: Number(held[0]), values };
  }

  get(resource: string, key: number): Row | undefined {
    const table = this.#table(resource);
    const held = this.#guard(() => this.#statements(table).get.get(key)) as RowColumns | undefined;
    return held === undefined ? undefined : this.#row(table, held);
  }

  getMany(resource: string, keys: readonly number[]): readonly Row[] {
    const [only] = keys;
    if (keys.length === 1 && only !== undefined) {
      const row = this.get(resource, only);
      return row === undefined ? [] : [row];
    }
    const table = this.#table(resource);
    const found = this.#guard(() =>
      this.#statements(table).getMany.all(JSON.stringify(keys)),
    ) as RowColumns[];
    return found.map((held) => this.#row(table, held));
  }

  all(resource: string, having?: Having): readonly Row[] {
    const table = this.#table(resource);
    const found = this.#guard(() => this.#statements(table).all.all()) as RowColumns[];
    const rows = found.map((held) => this.#row(table, held));
    if (having === undefined) return rows;
    return rows.filter(({ values }) => values[having.place] === having.text);
  }

  after(resource: string, key: number, most: number): readonly Row[] {
    const table = this.#table(resource);
    const found = this.#guard(() => this.#statements(table).after.all(key, most)) as RowColumns[];
    return found.map((held) => this.#row(table, held));
  }

  #query(query: Query): QueryStatements | null {
    const known = this.#queries[query.id];
    if (known !== undefined) return known;
    const selected = selectOf(this.#schema, query, SQLITE);
    const made =
      selected === undefined
        ? null
        : { selected, rows: undefined, page: undefined, count: undefined, exists: undefined };
    this.#queries[query.id] = made;
    return made;
  }

  able(query: Query): boolean {
    return this.#query(query) !== null;
  }

  /** Bound values, or undefined where one cannot be bound exactly. */
  #bound({ binders }: Bindable, args: readonly Value[]): SqlValue[] | undefined {
    try {
      return binders.map((bind) => bind(args));
    } catch (error) {
      if (error instanceof NotBound || error instanceof RangeError) return undefined;
      throw error;
    }
  }

  #run(query: Query, args: readonly Value[], slice: Slice | undefined): RowColumns[] | undefined {
    const made = this.#query(query);
    const bound = made === null ? undefined : this.#bound(made.selected.rows, args);
    if (made === null || bound === undefined) return undefined;
    const { limit = NO_LIMIT, offset = 0n } = slice ?? {};
    if (offset > NO_LIMIT) return [];
    return this.#guard(() => {
      if (slice?.limit === undefined) made.rows ??= this.#raw(made.selected.rows.sql);
      else made.page ??= this.#raw(this.#pageOf(made.selected));
      const statement = (slice?.limit === undefined ? made.rows : made.page) as Statement;
      return statement.all(...bound, limit > NO_LIMIT ? NO_LIMIT : limit, offset) as RowColumns[];
    });
  }

  #planOf(sql: string, boundCount: number): readonly string[] {
    const bound = new Array(boundCount).fill(1);
    const found = this.#db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...bound);
    return (found as { detail: string }[]).map((one) => one.detail);
  }

  /** What reads a page: whole rows are carried through a sort only where there is none. */
  #pageOf(selected: Selected): string {
    const { rows, page } = selected;
    if (page === undefined) return rows.sql;
    const lines = this.#planOf(rows.sql, rows.binders.length + 2);
    return lines.some((one) => one.includes("FOR ORDER BY")) ? page : rows.sql;
  }

  rows(query: Query, args: readonly Value[], slice?: Slice): readonly Row[] | undefined {
    const table = this.#table(query.resource);
    return this.#run(query, args, slice)?.map((held) => this.#row(table, held));
  }

  columns(
    query: Query,
    args: readonly Value[],
    slice?: Slice,
  ): ReadonlyMap<number, readonly Value[]> | undefined {
    const kinds = this.#query(query)?.selected.kinds ?? [];
    const found = this.#run(query, args, slice);
    return (
      found &&
      new Map(
        found.map((held) => [
          Number(held[0]),
          held.slice(1).map((one, i) => columnValue(kinds[i], one)),
        ]),
      )
    );
  }

  count(query: Query, args: readonly Value[]): bigint | undefined {
    const made = this.#query(query);
    const bound = made === null ? undefined : this.#bound(made.selected.count, args);
    if (made === null || bound === undefined) return undefined;
    return this.#guard(() => {
      made.count ??= this.#raw(made.selected.count.sql);
      return (made.count.get(...bound) as [bigint])[0];
    });
  }

  exists(query: Query, args: readonly Value[]): boolean | undefined {
    const made = this.#query(query);
    const bound = made === null ? undefined : this.#bound(made.selected.exists, args);
    if (made === null || bound === undefined) return undefined;
    return this.#guard(() => {
      made.exists ??= this.#raw(made.selected.exists.sql);
      return made.exists.get(...bound) !== undefined;
    });
  }

  differentItems(resource: string, field: string): readonly Value[] | undefined {
    const table = this.#table(resource);
    const side = table.lists.get(field);
    const element = table.column.get(field)?.type.type;
    if (side === undefined || element?.kind !== "list") return undefined;
    const isReference = element.of.type.kind === "reference";
    const found = this.#guard(() =>
      this.#raw(differentItemsSql(quote(side))).all(),
    ) as RowColumns[];
    return found.map(([value]) => (isReference ? Number(value) : (value as Value)));
  }

  filled(): ReadonlySet<string> {
    return this.#guard(() => this.#filled.names());
  }

  /** What the columns of a row hold, absent ones marked. */
  #held(table: Table, values: readonly Value[]): SqlValue[] {
    const held: SqlValue[] = [];
    for (const column of table.columns) {
      const value = values[column.index];
      held.push(value === null || value === undefined ? null : column.to(value));
      if (column.there !== undefined) held.push(value === undefined ? 0 : 1);
    }
    return held;
  }

  insert(resource: string, values: readonly Value[]): number {
    const table = this.#table(resource);
    const held = this.#held(table, values);
    return this.#guard(() => {
      const statements = this.#statements(table);
      const key = Number(statements.insert.run(...held).lastInsertRowid);
      this.#filled.add(resource);
      this.#addItems(statements, key, values);
      return key;
    });
  }

  #addItems(statements: TableStatements, key: number, values: readonly Value[]): void {
    for (const { column, add } of statements.lists) {
      itemsOf(values[column.index]).forEach((item, place) => add.run(item, key, place));
    }
  }

  #dropItems(statements: TableStatements, key: number, table: Table): void {
    if (statements.lists.length === 0) return;
    const held = statements.get.get(key) as RowColumns | undefined;
    if (held === undefined) return;
    const { values } = this.#row(table, held);
    for (const { column, drop } of statements.lists) {
      itemsOf(values[column.index]).forEach((item, place) => drop.run(item, key, place));
    }
  }

  update(resource: string, key: number, values: readonly Value[]): void {
    const table = this.#table(resource);
    const held = this.#held(table, values);
    this.#guard(() => {
      const statements = this.#statements(table);
      this.#dropItems(statements, key, table);
      statements.update.run(...held, key);
      this.#addItems(statements, key, values);
    });
  }

  delete(resource: string, key: number): void {
    const table = this.#table(resource);
    this.#guard(() => {
      const statements = this.#statements(table);
      this.#dropItems(statements, key, table);
      statements.remove.run(key);
    });
  }

  savepoint(): void {
    this.#guard(() => this.#savepoint.run());
  }

  release(): void {
    this.#guard(() => this.#release.run());
  }

  rollback(): void {
    this.#guard(() => {
      this.#rollback.run();
      this.#release.run();
    });
  }

  /** The plan that the database makes for a query, line by line; for tests and `explain`. */
  explain(query: Query, what: "rows" | "count" | "exists" = "rows"): readonly string[] | undefined {
    const selected = this.#query(query)?.selected;
    if (selected === undefined) return undefined;
    return what === "rows"
      ? this.#planOf(this.#pageOf(selected), selected.rows.binders.length + 2)
      : this.#planOf(selected[what].sql, selected[what].binders.length);
  }
}

/** Items of a list as its side table holds them: texts, or keys of rows. */
function itemsOf(list: Value): readonly SqlValue[] {
  if (!Array.isArray(list)) return [];
  return (list as readonly Value[]).map((item) =>
    typeof item === "object" && item !== null ? (item as Row).key : (item as SqlValue),
  );
}
