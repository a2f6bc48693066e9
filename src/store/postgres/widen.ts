/**
 * Makes the tables of one document those of a wider one, beside which the one before is served on:
 * nodes change to it one after the other.
 */
import { createHash } from "node:crypto";
import { disagreements, keptChanges } from "../../change/index.ts";
import { type Field, type Plan, withClocks } from "../../plan/index.ts";
import type { Value } from "../../run/index.ts";
import { type Column, quote } from "../schema/columns.ts";
import { schemaOf, type Table } from "../schema/schema.ts";
import { besideOf, entryOf, statementsOf, typeOf } from "./schema.ts";
import { writtenAs } from "./written.ts";

/** What rows that are there have in a field that is new. */
type FirstValue = (field: Field) => Value;

/** What is to be done so that the tables are those of the wider document, or why it is not. */
type Widening =
  | { readonly is: "apart"; readonly why: readonly string[] }
  | {
      readonly is: "beside";
      readonly statements: readonly string[];
      /** Resources that are new. */
      readonly added: readonly string[];
      /** What is new, in words. */
      readonly said: readonly string[];
    };

function literal(text: string | null): string {
  return text === null ? "NULL" : `'${text.replaceAll("'", "''")}'`;
}

function addColumn(table: Table, column: Column, value: Value): string[] {
  const to = `ALTER TABLE ${quote(table.name)} ADD COLUMN`;
  const first = literal(writtenAs(column, value));
  const made = [`${to} ${quote(column.name)} ${typeOf(column)} DEFAULT ${first}`];
  if (column.there !== undefined) {
    const isThere = value === undefined ? 0 : 1;
    made.push(`${to} ${quote(column.there)} smallint NOT NULL DEFAULT ${isThere}`);
  }
  return made;
}

/** A table that both have: what it lacks, or why the two cannot have it. */
function grown(
  { before, now }: { readonly before: Table; readonly now: Table },
  fields: readonly Field[],
  first: FirstValue,
): readonly string[] | string {
  const made: string[] = [];
  for (const column of now.columns) {
    const old = before.column.get(column.field);
    const field = fields.find(({ name }) => name === column.field);
    if (old === undefined) {
      if (field !== undefined) made.push(...addColumn(now, column, first(field)));
    } else if (old.name !== column.name || old.kind !== column.kind || old.there !== column.there) {
      return `\`${now.resource}.${column.field}\` would be kept otherwise.`;
    }
  }
  for (const [field, list] of now.lists) {
    if (before.lists.has(field)) continue;
    if (before.column.has(field)) {
      return `The items of \`${now.resource}.${field}\` would be kept apart for searching.`;
    }
    made.push(
      ...statementsOf({ ...now, columns: [], indexes: [], lists: new Map([[field, list]]) }).slice(
        1,
      ),
    );
  }
  const known = new Set(before.indexes.map(({ columns }) => entryOf(columns)));
  for (const { columns } of now.indexes) {
    const entry = entryOf(columns);
    if (known.has(entry)) continue;
    // Numbers of the one before may stand for other columns.
    const name = `x_${createHash("sha256").update(`${now.name} ${entry}`).digest("hex")}`;
    const short = quote(name.slice(0, 20));
    made.push(`CREATE INDEX IF NOT EXISTS ${short} ON ${quote(now.name)} (${entry})`);
  }
  return made;
}

/** Whether the second document can be served beside the first, and what its tables need. */
export function widening(before: Plan, now: Plan, first: FirstValue): Widening {
  const apart = disagreements(before, now).map(({ text }) => text);
  if (apart.length > 0) return { is: "apart", why: apart };
  const [old, own] = [withClocks(before), withClocks(now)];
  const [was, is] = [schemaOf(old), schemaOf(own)];
  const statements = [...besideOf([own], [old])];
  const added: string[] = [];
  for (const table of is.tables.values()) {
    const known = was.tables.get(table.resource);
    if (known === undefined) {
      added.push(table.resource);
      statements.push(...statementsOf(table));
      continue;
    }
    const fields = own.resources.find(({ name }) => name === table.resource)?.fields ?? [];
    const made = grown({ before: known, now: table }, fields, first);
    if (typeof made === "string") return { is: "apart", why: [made] };
    statements.push(...made);
  }
  return {
    is: "beside",
    statements,
    added,
    said: keptChanges(before, now).map(({ text }) => text),
  };
}
