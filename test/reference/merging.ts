/** Merges what a client sends into a value (RFC 7396), and judges what comes out. */
import type { Field, ValueType } from "../../src/plan/index.ts";
import { changePart, makePart, partOf } from "./parts.ts";
import { brokenRule, type Failure, isMerging } from "./reading.ts";
import { isMap, type Value } from "./values.ts";
import type { Work } from "./work.ts";

/** RFC 7396; a member of a part that may be null and not absent stays as null. */
export function merge(work: Work, type: ValueType | undefined, target: Value, patch: Value): Value {
  if (!isMap(patch)) return patch;
  const made = new Map<string, Value>(isMap(target) ? target : []);
  const kind = type?.type.kind;
  const name = type?.type.kind === "structure" ? type.type.name : undefined;
  const part = work.plan.partTypes.find((one) => one.name === name);
  for (const [key, value] of patch) {
    const inner =
      type?.type.kind === "map" ? type.type.of : part?.fields.find((one) => one.name === key)?.type;
    const stays = kind === "structure" && inner?.orAbsent === false;
    if (value === null && !stays) made.delete(key);
    else made.set(key, merge(work, inner, made.get(key), value));
  }
  return made;
}

/** A merged value in which new parts are filled, and changed ones set what follows. */
export function finished(
  work: Work,
  type: ValueType | undefined,
  before: Value,
  value: Value,
): Value {
  if (value === before || !isMap(value) || type === undefined) return value;
  const part = partOf(work, type.type);
  if (part === undefined && type.type.kind !== "map") return value;
  const made = new Map<string, Value>();
  for (const [name, one] of value) {
    const inner =
      type.type.kind === "map"
        ? type.type.of
        : part?.fields.find((field) => field.name === name)?.type;
    made.set(name, finished(work, inner, isMap(before) ? before.get(name) : undefined, one));
  }
  if (part === undefined) return made;
  if (!isMap(before)) return makePart(work, part, made);
  changePart(work, part, before, made);
  return made;
}

/** The members that a client must give and that are not there. */
export function judgeNeeds(
  work: Work,
  { type: { type } }: Pick<Field, "type">,
  value: Value,
  path: string,
): Failure[] {
  if (!isMap(value)) return [];
  const below = (of: ValueType, name: string) =>
    isMerging(of) ? judgeNeeds(work, { type: of }, value.get(name), `${path}.${name}`) : [];
  if (type.kind === "map") return [...value.keys()].flatMap((name) => below(type.of, name));
  return (partOf(work, type)?.fields ?? []).flatMap((field): Failure[] => {
    if (value.get(field.name) !== undefined) return below(field.type, field.name);
    const isNeeded = field.create.is === "required" && !field.type.orAbsent;
    return isNeeded
      ? [{ condition: "absent", field: `${path}.${field.sentAs ?? field.name}` }]
      : [];
  });
}

/** What is wrong with a value that came out of merging: inside first, then as a whole. */
export function judgeMerged(
  work: Work,
  { type, rules }: Pick<Field, "type" | "rules">,
  value: Value,
  path: string,
): Failure[] {
  if (value === null || value === undefined) return [];
  const inside = isMap(value) ? membersJudged(work, type, value, path) : [];
  if (inside.length > 0) return inside;
  const bad = brokenRule(
    { plan: work.plan, names: work.names([]), host: work },
    rules,
    value,
    type,
  );
  if (bad === undefined) return [];
  const { condition, refusal } = bad;
  return [{ condition, field: path, ...(refusal === undefined ? {} : { refusal }) }];
}

function membersJudged(
  work: Work,
  { type }: ValueType,
  value: ReadonlyMap<string, Value>,
  path: string,
): Failure[] {
  if (type.kind === "map") {
    return [...value].flatMap(([name, one]) =>
      judgeMerged(work, { type: type.of, rules: [] }, one, `${path}.${name}`),
    );
  }
  if (type.kind !== "structure") return [];
  const part = work.plan.partTypes.find((one) => one.name === type.name);
  return (part?.fields ?? []).flatMap((field): Failure[] => {
    const one = value.get(field.name);
    const name = `${path}.${field.sentAs ?? field.name}`;
    if (one === undefined) {
      const isNeeded = field.create.is === "required" && !field.type.orAbsent;
      return isNeeded ? [{ condition: "absent", field: name }] : [];
    }
    return isMerging(field.type) ? judgeMerged(work, field, one, name) : [];
  });
}
