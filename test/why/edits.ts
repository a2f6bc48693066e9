/** Other values in rows that are kept: what an earlier version of a document may have let in. */
import { type Plan, withClocks } from "../../src/plan/index.ts";
import type { Row, Session, Value } from "../../src/run/index.ts";

/** A value that stands in a row instead of its own. */
export interface Edit {
  readonly resource: string;
  readonly key: number;
  /** Place of the field. */
  readonly place: number;
  readonly value: Value;
}

/** Values of one field in one row, or in all rows at once. */
export interface RowChange {
  readonly what: string;
  readonly edits: readonly Edit[];
}

type Field = Plan["resources"][number]["fields"][number];

const OTHERS_MAX = 2;
/** How the name of a change ends that all rows of a resource have in common. */
export const OF_ALL = " of all";
/** A moment ago, and soon, in microseconds. */
const MOMENT = 1_000_000n;

function statesOf(plan: Plan, resource: string): readonly string[] {
  const machine = plan.machines.find((one) => one.resource === resource);
  return machine?.states.map(({ name }) => name) ?? [];
}

/** Values of the field's type besides those that rows have. */
function ofType({ type: { type, orNull } }: Field, own: Value, now: bigint): Value[] {
  const none = orNull ? [null] : [];
  if (typeof own === "boolean") return [!own, ...none];
  if (type.kind === "timestamp") return [now - MOMENT, now + MOMENT, ...none];
  if (typeof own === "bigint") return [0n, -own - 1n, own * 1_000n, ...none];
  if (type.kind === "one of") return [...type.values, ...none];
  return none;
}

/** Puts the values into the rows. */
export function edit(session: Session, edits: readonly Edit[]): void {
  for (const { resource, key, place, value } of edits) {
    const row = session.get(resource, key);
    if (row !== undefined) session.update(resource, key, row.values.with(place, value));
  }
}

/** Changes of the first rows of each resource, and of the last. */
export function changesOf(plan: Plan, session: Session, now: bigint): RowChange[] {
  const clocked = new Map(withClocks(plan).resources.map((one) => [one.name, one.fields]));
  return plan.resources.flatMap(({ name }) => {
    const rows = session.all(name);
    const some = [...new Set([rows[0], rows.at(-1)])].filter((one) => one !== undefined);
    return (clocked.get(name) ?? []).flatMap((field, place): RowChange[] => {
      const what = `${name}.${field.name}`;
      const isTime = field.type.type.kind === "timestamp";
      const past = rows.map(({ key }) => ({ resource: name, key, place, value: now - MOMENT }));
      const each = some.flatMap((row) =>
        valuesFor(plan, { field, place, row, rows, now }).map((value) => ({
          what,
          edits: [{ resource: name, key: row.key, place, value }],
        })),
      );
      return isTime && past.length > 1 ? [...each, { what: what + OF_ALL, edits: past }] : each;
    });
  });
}

interface At {
  readonly field: Field;
  readonly place: number;
  readonly row: Row;
  readonly rows: readonly Row[];
  readonly now: bigint;
}

function valuesFor(plan: Plan, { field, place, row, rows, now }: At): Value[] {
  const own = row.values[place] ?? null;
  const others = rows.map((one) => one.values[place] ?? null).slice(-OTHERS_MAX);
  const states = field.type.type.kind === "state" ? statesOf(plan, row.resource) : [];
  const all = [...states, ...ofType(field, own, now), ...others];
  return [...new Set(all)].filter((one) => one !== own);
}
