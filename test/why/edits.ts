/** Other values in rows that are kept: what an earlier version of a document may have let in. */
import { clockField, hasClock, type Plan, withClocks } from "../../src/plan/index.ts";
import type { Row, Session, Value } from "../../src/run/index.ts";

/** A value that stands in a row instead of its own. */
export interface Edit {
  readonly resource: string;
  readonly key: number;
  /** Place of the field. */
  readonly place: number;
  readonly value: Value;
}

/** So many further rows as one is, each with a key of its own. */
export interface Copies {
  readonly resource: string;
  readonly key: number;
  /** Place of the field that the rows are named by. */
  readonly place: number;
  readonly count: number;
}

/** Values of one field in one row, or in all rows at once; or more rows. */
export interface RowChange {
  readonly what: string;
  readonly edits: readonly Edit[];
  readonly copies?: readonly Copies[];
  /** Something falls due by it: whoever looks at the row may meet what that does. */
  readonly isDue: boolean;
}

type Field = Plan["resources"][number]["fields"][number];

const OTHERS_MAX = 2;
const COPIES_MAX = 120;
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
export function edit(
  session: Session,
  { edits, copies = [] }: Pick<RowChange, "edits" | "copies">,
): void {
  for (const { resource, key, place, value } of edits) {
    const row = session.get(resource, key);
    if (row !== undefined) session.update(resource, key, row.values.with(place, value));
  }
  for (const { resource, key, place, count } of copies) {
    const row = session.get(resource, key);
    const name = row?.values[place] ?? null;
    for (let i = 0; row !== undefined && i < count; i++) {
      session.insert(resource, row.values.with(place, keyLike(name, i)));
    }
  }
}

/** A key as another row of the resource may have it. */
function keyLike(name: Value, i: number): Value {
  if (typeof name === "bigint") return name + BigInt(i + 1) * 1_000_003n;
  const digits = String(i).padStart(4, "0");
  return typeof name === "string" ? name.slice(0, -digits.length) + digits : name;
}

/** Bounds that a count of rows may have, as the document writes them. */
function boundsIn(plan: Plan): readonly number[] {
  const found = [...JSON.stringify(plan).matchAll(/"value":"(\d{1,3})"/g)];
  const numbers = found.map(([, digits]) => Number(digits));
  return [...new Set(numbers)].filter((one) => one > 1 && one <= COPIES_MAX).sort((a, b) => a - b);
}

/** As many rows of each resource as a bound of the document, and one less. */
export function manyOf(plan: Plan, session: Session): RowChange[] {
  const bounds = boundsIn(plan);
  return plan.resources.flatMap(({ name, key, fields }) => {
    const place = fields.findIndex((field) => field.name === key);
    const rows = session.all(name);
    const last = rows.at(-1);
    if (last === undefined || place < 0) return [];
    const counts = bounds.flatMap((one) => [one - 1 - rows.length, one - rows.length]);
    return [...new Set(counts)]
      .filter((count) => count > 0)
      .map((count) => ({
        what: `${name} ${count + rows.length} times`,
        edits: [],
        copies: [{ resource: name, key: last.key, place, count }],
        isDue: false,
      }));
  });
}

/** Rows that are in a state of which one is left on time, at that time; each field of them, too. */
export function dueOf(plan: Plan, session: Session, now: bigint): RowChange[] {
  const { resources } = withClocks(plan);
  return plan.machines.flatMap(({ resource, field, transitions }) => {
    const fields = resources.find(({ name }) => name === resource)?.fields ?? [];
    const placeOf = (name: string): number => fields.findIndex((one) => one.name === name);
    const rows = session.all(resource);
    const [first] = rows;
    const last = rows.at(-1);
    if (first === undefined || last === undefined) return [];
    const key = resources.find(({ name }) => name === resource)?.key ?? "";
    const twice = [{ resource, key: last.key, place: placeOf(key), count: 1 }];
    return transitions.flatMap((one): RowChange[] => {
      const { on, from } = one;
      const time = on.is === "time" ? on.field : hasClock(one) ? clockField(one) : undefined;
      if (time === undefined) return [];
      return from.flatMap((state) => {
        const due = ({ key }: Row, value = now - MOMENT): Edit[] => [
          { resource, key, place: placeOf(field), value: state },
          { resource, key, place: placeOf(time), value },
        ];
        const what = `${resource} due to ${one.name} from ${state}`;
        const made = (more: string, edits: readonly Edit[]): RowChange => {
          return { what: what + more, edits, isDue: true };
        };
        const others = fields.flatMap((each, place) => {
          if (each.name === field || each.name === time) return [];
          return valuesFor(plan, { field: each, place, row: last, rows, now }).map((value) =>
            made(`, ${each.name}`, [...due(last), { resource, key: last.key, place, value }]),
          );
        });
        return [
          made(
            ", all",
            rows.flatMap((row) => due(row)),
          ),
          made(
            ", all in turn",
            rows.flatMap((row, i) => due(row, now - MOMENT - BigInt(i))),
          ),
          made("", due(last)),
          { ...made(", twice", due(last)), copies: twice },
          made(", the first", due(first)),
          ...others,
        ];
      });
    });
  });
}

/** Changes of the first rows of each resource, and of the last. */
export function changesOf(plan: Plan, session: Session, now: bigint): RowChange[] {
  const clocked = new Map(withClocks(plan).resources.map((one) => [one.name, one.fields]));
  return plan.resources.flatMap(({ name }) => {
    const rows = session.all(name);
    const some = [...new Set([rows[0], rows.at(-1)])].filter((one) => one !== undefined);
    return (clocked.get(name) ?? []).flatMap((field, place): RowChange[] => {
      const what = `${name}.${field.name}`;
      return some.flatMap((row) =>
        valuesFor(plan, { field, place, row, rows, now }).map((value) => ({
          what,
          edits: [{ resource: name, key: row.key, place, value }],
          isDue: false,
        })),
      );
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
