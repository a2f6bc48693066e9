/** Rows that have to do with each other: one refers to the other, or both to the same row. */
import type { Plan } from "../../plan/index.ts";
import type { Row } from "../../run/index.ts";
import type { Making } from "./making.ts";

/** A place of a row that holds the hidden key of a row of another resource. */
interface Referring {
  readonly place: number;
  readonly resource: string;
}

const NONE: readonly Referring[] = [];
const known = new WeakMap<Plan, ReadonlyMap<string, readonly Referring[]>>();

/** The places of references of each resource; rows are compared often. */
function referringOf(plan: Plan): ReadonlyMap<string, readonly Referring[]> {
  const found =
    known.get(plan) ??
    new Map(
      plan.resources.map(({ name, fields }) => [
        name,
        fields.flatMap(({ type: { type } }, place) =>
          type.kind === "reference" ? [{ place, resource: type.resource }] : [],
        ),
      ]),
    );
  known.set(plan, found);
  return found;
}

/** Whether they have a row in common that one of them is, or that both refer to. */
export function isKin(plan: Plan, one: Row, other: Row): boolean {
  const places = referringOf(plan);
  const [own, others] = [places.get(one.resource) ?? NONE, places.get(other.resource) ?? NONE];
  const refersTo = ({ resource, place }: Referring, from: Row, to: Row): boolean =>
    resource === to.resource && Number(from.values[place] ?? Number.NaN) === to.key;
  if (one.resource === other.resource && one.key === other.key) return true;
  if (own.some((each) => refersTo(each, one, other))) return true;
  if (others.some((each) => refersTo(each, other, one))) return true;
  return own.some(({ resource, place }) => {
    const key = Number(one.values[place] ?? Number.NaN);
    return others.some(
      (each) =>
        each.resource === resource && Number(other.values[each.place] ?? Number.NaN) === key,
    );
  });
}

/** Of references to rows that refer to others: so many in a row are followed. */
const STEPS = 3;

/** The rows, and those that they refer to, and these in turn. */
export function referredBy(
  { plan, world }: Pick<Making, "plan" | "world">,
  rows: readonly Row[],
): readonly Row[] {
  const places = referringOf(plan);
  const all = new Map(rows.map((row) => [`${row.resource} ${row.key}`, row]));
  let last = rows;
  for (let i = 0; i < STEPS && last.length > 0; i++) {
    const next = last.flatMap((row) =>
      (places.get(row.resource) ?? NONE).flatMap(({ place, resource }) => {
        const value = row.values[place];
        const found =
          value === null || value === undefined
            ? undefined
            : world.session.get(resource, Number(value));
        return found === undefined ? [] : [found];
      }),
    );
    last = next.filter((row) => !all.has(`${row.resource} ${row.key}`));
    for (const row of last) all.set(`${row.resource} ${row.key}`, row);
  }
  return [...all.values()];
}

/** Whether a row refers to one of the others. */
export function isReferring(plan: Plan, row: Row, others: readonly Row[]): boolean {
  const places = referringOf(plan).get(row.resource) ?? NONE;
  return places.some(({ place, resource }) => {
    const key = Number(row.values[place] ?? Number.NaN);
    return others.some((one) => one.resource === resource && one.key === key);
  });
}

/** Whether it is one of the rows. */
export const isAmong = (rows: readonly Row[], { resource, key }: Row): boolean =>
  rows.some((one) => one.resource === resource && one.key === key);

/** Keys of the rows of a resource to which rows refer that refer to this row, too: its members. */
export function joinedTo(
  { plan, world }: Pick<Making, "plan" | "world">,
  resource: string,
  row: Row,
): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [name, places] of referringOf(plan)) {
    const toRow = places.filter((one) => one.resource === row.resource);
    const toOther = places.filter((one) => one.resource === resource);
    if (toRow.length === 0 || toOther.length === 0) continue;
    const isHere = ({ values }: Row): boolean =>
      toRow.some(({ place }) => Number(values[place] ?? Number.NaN) === row.key);
    for (const { values } of world.rows(name).slice(-ROWS_LOOKED_AT).filter(isHere)) {
      for (const { place } of toOther) found.add(Number(values[place] ?? Number.NaN));
    }
  }
  return found;
}

/** Rows of one resource that are looked at. */
const ROWS_LOOKED_AT = 100;
