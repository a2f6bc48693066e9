/** Which of several rows a request is about: the last, one of a rare kind, or any. */
import type { Plan } from "../../plan/index.ts";
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

type With = Pick<Making, "plan" | "random" | "hints">;

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
export function pickOfKind({ plan, random, hints }: With, rows: readonly Row[]): Row | undefined {
  const resource = rows[0]?.resource;
  const places = resource === undefined ? [] : placesIn(plan, resource);
  if (places.length === 0) return undefined;
  const { fields = [] } = plan.resources.find(({ name }) => name === resource) ?? {};
  const hinted = places.filter((place) => hints?.names.has(fields[place]?.name ?? "") === true);
  const place = random.pick(hinted.length > 0 && random.chance(HINTED) ? hinted : places);
  const kinds = [...new Set(rows.map(({ values }) => values[place]))];
  const kind = random.pick(kinds);
  return random.pick(rows.filter(({ values }) => values[place] === kind));
}
