/** Which of several rows a request is about: the last, one of a rare kind, or any. */
import type { Plan, Resource } from "../../plan/index.ts";
import type { Row } from "../../run/index.ts";
import type { Making } from "./making.ts";

/** The chance that the last is taken, and of the others one of a kind. */
const LAST = 0.4;
const KIND = 0.6;
/** Types of a few values: rows of each are looked at as often as those of the others. */
const KINDS = new Set(["state", "one of", "boolean"]);

const found = new WeakMap<Plan, ReadonlyMap<string, readonly number[]>>();

/** Places of the fields that tell what kind of row it is. */
function placesIn(plan: Plan, resource: string): readonly number[] {
  const known = found.get(plan);
  const all =
    known ??
    new Map(
      plan.resources.map(({ name, fields }) => [
        name,
        fields.flatMap(({ type: { type } }, place) => (KINDS.has(type.kind) ? [place] : [])),
      ]),
    );
  if (known === undefined) found.set(plan, all);
  return all.get(resource) ?? [];
}

type With = Pick<Making, "plan" | "world" | "random" | "hints">;

/** The chance that a kind is one of a field which the request is about. */
const HINTED = 0.7;

/** One of them; undefined: there are none. */
export function pickRow(making: With, rows: readonly Row[]): Row | undefined {
  const { random } = making;
  const last = rows.at(-1);
  if (last === undefined || random.chance(LAST)) return last;
  const ofKind = random.chance(KIND) ? pickOfKind(making, rows) : undefined;
  return ofKind ?? random.pick(rows);
}

/** One of rows of the same resource, of a kind that is drawn first; undefined: they have none. */
export function pickOfKind(making: With, rows: readonly Row[]): Row | undefined {
  const { plan, random, hints } = making;
  const resource = plan.resources.find(({ name }) => name === rows[0]?.resource);
  if (resource === undefined) return undefined;
  const own = placesIn(plan, resource.name);
  const isHinted = (place: number): boolean =>
    hints?.names.has(resource.fields[place]?.name ?? "") === true;
  const hinted = [...own.filter(isHinted).map(valueAt), ...valuesBeyond(making, resource)];
  const isOfHints = hinted.length > 0 && random.chance(HINTED);
  const among = isOfHints ? hinted : own.map(valueAt);
  if (among.length === 0) return undefined;
  const value = random.pick(among);
  const kind = random.pick([...new Set(rows.map(value))]);
  return random.pick(rows.filter((row) => value(row) === kind));
}

type ValueIn = (row: Row) => unknown;

const valueAt =
  (place: number): ValueIn =>
  ({ values }) =>
    values[place];

/** Values by which rows differ to which the rows refer, where requests are about both fields. */
function valuesBeyond({ plan, world, hints }: With, { fields }: Resource): readonly ValueIn[] {
  if (hints === undefined) return [];
  return fields.flatMap(({ name, type: { type } }, place) => {
    if (type.kind !== "reference" || !hints.names.has(name)) return [];
    const other = plan.resources.find((one) => one.name === type.resource);
    const places = other === undefined ? [] : placesIn(plan, other.name);
    return places
      .filter((one) => hints.names.has(other?.fields[one]?.name ?? ""))
      .map(
        (one): ValueIn =>
          ({ values }) => {
            const key = values[place];
            const row = key === null ? undefined : world.session.get(type.resource, Number(key));
            return row?.values[one];
          },
      );
  });
}
