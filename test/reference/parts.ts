/** Makes, changes and keeps parts as their tables state. */
import type { Field, Part, ValueType } from "../../src/plan/index.ts";
import { meet } from "./coverage.ts";
import { first, lackingGap, meetUnruled, readsRow, ruleOf } from "./fields.ts";
import { equal, GapMet, isList, isMap, type Value } from "./values.ts";
import { makePartsWith, type Work } from "./work.ts";

type Members = ReadonlyMap<string, Value>;

export function partOf(work: Work, type: ValueType["type"]): Part | undefined {
  if (type.kind !== "structure") return undefined;
  return work.plan.partTypes.find((one) => one.name === type.name);
}

/** The part with what its table fills in. */
export function makePart(work: Work, part: Part, given: Members): Members {
  const typeless = part.fields.find((field) => field.gap !== undefined);
  if (typeless?.gap !== undefined) throw new GapMet(typeless.gap);
  const made = new Map(given);
  const later: Field[] = [];
  for (const field of part.fields) {
    if (made.get(field.name) !== undefined) continue;
    meetUnruled(field);
    const set = ruleOf(field, "set");
    if (set?.onCreate === true || readsRow(field)) later.push(field);
    else if (field.type.type.kind !== "id" || field.create.is === "no") {
      const value = first(work, "", field);
      if (value !== undefined) made.set(field.name, value);
      else if (!field.type.orAbsent) lacking(work, field);
    } else if (!field.type.orAbsent) lacking(work, field);
  }
  for (const field of later) {
    const set = ruleOf(field, "set");
    meet("part", set === undefined ? "starts by itself" : "set when made");
    made.set(
      field.name,
      set?.onCreate === true ? work.eval(set.value, [["it", made]]) : first(work, "", field, made),
    );
  }
  for (const field of part.fields) {
    if (made.get(field.name) === undefined && !field.type.orAbsent) lacking(work, field);
  }
  work.made.add(made);
  return made;
}

function lacking(work: Work, field: Field): never {
  throw new GapMet(lackingGap(work, field));
}

/** A value with each part in it made, the inner ones first. */
export function withParts(work: Work, { type }: ValueType, value: Value): Value {
  if (isList(value) && type.kind === "list") {
    return value.map((one) => withParts(work, type.of, one));
  }
  if (!isMap(value)) return value;
  if (type.kind === "map") {
    return new Map([...value].map(([name, one]) => [name, withParts(work, type.of, one)]));
  }
  const part = partOf(work, type);
  return part === undefined ? value : makePart(work, part, membersMade(work, part, value));
}

function membersMade(work: Work, part: Part, value: Members): Members {
  const made = new Map(value);
  for (const { name, type } of part.fields) {
    if (made.has(name)) made.set(name, withParts(work, type, made.get(name)));
  }
  return made;
}

/** The same for what is merged: an item of a list is given whole, all else is a patch. */
export function withItems(work: Work, { type }: ValueType, value: Value): Value {
  if (type.kind === "list") return withParts(work, { type, orNull: true, orAbsent: true }, value);
  if (!isMap(value)) return value;
  if (type.kind === "map") {
    return new Map([...value].map(([name, one]) => [name, withItems(work, type.of, one)]));
  }
  const part = partOf(work, type);
  if (part === undefined) return value;
  const made = new Map(value);
  for (const field of part.fields) {
    if (made.has(field.name)) {
      made.set(field.name, withItems(work, field.type, made.get(field.name)));
    }
  }
  return made;
}

/** Sets what a change of other members sets in a part. */
export function changePart(
  work: Work,
  part: Part,
  before: Members,
  after: Map<string, Value>,
): void {
  const other = part.fields
    .map((field) => field.name)
    .filter((name) => !equal(before.get(name), after.get(name)));
  if (other.length === 0) return;
  for (const field of part.fields) {
    const set = ruleOf(field, "set");
    if (!other.includes(field.name)) meetUnruled(field);
    if (set === undefined || other.includes(field.name)) continue;
    if (set.onUpdate || set.changes.some((name) => other.includes(name))) {
      meet("part", "set when changed");
      after.set(field.name, work.eval(set.value, [["it", after]]));
    }
  }
}

makePartsWith((work, part, given) => makePart(work, part, given));
