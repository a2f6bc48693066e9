/** Makes, changes and deletes rows with all that their resource states about it. */
import type { Field, Rule } from "../../src/plan/index.ts";
import { meet } from "./coverage.ts";
import { deletedWith, leave } from "./leave.ts";
import { judgeMerged, merge } from "./merging.ts";
import type { Failure } from "./reading.ts";
import { statedDuration } from "./times.ts";
import {
  compare,
  equal,
  GapMet,
  isList,
  isRef,
  type Kept,
  type Ref,
  type Value,
} from "./values.ts";
import { type Ending, rowName, type Work } from "./work.ts";
import { fieldOf, type Row, resourceOf } from "./world.ts";

type RuleOf<K extends Rule["kind"]> = Extract<Rule, { kind: K }>;

/** The rule of a kind that a field has. */
export function ruleOf<K extends Rule["kind"]>(field: Field, kind: K): RuleOf<K> | undefined {
  return field.rules.find((rule): rule is RuleOf<K> => rule.kind === kind);
}

function gapBeside(work: Work, field: Field, subject: string): string | undefined {
  return work.plan.gaps.find((one) => one.id === `${field.id}/gap ${subject}`)?.id;
}

/** A value as the field keeps it: hashed, in its order. */
function kept(work: Work, field: Field, value: Value): Value {
  if (value === null || value === undefined) return value;
  const { kind } = field.type.type;
  meet("stored", kind);
  if (kind === "secret") {
    const gap = gapBeside(work, field, "how it is kept");
    if (gap !== undefined) throw new GapMet(gap);
    const hash = ruleOf(field, "kept as")?.hash;
    meet("kept as", hash?.kind ?? "nothing stated");
    if (hash === undefined || hash.kind === "plain" || typeof value !== "string") return value;
    if (hash.kind !== "sha256") work.outside.random(16);
    return { hash: hash.kind, plain: value } satisfies Kept;
  }
  const order = ruleOf(field, "order")?.order;
  if (isList(value) && order !== undefined)
    meet("order of items", order.is === "stated" ? order.value : order.is);
  if (isList(value) && order?.is === "stated" && order.value !== "as given") {
    const sign = order.value === "ascending" ? 1 : -1;
    return [...value].sort((a, b) => sign * compare(a, b));
  }
  return kind === "number" && value === 0 ? 0 : value;
}

const CODES: Readonly<Record<string, BufferEncoding>> = {
  base64: "base64",
  base64url: "base64url",
  hex: "hex",
};

/** Whether its first value is read off the row itself. */
function readsRow(field: Field): boolean {
  const starts = ruleOf(field, "starts");
  return starts !== undefined && JSON.stringify(starts.value.code).includes('"name":"it"');
}

/** What a new row has in a field to which nobody gave a value; undefined: nothing yet. */
function first(work: Work, resource: string, field: Field, it?: Ref): Value {
  const starts = ruleOf(field, "starts");
  if (starts !== undefined) meet("rule", "starts");
  if (starts !== undefined) return work.eval(starts.value, it === undefined ? [] : [["it", it]]);
  const random = ruleOf(field, "random");
  if (random !== undefined) {
    meet("random bytes as", random.form);
    const bytes = Buffer.from(work.random(random.bytes));
    return random.prefix + bytes.toString(CODES[random.form]);
  }
  const { type } = field.type;
  if (type.kind === "state") {
    const machine = work.plan.machines.find(
      (one) => one.resource === resource && one.field === field.name,
    );
    return machine?.states.find((state) => state.initial)?.name;
  }
  if (type.kind === "id") {
    const free = work.outside.idText(work.now, (bytes) => work.random(bytes));
    return (type.prefix ?? "") + free;
  }
  return undefined;
}

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
    else if (sent !== undefined) put(field, sent);
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
      throw new GapMet(gapBeside(work, field, "starts") ?? `${field.id}/starts`);
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
  const { fields } = resourceOf(work.plan, ref.resource);
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
    if (value !== undefined) {
      const merges = field.update.is === "merged";
      if (merges) meet("set", "merged");
      const made = merges ? merge(work, field.type, work.field(ref, field.name), value) : value;
      if (merges) failures.push(...judgeMerged(work, field, made, field.name));
      changes.set(field.name, made);
    } else if (!sent.givenOnly) {
      const fresh = first(work, ref.resource, field, ref);
      if (fresh === undefined && !field.type.orAbsent) {
        throw new GapMet(gapBeside(work, field, "starts") ?? `${field.id}/starts`);
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
