/** Judges the rows of a store, one by one, where a changed document says less than before. */
import type Database from "better-sqlite3";
import type { KeptChange } from "../../change/index.ts";
import type { Field, Plan } from "../../plan/index.ts";
import type { KeptJudges, KeyOf, Session, Value } from "../../run/index.ts";
import type { Schema, Table } from "../schema/schema.ts";
import { compileHeirs, type Passage } from "./inherit.ts";
import { keptRows } from "./kept-rows.ts";

/** Names of rows that a refusal says. */
const NAMED_MAX = 5;

/** Rows that do not fit a change: how many, and the first of them by name. */
class Misfits {
  readonly names: string[] = [];
  count = 0;

  add(name: string): void {
    this.count++;
    if (this.names.length < NAMED_MAX) this.names.push(name);
  }

  /** Such as `` `a`, `b` and 3 more ``. */
  get text(): string {
    const more = this.count - this.names.length;
    return `${this.names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  }
}

export type Found = Map<KeptChange, Misfits>;

type Narrower = Extract<KeptChange, { readonly relation: "narrower" }>;

/** What is narrower, by resource. */
function narrowerOf(changes: readonly KeptChange[]): ReadonlyMap<string, Narrower[]> {
  const found = new Map<string, Narrower[]>();
  for (const one of changes) {
    if (one.relation !== "narrower" || one.resource === undefined) continue;
    found.set(one.resource, [...(found.get(one.resource) ?? []), one]);
  }
  return found;
}

/** Whether the value names a row to clients, and is nobody's secret. */
function isTold(field: Field | undefined, value: Value): boolean {
  if (field === undefined || field.type.type.kind === "secret") return false;
  return typeof value === "string" || typeof value === "bigint";
}

/** A row by the key that clients know; else by the number under which it is kept. */
function nameOf(
  plan: Plan,
  resource: string,
  key: number,
  value: (field: string) => Value,
): string {
  const found = plan.resources.find((one) => one.name === resource);
  const field = found?.fields.find((one) => one.name === found.key);
  const named = field && value(field.name);
  return isTold(field, named) ? `\`${String(named)}\`` : `row ${key}`;
}

interface Side {
  readonly plan: Plan;
  readonly schema: Schema;
  readonly session: Session;
}

/**
 * Judges values and states, as the first plan reads them: what is not there is told from null. To
 * be called before the rows are taken over.
 */
export function judgeValues(
  db: Database.Database,
  passage: Passage,
  { judges, ...before }: Pick<Side, "schema" | "session"> & { readonly judges: KeptJudges },
  changes: readonly KeptChange[],
): Found {
  const found: Found = new Map();
  const { now, renames } = passage;
  const heirs = compileHeirs(passage);
  const keyOf = keysIn({ ...before, plan: passage.before });
  for (const [resource, all] of narrowerOf(changes)) {
    const table = before.schema.tables.get(renames.resource(resource));
    const state = now.machines.find((one) => one.resource === resource)?.field ?? "";
    const judged = all.flatMap((change) => {
      const { asks } = change;
      if (asks.is === "row") return [];
      if (asks.is === "state") {
        return [{ change, field: state, fits: (one: Value) => !isIn(asks.states, one) }];
      }
      const fits = judges.value(resource, asks.field, asks.rule);
      const keys = (named: string, key: number): Value => keyOf(renames.resource(named), key);
      return [{ change, field: asks.field, fits: (one: Value) => fits(one, keys) }];
    });
    if (table === undefined || judged.length === 0) continue;
    const inherit = heirs(resource);
    for (const row of keptRows(db, table)) {
      const values = inherit(row, before.session);
      for (const { change, field, fits } of judged) {
        if (fits(values.get(field))) continue;
        note(
          found,
          change,
          nameOf(now, resource, row.key, (name) => values.get(name)),
        );
      }
    }
  }
  return found;
}

const isIn = (states: readonly string[], value: Value): boolean =>
  states.some((one) => one === value);

/** Judges rows among others, when they are taken over and their indexes are there. */
export function judgeRows(
  db: Database.Database,
  {
    plan,
    schema,
    session,
    judges,
  }: Side & { readonly session: Session; readonly judges: KeptJudges },
  changes: readonly KeptChange[],
): Found {
  const found: Found = new Map();
  for (const [resource, all] of narrowerOf(changes)) {
    const table = schema.tables.get(resource) as Table;
    const judged = all.flatMap((change) =>
      change.asks.is === "row"
        ? [{ change, fits: judges.row(session, resource, change.asks.item) }]
        : [],
    );
    if (judged.length === 0) continue;
    for (const { key, values } of keptRows(db, table)) {
      const row = { resource, key, values: table.columns.map(({ field }) => values.get(field)) };
      for (const { change, fits } of judged) {
        if (fits(row)) continue;
        note(
          found,
          change,
          nameOf(plan, resource, key, (name) => values.get(name)),
        );
      }
    }
  }
  return found;
}

function note(found: Found, change: KeptChange, name: string): void {
  const misfits = found.get(change) ?? new Misfits();
  found.set(change, misfits);
  misfits.add(name);
}

function keysIn({ plan, session }: Pick<Side, "plan" | "session">): KeyOf {
  const places = new Map(
    plan.resources.map(({ name, key, fields }) => [
      name,
      fields.findIndex((one) => one.name === key),
    ]),
  );
  return (resource, key) => session.get(resource, key)?.values[places.get(resource) ?? -1];
}
