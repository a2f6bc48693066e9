/** The tables, columns and indexes that a plan is stored in; a function of the plan alone. */
import {
  codePartsOf,
  indexesOf,
  isStated,
  lowered,
  MARK,
  type Plan,
  type Resource,
  unlowered,
  type Wish,
} from "../../plan/index.ts";
import { type Column, columnsOf, type PlainKind, quote, SQL_TYPES } from "./columns.ts";
import { listFieldsOf } from "./list-fields.ts";
import { CALL_TABLE, EVENT_TABLE, MESSAGE_TABLE } from "./tables.ts";

/** A column of an index: its SQL, which may be an expression. */
export interface Indexed {
  readonly sql: string;
  readonly kind: PlainKind;
}

export interface Table {
  readonly resource: string;
  readonly name: string;
  readonly columns: readonly Column[];
  readonly column: ReadonlyMap<string, Column>;
  /** Side tables of list items, by field: (value, _key, place), for `in`. */
  readonly lists: ReadonlyMap<string, string>;
  /** Fields whose value names at most one row; `lowered` ones, whose value in lower case does. */
  readonly single: ReadonlySet<string>;
  readonly indexes: readonly { readonly name: string; readonly columns: readonly Indexed[] }[];
}

export interface Schema {
  readonly tables: ReadonlyMap<string, Table>;
  /** Statements that make an empty store. */
  readonly statements: readonly string[];
}

/** Version of the way in which plans are stored. */
export const STORAGE_FORMAT = 4;
/** Formats that are read. Format 3 keeps rows as 4 does, beside a plan of format 1. */
export const STORAGE_FORMATS_READ = [3, STORAGE_FORMAT] as const;

function singleFields(resource: Resource): ReadonlySet<string> {
  const single = new Set<string>();
  if (resource.key !== undefined) single.add(resource.key);
  for (const field of resource.fields) {
    for (const rule of field.rules) {
      if (rule.kind === "unique" && rule.within.length === 0) single.add(field.name);
      if (rule.kind === "unique" && rule.within.length === 0 && rule.anyCase) {
        single.add(lowered(field.name));
      }
      if (rule.kind === "counts up" && rule.within.length === 0 && !rule.onEveryChange) {
        single.add(field.name);
      }
    }
  }
  return single;
}

/** Columns of an index from names of fields: unknown ones and lists of a kind without order go. */
function indexColumns(wish: Wish, column: ReadonlyMap<string, Column>): readonly Indexed[] {
  const all: Indexed[] = [];
  for (const field of wish.fields) {
    const inLower = unlowered(field);
    const found = column.get(inLower ?? field);
    if (found === undefined || found.kind === "json") break;
    const sql = inLower === undefined ? quote(found.name) : `lower(${quote(found.name)})`;
    if (!all.some((one) => one.sql === sql)) all.push({ sql, kind: found.kind });
  }
  return all;
}

/** Leaves out an index whose columns are the beginning of another's. */
function withoutPrefixes(wanted: readonly (readonly Indexed[])[]): readonly (readonly Indexed[])[] {
  const all = [...new Map(wanted.map((one) => [JSON.stringify(one), one])).values()];
  return all.filter(
    (one) =>
      one.length > 0 &&
      !all.some(
        (other) => other.length > one.length && one.every(({ sql }, i) => other[i]?.sql === sql),
      ),
  );
}

const LIST_KINDS = new Set([
  "string",
  "one of",
  "id",
  "email",
  "uri",
  "uuid",
  "date",
  "reference",
  "event name",
  "error name",
  "state",
  "time zone",
]);

/** Whether a column holds a list whose items have a side table: never null, text or references. */
function isSearchable(column: Column | undefined): boolean {
  const type = column?.type;
  return (
    type?.type.kind === "list" &&
    LIST_KINDS.has(type.type.of.type.kind) &&
    !type.type.of.orNull &&
    !type.orNull &&
    !type.orAbsent
  );
}

function tableOf(
  plan: Plan,
  resource: Resource,
  wishes: readonly Wish[],
  listFields: ReadonlySet<string>,
): Table {
  const columns = columnsOf(plan, resource.fields);
  const column = new Map(columns.map((one) => [one.field, one]));
  const name = `r_${resource.name}`;
  const wanted = withoutPrefixes(wishes.map((wish) => indexColumns(wish, column)));
  const lists = new Map<string, string>();
  for (const field of listFields) {
    if (isSearchable(column.get(field))) lists.set(field, `l_${resource.name}_${field}`);
  }
  return {
    resource: resource.name,
    name,
    columns,
    column,
    lists,
    single: singleFields(resource),
    indexes: wanted.map((one, i) => ({ name: `x_${resource.name}_${i + 1}`, columns: one })),
  };
}

