/** The session of a PostgreSQL connection: rows in and out, queries as prepared statements. */
import type { Having, Query, Row, Session, Slice, Value } from "../../run/index.ts";
import type { Bindable } from "../query/dialect.ts";
import { NotBound } from "../query/lowering.ts";
import { readColumn, rowColumns, type Selected, selectOf } from "../query/select.ts";
import { type Column, quote, type SqlValue } from "../schema/columns.ts";
import type { Schema, Table } from "../schema/schema.ts";
import { changeOf, ofKeys, stayingOf } from "./changes.ts";
import { PgAnswers, PgCounters } from "./counters.ts";
import { Dependence, type Depends } from "./depends.ts";
import { isBeyond, POSTGRES, widened } from "./dialect.ts";
import { PgCalls, PgEvents, PgMessages } from "./outbox.ts";
import { beginningOf, fromKept, toKept } from "./text.ts";
import type { PgTransaction } from "./transaction.ts";
import type { Held, HeldRow } from "./wire.ts";
import { writtenAs } from "./written.ts";

const NO_LIMIT = 2n ** 63n - 1n;

/** What a column of a kind gives, as columns read it. */
function readAs(kind: Column["kind"], held: Held): SqlValue {
  if (held === null) return null;
  if (kind === "boolean") return held === "t" ? 1 : 0;
  if (kind === "integer") return BigInt(held);
  return kind === "number" || kind === "reference" ? Number(held) : fromKept(held);
}

function sentAs(value: SqlValue): Held {
  return value === null ? null : String(value);
}

/** The names of a table's columns, with those that tell what is absent. */
function columnNames({ columns }: Table): readonly string[] {
  return columns.flatMap(({ name, there }) => (there === undefined ? [name] : [name, there]));
}

/** The statements of one table. */
interface TableSql {
  readonly get: string;
  readonly getMany: string;
  readonly all: string;
  readonly after: string;
  readonly insert: string;
  readonly update: string;
  readonly remove: string;
}

function sqlOf(table: Table): TableSql {
  const name = quote(table.name);
  const select = `SELECT ${rowColumns(table, "t")} FROM ${name} t`;
  const columns = columnNames(table);
  const names = ["_key", ...columns.map(quote)].join(", ");
  const marks = ["$1::bigint", ...columns.map((_, i) => `$${i + 2}`)].join(", ");
  const changes = columns.map((one, i) => `${quote(one)} = $${i + 2}`).join(", ");
  return {
    get: `${select} WHERE t._key = $1::bigint`,
    getMany: `${select} WHERE t._key = ANY($1::bigint[])`,
    all: `${select} ORDER BY t._key`,
    after: `${select} WHERE t._key > $1::bigint ORDER BY t._key LIMIT $2::bigint`,
    insert: `INSERT INTO ${name} (${names}) VALUES (${marks})`,
    update: columns.length === 0 ? "" : `UPDATE ${name} SET ${changes} WHERE _key = $1::bigint`,
    remove: `DELETE FROM ${name} WHERE _key = $1::bigint`,
  };
}

/** A statement with its values, and on what its answer depends. */
interface Bound {
  readonly sql: string;
  readonly values: readonly Held[];
  readonly depends: Depends | undefined;
}

/** A session on one connection. */
export class PgSession implements Session {
  readonly #tx: PgTransaction;
  readonly #schema: Schema;
  readonly #tables = new Map<string, TableSql>();
  readonly #queries: (Selected | null | undefined)[] = [];
  readonly #dependence: Dependence;
  readonly counters: PgCounters;
  readonly answers: PgAnswers;
  readonly messages: PgMessages;
  readonly events: PgEvents;
  readonly calls: PgCalls;

  constructor(tx: PgTransaction, schema: Schema) {
    this.#tx = tx;
    this.#schema = schema;
    this.#dependence = new Dependence(schema.tables);
    this.counters = new PgCounters(tx);
    this.answers = new PgAnswers(tx);
    this.messages = new PgMessages(tx);
    this.events = new PgEvents(tx);
    this.calls = new PgCalls(tx);
  }

