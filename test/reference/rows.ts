/** Makes, changes and deletes rows with all that their resource states about it. */
import type { Field } from "../../src/plan/index.ts";
import { meet } from "./coverage.ts";
import { first, kept, lackingGap, meetUnruled, readsRow, ruleOf, unruled } from "./fields.ts";
import { deletedWith, leave } from "./leave.ts";
import { finished, judgeMerged, judgeNeeds, merge } from "./merging.ts";
import type { Failure } from "./reading.ts";
import { statedDuration } from "./times.ts";
import { equal, GapMet, isRef, type Ref, type Value } from "./values.ts";
import { type Ending, rowName, type Work } from "./work.ts";
import { fieldOf, type Row, resourceOf } from "./world.ts";

function scopeOf(
  field: Field,
  values: ReadonlyMap<string, Value>,
  within: readonly string[],
): string {
  const text = (value: Value): string => (isRef(value) ? rowName(value) : String(value));
  return [field.id, ...within.map((name) => text(values.get(name)))].join("|");
}

/** The next number of a field: one more than the greatest ever given in its scope. */
function count(work: Work, field: Field, values: ReadonlyMap<string, Value>): Value {
  const counts = ruleOf(field, "counts up");
  if (counts === undefined) return undefined;
  meet(
    "counts up",
    counts.onEveryChange ? "on every change" : counts.within.length > 0 ? "within" : "over all",
  );
  if (counts.onEveryChange) return BigInt(counts.from);
  const scope = scopeOf(field, values, counts.within);
  const last = work.world.counters.get(scope) ?? BigInt(counts.from) - 1n;
  work.world.counters.set(scope, last + 1n);
  return last + 1n;
}

export interface Given {
  /** Members of a body. */
  readonly from: ReadonlyMap<string, Value> | undefined;
  readonly assigned: ReadonlyMap<string, Value>;
}

/** Makes a row. Throws `GapMet` where a field has no value and none is stated. */
export function createRow(work: Work, name: string, given: Given): Ref {
  const resource = resourceOf(work.plan, name);
  const key = (work.world.lastKeys.get(name) ?? 0) + 1;
  const ref = { resource: name, key };
  const values = new Map<string, Value>();
  const put = (field: Field, value: Value): void => {
    if (field.read.is === "on create" && typeof value === "string") {
      work.plain.set(`${rowName(ref)} ${field.name}`, value);
    }
    values.set(field.name, kept(work, field, value));
  };
  const later: Field[] = [];
  for (const field of resource.fields) {
    const sent = field.create.is === "no" ? undefined : given.from?.get(field.name);
    const set = ruleOf(field, "set");
    const isSet = set !== undefined && (set.onCreate || set.changes.length > 0);
    if (given.assigned.has(field.name)) put(field, given.assigned.get(field.name));
    else if (sent !== undefined && field.create.is === "gap") throw new GapMet(field.create.gap);
    else if (sent !== undefined) put(field, sent);
    else if (unruled(field) !== undefined) meetUnruled(field);
    else if (isSet || readsRow(field) || ruleOf(field, "counts up") !== undefined)
      later.push(field);
    else put(field, first(work, name, field));
  }
  const row: Row = { key, values, times: firstTimes(work, name, values) };
  work.world.rows.set(name, [...(work.world.rows.get(name) ?? []), row]);
  for (const field of later) {
    const set = ruleOf(field, "set");
    if (set === undefined && readsRow(field)) put(field, first(work, name, field, ref));
    else if (set === undefined) values.set(field.name, count(work, field, values));
    else {
      meet("set", "when made");
      put(field, work.eval(set.value, [["it", ref]]));
    }
  }
  for (const field of resource.fields) {
    if (values.get(field.name) === undefined && !field.type.orAbsent) {
      throw new GapMet(lackingGap(work, field));
    }
  }
  noteGiven(work, resource.fields, given, values);
  work.world.lastKeys.set(name, key);
  work.touch(ref);
  work.created.add(rowName(ref));
  work.counted.add(rowName(ref));
  return ref;
}

/** When what comes again and again, or by itself, comes first. */
function firstTimes(work: Work, name: string, values: ReadonlyMap<string, Value>): Row["times"] {
  const machine = work.plan.machines.find((one) => one.resource === name);
  return new Map(
    (machine?.transitions ?? []).flatMap(({ id, on, from }) => {
      if (on.is === "every") return [[id, work.now + statedDuration(on.durationText)]];
      if (on.is !== "by itself") return [];
      const isIn = from.includes(values.get(machine?.field ?? "") as string);
      return [[id, isIn ? work.now + statedDuration(on.withinText) : null]];
    }),
  );
}

/** A number that a step gives counts as given. */
function noteGiven(
  work: Work,
  fields: readonly Field[],
  given: Given,
  values: ReadonlyMap<string, Value>,
): void {
  for (const field of fields) {
    const counts = ruleOf(field, "counts up");
    const value = given.assigned.get(field.name);
    if (counts === undefined || counts.onEveryChange || typeof value !== "bigint") continue;
    const scope = scopeOf(field, values, counts.within);
    const last = work.world.counters.get(scope) ?? BigInt(counts.from) - 1n;
    if (value > last) work.world.counters.set(scope, value);
  }
}

