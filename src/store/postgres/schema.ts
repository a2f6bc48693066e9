/** The tables and indexes of a plan's store in PostgreSQL. */
import type { Plan } from "../../plan/index.ts";
import type { PlainKind } from "../query/dialect.ts";
import { type Column, quote } from "../schema/columns.ts";
import { type Indexed, type Kept, keptBeside, type Schema, type Table } from "../schema/schema.ts";
import { isLong, TYPES } from "./dialect.ts";
import { beginningOf, INDEXED_TEXTS_MOST } from "./text.ts";

const TEXT = 'text COLLATE "C" NOT NULL';

/**
 * Tables that every store has: what is kept of it, numbers that were given, the last transaction of
 * each node, and the node that does for a time what nobody asks for.
 */
const ALWAYS: readonly string[] = [
  `CREATE TABLE meta (name ${TEXT} PRIMARY KEY, value text NOT NULL)`,
  `CREATE TABLE counters (name ${TEXT}, last bigint NOT NULL)`,
  `CREATE INDEX x_counters ON counters (${beginningOf("name")})`,
  `CREATE TABLE keys (name ${TEXT} PRIMARY KEY, last bigint NOT NULL)`,
  "CREATE TABLE writers (writer bigint PRIMARY KEY, number bigint NOT NULL, " +
    "at timestamptz NOT NULL) WITH (fillfactor = 10)",
  "CREATE TABLE lead (one boolean PRIMARY KEY, node text NOT NULL, until timestamptz NOT NULL)",
];

const BESIDE: Readonly<Record<Kept, readonly string[]>> = {
  tallies: [
    `CREATE TABLE tallies (name ${TEXT}, grp bigint NOT NULL, ` +
      "at bigint NOT NULL, amount numeric NOT NULL)",
    "CREATE INDEX x_tallies ON tallies (name, grp, at)",
  ],
  answers: [
    `CREATE TABLE answers (name ${TEXT} PRIMARY KEY, at bigint NOT NULL, content text NOT NULL)`,
    "CREATE INDEX x_answers ON answers (at)",
  ],
  events: [
    "CREATE TABLE outbox (number bigint PRIMARY KEY, " +
      "event text NOT NULL, at bigint NOT NULL, content text NOT NULL)",
  ],
  messages: [
    `CREATE TABLE messages (number bigint PRIMARY KEY, webhook ${TEXT}, ` +
      "receiver bigint NOT NULL, name text NOT NULL, body text NOT NULL, " +
      "attempts bigint NOT NULL, due bigint NOT NULL, event text NOT NULL, sent bigint NOT NULL)",
    "CREATE INDEX x_messages_receiver ON messages (webhook, receiver, due)",
    "CREATE INDEX x_messages_order ON messages (webhook, receiver, number)",
    "CREATE INDEX x_messages_due ON messages (due)",
  ],
  calls: [
    `CREATE TABLE calls (key ${TEXT} PRIMARY KEY, work ${TEXT}, call text NOT NULL, ` +
      "given text NOT NULL, rows text NOT NULL, state text NOT NULL, undoes text, " +
      "since bigint NOT NULL, due bigint NOT NULL, attempts bigint NOT NULL)",
    "CREATE INDEX x_calls_work ON calls (state, work)",
    "CREATE INDEX x_calls_state_due ON calls (state, due)",
    "CREATE INDEX x_calls_due ON calls (due) WHERE state <> 'asked'",
  ],
};

/** The type of a field's column. */
export function typeOf({ kind }: Column): string {
  return kind === "json" ? "text" : TYPES[kind];
}

function indexedAs(sql: string, kind: PlainKind): string {
  return isLong(kind) ? beginningOf(sql) : sql;
}

/** The columns of an index, as many as have a place in an entry of it. */
export function entryOf(columns: readonly Indexed[]): string {
  const last = columns.filter(({ kind }) => isLong(kind))[INDEXED_TEXTS_MOST];
  const own = last === undefined ? columns : columns.slice(0, columns.indexOf(last));
  return own.map(({ sql, kind }) => indexedAs(sql, kind)).join(", ");
}

/** Statements that make a table, its lists and its indexes. */
export function statementsOf(table: Table): readonly string[] {
  const parts = ["_key bigint PRIMARY KEY"];
  for (const column of table.columns) {
    parts.push(`${quote(column.name)} ${typeOf(column)}`);
    if (column.there !== undefined) {
      parts.push(`${quote(column.there)} smallint NOT NULL DEFAULT 0`);
    }
  }
  const made = [`CREATE TABLE ${quote(table.name)} (${parts.join(", ")})`];
  for (const [field, list] of table.lists) {
    const element = table.column.get(field)?.type.type;
    const kind = element?.kind === "list" ? element.of.type.kind : undefined;
    const held = kind === "reference" ? "reference" : "text";
    made.push(
      `CREATE TABLE ${quote(list)} (value ${TYPES[held]} NOT NULL, _key bigint NOT NULL, ` +
        "place bigint NOT NULL)",
      `CREATE INDEX ON ${quote(list)} (${indexedAs("value", held)}, _key, place)`,
    );
  }
  for (const { name, columns } of table.indexes) {
    made.push(`CREATE INDEX ${quote(name)} ON ${quote(table.name)} (${entryOf(columns)})`);
  }
  return made;
}

/** Statements that make what plans keep besides rows; of another, which has it, no more is made. */
export function besideOf(plans: readonly Plan[], had: readonly Plan[] = []): readonly string[] {
  const known = new Set(had.flatMap(keptBeside));
  const all = new Set(plans.flatMap(keptBeside));
  return [...all].filter((one) => !known.has(one)).flatMap((one) => BESIDE[one]);
}

/** Statements that make an empty store. */
export function creatingOf(plans: readonly Plan[], { tables }: Schema): readonly string[] {
  return [...ALWAYS, ...besideOf(plans), ...[...tables.values()].flatMap(statementsOf)];
}
