/** What rows become that name a deleted row in a field, at any depth of it. */
import type { BaseType, Field } from "../../src/plan/index.ts";
import { meet } from "./coverage.ts";
import { equal, isList, isMap, type Ref, type Value } from "./values.ts";
import type { Ending, Work } from "./work.ts";

/** A reference to the deleted row, met in a value: the field that states of it, what `it` is. */
interface Hit {
  readonly field: Field;
  readonly it: Value;
}

/** Stands for a value that is to be taken out of the list or map around it. */
const OUT: Value = new Map([["taken", "out"]]);

const whenGone = (field: Field) => {
  const rule = field.rules.find((one) => one.kind === "when gone");
  return rule?.kind === "when gone" ? rule : undefined;
};

/** What is recorded beside the rules of a field, or else what nobody has said. */
function gapOf({ plan }: Work, { id, rules }: Field): string {
  const subject = "when it is deleted";
  const recorded = plan.gaps.find((one) => one.id === `${id}/gap ${subject}`);
  const shown = rules.find((rule) => rule.kind === "gap");
  return recorded?.id ?? (shown?.kind === "gap" ? shown.gap : `${id}/${subject}`);
}

/** What is left of a value; each reference that names the row is told to `hits`. */
function left(
  work: Work,
  value: Value,
  at: { readonly type: BaseType; readonly hit: Hit },
  found: { readonly gone: Ref; readonly hits: Hit[] },
): Value {
  if (value === null || value === undefined) return value;
  const { type, hit } = at;
  if (type.kind === "reference") {
    if (type.resource !== found.gone.resource || !equal(value, found.gone)) return value;
    found.hits.push(hit);
    const action = whenGone(hit.field)?.action;
    return action === "taken out" ? OUT : action === "set to null" ? null : value;
  }
  if (type.kind === "list" && isList(value)) {
    return value
      .map((one) => left(work, one, { type: type.of.type, hit }, found))
      .filter((one) => one !== OUT);
  }
  if (type.kind === "map" && isMap(value)) {
    const members = [...value].map(
      ([name, one]) => [name, left(work, one, { type: type.of.type, hit }, found)] as const,
    );
    return new Map(members.filter(([, one]) => one !== OUT));
  }
  if (type.kind !== "structure" || !isMap(value)) return value;
  const part = work.plan.partTypes.find((one) => one.name === type.name);
  const made = new Map(value);
  for (const field of part?.fields ?? []) {
    if (!made.has(field.name)) continue;
    const inner = { type: field.type.type, hit: { field, it: value } };
    made.set(field.name, left(work, made.get(field.name), inner, found));
  }
  return [...made.values()].includes(OUT) ? OUT : made;
}

/** A field of a resource. */
interface Place {
  readonly resource: string;
  readonly field: Field;
}

/** What a row that names another in a field comes to when that is deleted. */
function met(work: Work, gone: Ref, { resource, field }: Place, key: number) {
  const it = { resource, key };
  const hits: Hit[] = [];
  const at = { type: field.type.type, hit: { field, it } };
  const value = left(work, work.find(it)?.values.get(field.name), at, { gone, hits });
  // Of a row that is not known nobody knows what else it says.
  if (hits.length > 0) work.field(it, field.name);
  return { it, hits, value, rules: hits.map((hit) => whenGone(hit.field)) };
}

/** The rows of a resource that are deleted too, for what a field of theirs states. */
export function deletedWith(work: Work, gone: Ref, place: Place): readonly Ref[] {
  return (work.world.rows.get(place.resource) ?? []).flatMap(({ key }) => {
    const { it, rules } = met(work, gone, place, key);
    const isToGo = rules.some((rule) => rule?.action === "deleted with it");
    if (isToGo) meet("when gone", `deleted with it, ${depthOf(place.field)}`);
    return isToGo ? [it] : [];
  });
}

/** Does to the rows that are left what a field of theirs states when a row is deleted. */
export function leave(
  work: Work,
  gone: Ref,
  place: Place,
  changeRow: (work: Work, ref: Ref, changes: ReadonlyMap<string, Value>) => void,
): Ending | undefined {
  for (const { key } of work.world.rows.get(place.resource) ?? []) {
    const { it, hits, value, rules } = met(work, gone, place, key);
    for (const [i, hit] of hits.entries()) {
      const rule = rules[i];
      meet("when gone", `${rule?.action ?? "not stated"}, ${depthOf(place.field)}`);
      if (rule === undefined) return { is: "gap", gap: gapOf(work, hit.field) };
      if (rule.otherwise !== undefined) return work.refuse(rule.otherwise, [["it", hit.it]]);
    }
    if (hits.length > 0) changeRow(work, it, new Map([[place.field.name, value]]));
  }
  return undefined;
}

function depthOf({ type: { type } }: Field): string {
  return type.kind === "reference" ? "a reference" : `in a ${type.kind}`;
}