/** Sets fields of a row, and those that the document sets with them. */
export function changeRow(work: Work, ref: Ref, changes: ReadonlyMap<string, Value>): void {
  if (changes.size === 0) return;
  const row = work.find(ref);
  if (row === undefined) return;
  work.meetAny(ref);
  const { fields, invariants } = resourceOf(work.plan, ref.resource);
  for (const one of invariants) {
    if (one.kind === "gap" && one.of === "changed") throw new GapMet(one.gap);
  }
  const name = rowName(ref);
  if (!work.before.has(name)) work.before.set(name, { ...row, values: new Map(row.values) });
  const other = new Set<string>();
  for (const [name, value] of changes) {
    const stored = kept(work, fieldOf(work.plan, ref.resource, name), value);
    if (!equal(row.values.get(name), stored)) other.add(name);
    row.values.set(name, stored);
  }
  const isFirst = !work.counted.has(rowName(ref));
  for (const field of fields) {
    if (!changes.has(field.name)) meetUnruled(field);
    if (ruleOf(field, "counts up")?.onEveryChange === true && isFirst) {
      row.values.set(field.name, (row.values.get(field.name) as bigint) + 1n);
    }
    const set = ruleOf(field, "set");
    if (set === undefined || changes.has(field.name)) continue;
    const changed = set.changes.some((name) => other.has(name));
    if (changed || set.onUpdate) {
      meet("set", changed ? "when a field changes" : "on update");
      row.values.set(field.name, kept(work, field, work.eval(set.value, [["it", ref]])));
    }
  }
  work.counted.add(rowName(ref));
  work.touch(ref);
}

/** What a patch makes of a field; adds what is wrong with it. */
function mergedIn(work: Work, ref: Ref, field: Field, value: Value, failures: Failure[]): Value {
  const before = work.field(ref, field.name);
  const merged = merge(work, field.type, before, kept(work, field, value));
  const needs = judgeNeeds(work, field, merged, field.name);
  failures.push(...needs);
  if (needs.length > 0) return merged;
  const made = finished(work, field.type, before, merged);
  failures.push(...judgeMerged(work, field, made, field.name));
  return made;
}

/** The fields that `Set x from body` sets; adds what is wrong with those that are merged. */
export function changesOf(
  work: Work,
  ref: Ref,
  sent: { readonly from: ReadonlyMap<string, Value>; readonly givenOnly: boolean },
  failures: Failure[],
): ReadonlyMap<string, Value> {
  const changes = new Map<string, Value>();
  for (const field of resourceOf(work.plan, ref.resource).fields) {
    if (field.update.is === "no") continue;
    const value = sent.from.get(field.name);
    const isUsed = value !== undefined || !sent.givenOnly;
    if (isUsed && field.update.is === "gap") throw new GapMet(field.update.gap);
    if (value !== undefined) {
      const merges = field.update.is === "merged";
      if (merges) meet("set", "merged");
      changes.set(field.name, merges ? mergedIn(work, ref, field, value, failures) : value);
    } else if (!sent.givenOnly) {
      const fresh = first(work, ref.resource, field, ref);
      if (fresh === undefined && !field.type.orAbsent) {
        throw new GapMet(lackingGap(work, field));
      }
      changes.set(field.name, fresh);
    }
  }
  return changes;
}

/** Deletes a row and all that are deleted with it; then the others that name one of them leave it. */
export function deleteRow(work: Work, ref: Ref): Ending | undefined {
  const gone: Ref[] = [];
  const refused = takeAway(work, ref, gone);
  if (refused !== undefined) return refused;
  for (const one of resourceOf(work.plan, ref.resource).invariants) {
    if (one.kind === "gap" && (one.of === "deleted" || one.of === "changed")) {
      return { is: "gap", gap: one.gap };
    }
  }
  for (const one of gone) {
    for (const { name: resource, fields } of work.plan.resources) {
      for (const field of fields) {
        const ending = leave(work, one, { resource, field }, changeRow);
        if (ending !== undefined) return ending;
      }
    }
  }
  return undefined;
}

function takeAway(work: Work, ref: Ref, gone: Ref[]): Ending | undefined {
  const row = work.find(ref);
  if (row === undefined) return undefined;
  for (const invariant of resourceOf(work.plan, ref.resource).invariants) {
    if (invariant.kind !== "deleted refused") continue;
    const refuses = work.eval(invariant.condition, [["it", ref]]) === true;
    meet("invariant", `deleted refused, ${refuses ? "broken" : "held"}`);
    if (refuses) return work.refuse(invariant.otherwise, [["it", ref]]);
  }
  work.meetAny(ref);
  work.touch(ref);
  work.gone.set(rowName(ref), row);
  gone.push(ref);
  const rows = work.world.rows.get(ref.resource) ?? [];
  work.world.rows.set(
    ref.resource,
    rows.filter((one) => one.key !== ref.key),
  );
  const others = work.plan.resources.flatMap(({ name: resource, fields }) =>
    fields.flatMap((field) => deletedWith(work, ref, { resource, field })),
  );
  for (const other of others) {
    const ending = takeAway(work, other, gone);
    if (ending !== undefined) return ending;
  }
  return undefined;
}