/** Statements that make a table, its lists and its indexes. */
export function statementsOf(table: Table): readonly string[] {
  const parts = ["_key INTEGER PRIMARY KEY AUTOINCREMENT"];
  for (const column of table.columns) {
    parts.push(`${quote(column.name)} ${SQL_TYPES[column.kind]}`);
    if (column.there !== undefined) parts.push(`${quote(column.there)} INTEGER NOT NULL DEFAULT 0`);
  }
  const made = [`CREATE TABLE ${quote(table.name)} (${parts.join(", ")}) STRICT`];
  for (const [field, list] of table.lists) {
    const element = table.column.get(field)?.type.type;
    const kind = element?.kind === "list" ? element.of.type.kind : undefined;
    const sqlType = kind === "reference" ? "INTEGER" : "TEXT";
    made.push(
      `CREATE TABLE ${quote(list)} (value ${sqlType} NOT NULL, _key INTEGER NOT NULL, ` +
        "place INTEGER NOT NULL, PRIMARY KEY (value, _key, place)) STRICT, WITHOUT ROWID",
    );
  }
  for (const index of table.indexes) {
    made.push(
      `CREATE INDEX ${quote(index.name)} ON ${quote(table.name)} ` +
        `(${index.columns.map(({ sql }) => sql).join(", ")})`,
    );
  }
  return made;
}

/** What a store may keep besides rows and counters. */
export type Kept = "tallies" | "answers" | "events" | "messages" | "calls";

/** What the store of a plan keeps besides rows and counters. */
export function keptBeside(plan: Plan): readonly Kept[] {
  const isMarked = plan.resources.some((one) => one.fields.some(({ name }) => name === MARK));
  const mayLackRows = plan.resources.some((one) => isStated(one.startRows));
  const isCounted = plan.limits.some(({ counts: { is } }) => is === "sum" || is === "requests");
  const kept: Readonly<Record<Kept, boolean>> = {
    tallies: isMarked || mayLackRows || isCounted,
    answers: plan.endpoints.some((one) => one.idempotency !== undefined),
    events: plan.events.length > 0,
    messages: plan.webhooks.length > 0,
    calls: plan.calls.length > 0,
  };
  return (Object.keys(kept) as Kept[]).filter((one) => kept[one]);
}

/** Statements that make the tables which belong to no resource. */
const OTHERS: Readonly<Record<Kept, readonly string[]>> = {
  tallies: [
    "CREATE TABLE tallies (name TEXT NOT NULL, grp INTEGER NOT NULL, " +
      "at INTEGER NOT NULL, amount TEXT NOT NULL) STRICT",
    "CREATE INDEX x_tallies ON tallies (name, grp, at)",
  ],
  answers: [
    "CREATE TABLE answers (name TEXT PRIMARY KEY, at INTEGER NOT NULL, " +
      "content TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE INDEX x_answers ON answers (at)",
  ],
  events: [EVENT_TABLE],
  messages: MESSAGE_TABLE,
  calls: CALL_TABLE,
};

interface SchemaOptions {
  /** Who only reads a store needs no indexes. Default: with them. */
  readonly indexed?: boolean;
  /** Plans of older documents that use the same rows. Default: none. */
  readonly beside?: readonly Plan[] | undefined;
}

/** The schema of a plan's store. Total for every plan. */
export function schemaOf(plan: Plan, { indexed = true, beside = [] }: SchemaOptions = {}): Schema {
  const parts = codePartsOf(plan);
  const wanted = [plan, ...beside].flatMap((one) =>
    indexed ? indexesOf(one, one === plan ? parts : codePartsOf(one)) : [],
  );
  const wishes = Map.groupBy(wanted, (one) => one.resource);
  const lists = listFieldsOf(parts);
  const tables = new Map<string, Table>();
  const statements = [
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE counters (name TEXT PRIMARY KEY, last INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    ...new Set([plan, ...beside].flatMap((one) => keptBeside(one).flatMap((name) => OTHERS[name]))),
  ];
  for (const resource of plan.resources) {
    const table = tableOf(
      plan,
      resource,
      wishes.get(resource.name) ?? [],
      lists.get(resource.name) ?? new Set(),
    );
    tables.set(resource.name, table);
    statements.push(...statementsOf(table));
  }
  return { tables, statements };
}