  #table(resource: string): Table {
    const table = this.#schema.tables.get(resource);
    if (table === undefined) throw new Error(`the store has no table for ${resource}`);
    return table;
  }

  #sql(table: Table): TableSql {
    const known = this.#tables.get(table.resource);
    if (known !== undefined) return known;
    const made = sqlOf(table);
    this.#tables.set(table.resource, made);
    return made;
  }

  #row(table: Table, held: HeldRow): Row {
    const values: Value[] = [];
    let at = 1;
    for (const column of table.columns) {
      const read = [readAs(column.kind, held[at] ?? null), held[at + 1]];
      values.push(readColumn(column, read, 0) as Value);
      at += column.there === undefined ? 1 : 2;
    }
    return { resource: table.resource, key: Number(held[0]), values };
  }

  get(resource: string, key: number): Row | undefined {
    return this.#rows(resource, ({ get }) => get, [String(key)], [key])[0];
  }

  getMany(resource: string, keys: readonly number[]): readonly Row[] {
    return this.#rows(resource, ({ getMany }) => getMany, [`{${keys.join(",")}}`], keys);
  }

  all(resource: string, having?: Having): readonly Row[] {
    const rows = this.#rows(resource, ({ all }) => all, []);
    if (having === undefined) return rows;
    return rows.filter(({ values }) => values[having.place] === having.text);
  }

  after(resource: string, key: number, most: number): readonly Row[] {
    return this.#rows(resource, ({ after }) => after, [String(key), String(most)]);
  }

  /** `keys`: of the rows that it gives at most. Default: of any. */
  #rows(
    resource: string,
    of: (sql: TableSql) => string,
    values: readonly Held[],
    keys?: readonly number[],
  ): readonly Row[] {
    const table = this.#table(resource);
    const depends = { table: table.name, givesRows: true, ...(keys && ofKeys(keys)) };
    const found = this.#tx.ask(of(this.#sql(table)), values, depends);
    return found.map((held) => this.#row(table, held));
  }

  #query(query: Query): Selected | null {
    const known = this.#queries[query.id];
    if (known !== undefined) return known;
    const made = selectOf(this.#schema, query, POSTGRES) ?? null;
    this.#queries[query.id] = made;
    return made;
  }

  able(query: Query): boolean {
    return this.#query(query) !== null;
  }

  /** The statement with its values; undefined: one of them cannot be bound exactly. */
  #bound(query: Query, bindable: Bindable, args: readonly Value[]): Bound | undefined {
    const bound = valuesOf(bindable, args);
    return bound && { ...bound, depends: this.#depends(query, bindable, args) };
  }

  #depends(query: Query, bindable: Bindable, args: readonly Value[]): Depends | undefined {
    const depends = this.#dependence.of(query, args);
    const { without } = this.#dependence.reach(query);
    if (depends?.without === undefined || without === undefined) return depends;
    if (!this.#tx.sequences.isUnsent(depends.table, depends.without)) return depends;
    // No row has the key yet when it is asked ahead, nor will it be this one.
    const others = args.with(without, { resource: query.resource, key: 0, values: [] });
    return { ...depends, values: valuesOf(bindable, others)?.values ?? [] };
  }

  #run(query: Query, args: readonly Value[], slice?: Slice): readonly HeldRow[] | undefined {
    const made = this.#query(query);
    const bound = made === null ? undefined : this.#bound(query, made.rows, args);
    if (made === null || bound === undefined) return undefined;
    const { limit = NO_LIMIT, offset = 0n } = slice ?? {};
    if (offset > NO_LIMIT) return [];
    const most = limit > NO_LIMIT ? NO_LIMIT : limit;
    const sliced = [String(most), String(offset)];
    const isFromFirst = offset === 0n;
    const behind = isFromFirst ? this.#dependence.behind(query, args, Number(limit)) : undefined;
    const depends = bound.depends && {
      ...bound.depends,
      givesRows: query.columns === undefined,
      ...(isFromFirst && { isRows: true as const }),
      ...(behind && { behind, ...(this.#isOfNew(query, args) && { atFirst: [] }) }),
      ...(bound.depends.values && { values: [...bound.depends.values, ...sliced] }),
    };
    return this.#tx.ask(bound.sql, [...bound.values, ...sliced], depends);
  }

  /** Whether it asks for rows that refer to one that is new: none was there before it. */
  #isOfNew(query: Query, args: readonly Value[]): boolean {
    return this.#dependence
      .rowsOf(query, args)
      .some(({ resource, key }) => this.#tx.sequences.isNew(this.#table(resource).name, key));
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
    const kinds = this.#query(query)?.kinds ?? [];
    const found = this.#run(query, args, slice);
    if (found === undefined) return undefined;
    const value = (kind: Column["kind"], held: Held): Value =>
      kind === "boolean" && held !== null ? held === "t" : (readAs(kind, held) as Value);
    return new Map(
      found.map(([key = null, ...held]) => [
        Number(key),
        held.map((one, i) => value(kinds[i] ?? "text", one)),
      ]),
    );
  }

  count(query: Query, args: readonly Value[]): bigint | undefined {
    const made = this.#query(query);
    const bound = made === null ? undefined : this.#bound(query, made.count, args);
    if (bound === undefined) return undefined;
    return BigInt(this.#tx.ask(bound.sql, bound.values, bound.depends)[0]?.[0] ?? 0);
  }

  exists(query: Query, args: readonly Value[]): boolean | undefined {
    const made = this.#query(query);
    const bound = made === null ? undefined : this.#bound(query, made.exists, args);
    if (bound === undefined) return undefined;
    return this.#tx.ask(bound.sql, bound.values, bound.depends).length > 0;
  }

  differentItems(resource: string, field: string): readonly Value[] | undefined {
    const table = this.#table(resource);
    const side = table.lists.get(field);
    const element = table.column.get(field)?.type.type;
    if (side === undefined || element?.kind !== "list") return undefined;
    const kind = element.of.type.kind === "reference" ? "reference" : "text";
    const by = kind === "text" ? `${beginningOf("value")}, value` : "value";
    const found = this.#tx.ask(
      `SELECT value FROM (SELECT DISTINCT ON (${by}) value, _key, place ` +
        `FROM ${quote(side)} ORDER BY ${by}, _key, place) d ORDER BY _key, place`,
    );
    return found.map(([value = null]) => readAs(kind, value) as Value);
  }

  filled(): ReadonlySet<string> {
    const taken = this.#tx.sequences.taken();
    const tables = [...this.#schema.tables.values()];
    return new Set(tables.filter(({ name }) => taken.has(name)).map(({ resource }) => resource));
  }

  /** What the columns of a row hold, absent ones marked. */
  #held(table: Table, values: readonly Value[]): Held[] {
    const held: Held[] = [];
    for (const column of table.columns) {
      const value = values[column.index];
      held.push(writtenAs(column, value));
      if (column.there !== undefined) held.push(value === undefined ? "0" : "1");
    }
    return held;
  }

  insert(resource: string, values: readonly Value[]): number {
    const table = this.#table(resource);
    const held = this.#held(table, values);
    const key = this.#tx.sequences.take(table.name);
    const change = { ...changeOf(table, key, values, held), was: undefined };
    this.#tx.write(this.#sql(table).insert, [String(key), ...held], change);
    this.#addItems(table, key, values);
    return key;
  }

  #addItems(table: Table, key: number, values: readonly Value[]): void {
    for (const [field, side] of table.lists) {
      const column = table.column.get(field) as Column;
      itemsOf(values[column.index]).forEach((item, place) => {
        this.#tx.write(
          `INSERT INTO ${quote(side)} (value, _key, place) VALUES ($1, $2::bigint, $3::bigint)`,
          [item, String(key), String(place)],
          { table: side },
        );
      });
    }
  }

  #dropItems(table: Table, key: number): void {
    if (table.lists.size === 0) return;
    const row = this.get(table.resource, key);
    if (row === undefined) return;
    for (const [field, side] of table.lists) {
      const column = table.column.get(field) as Column;
      const element = column.type.type.kind === "list" ? column.type.type.of.type.kind : undefined;
      const is =
        element === "reference"
          ? "value = $1"
          : `${beginningOf("value")} = ${beginningOf("$1::text")} AND value = $1`;
      itemsOf(row.values[column.index]).forEach((item, place) => {
        this.#tx.write(
          `DELETE FROM ${quote(side)} WHERE ${is} AND _key = $2::bigint AND place = $3::bigint`,
          [item, String(key), String(place)],
          { table: side },
        );
      });
    }
  }

  update(resource: string, key: number, values: readonly Value[]): void {
    const table = this.#table(resource);
    const { update } = this.#sql(table);
    this.#dropItems(table, key);
    const held = this.#held(table, values);
    const before = this.#tx.foreseenRow(table.name, key);
    const known = before && this.#row(table, before).values;
    const change = stayingOf(table, changeOf(table, key, values, held), known);
    if (update !== "") this.#tx.write(update, [String(key), ...held], change);
    this.#addItems(table, key, values);
  }

  delete(resource: string, key: number): void {
    const table = this.#table(resource);
    this.#dropItems(table, key);
    this.#tx.write(this.#sql(table).remove, [String(key)], { table: table.name, key });
  }

  savepoint(): void {
    this.#tx.savepoint();
  }

  release(): void {
    this.#tx.release();
  }

  rollback(): void {
    this.#tx.rollback();
  }
}

/** Undefined: one of them cannot be bound exactly. */
function valuesOf(
  { sql, binders }: Bindable,
  args: readonly Value[],
): { readonly sql: string; readonly values: readonly Held[] } | undefined {
  try {
    const values = binders.map((bind) => bind(args));
    const wide = values.flatMap((one, i) => (isBeyond(one) ? [i + 1] : []));
    return { sql: wide.reduce(widened, sql), values: values.map(sentAs) };
  } catch (error) {
    if (error instanceof NotBound || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Items of a list as its side table holds them: texts, or keys of rows. */
function itemsOf(list: Value): readonly string[] {
  if (!Array.isArray(list)) return [];
  return (list as readonly Value[]).map((item) => {
    if (typeof item === "string") return toKept(item);
    return String(typeof item === "object" && item !== null ? (item as Row).key : item);
  });
}
