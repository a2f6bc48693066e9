/** Creates, changes and deletes rows with all that their resource states about it. */
import { callOf, nameOf } from "../../expr/index.ts";
import type { ItemId } from "../../plan/index.ts";
import type { Changes, CompilerServices, Given, RowActions, Sent } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import type { ResourceInfo } from "../context/model.ts";
import { type StepOutcome, Stop } from "../context/step-outcome.ts";
import type { Transaction } from "../context/transaction.ts";
import { enterState, startClocks } from "../context/transition-timers.ts";
import type { InputFailure, Row, Value } from "../ports/index.ts";
import { compileExpression, findRows } from "../query/expression.ts";
import type { Finder } from "../query/finder.ts";
import type { FieldMaker, FieldMakers } from "./fields.ts";
import { compileFields, noValue } from "./fields.ts";
import { compileMerge, type Merge } from "./merging.ts";
import { sameStored } from "./stored.ts";

/** What deleting a row of a resource does to rows that refer to it. */
interface Referrer {
  readonly info: ResourceInfo;
  readonly place: number;
  readonly unit: Scope;
  readonly target: number;
  readonly finder: Finder;
  readonly action: string | undefined;
  readonly refuse: ((frame: Activation, it?: Row) => StepOutcome) | undefined;
  readonly item: ItemId;
}

interface Compiled extends FieldMakers {
  readonly unit: Scope;
  /** By place: how fields that are merged are. */
  readonly merges: ReadonlyMap<number, Merge>;
  readonly referrers: readonly Referrer[];
  readonly deleteRefused: readonly ((work: Transaction, row: Row) => StepOutcome | undefined)[];
  readonly neverDeleted: boolean;
  readonly neverChanged: boolean;
  /** The type of a field is not shown: no row can be stored. */
  readonly typeGap: ItemId | undefined;
  readonly timed: boolean;
}

function referrersOf(kit: CompilerServices, info: ResourceInfo): readonly Referrer[] {
  return info.referrers.map(({ info: other, field: place }) => {
    const unit = new Scope(kit.model);
    const target = unit.slot("#target");
    const field = other.fields[place];
    const rule = field?.rules.find((one) => one.kind === "when gone");
    const stated = rule?.kind === "when gone" ? rule : undefined;
    const type = { kind: "nullable", of: { kind: "row", resource: info.name } } as const;
    const finder = findRows(unit, other.name, [
      callOf(
        "==",
        {
          op: "get",
          type,
          of: nameOf("it", { kind: "row", resource: other.name }),
          member: field?.name ?? "",
        },
        nameOf("#target", type.of),
      ),
    ]);
    return {
      info: other,
      place,
      unit,
      target,
      finder,
      action: stated?.action,
      refuse: stated?.otherwise === undefined ? undefined : kit.refusal(unit, stated.otherwise),
      item: stated?.id ?? field?.id ?? info.resource.id,
    };
  });
}

function refusedDeletes(
  kit: CompilerServices,
  info: ResourceInfo,
  unit: Scope,
): readonly ((work: Transaction, row: Row) => StepOutcome | undefined)[] {
  const it = unit.slot("it");
  return info.resource.invariants.flatMap((invariant) => {
    if (invariant.kind !== "deleted refused") return [];
    const condition = compileExpression(unit, invariant.condition);
    const refuse = kit.refusal(unit, invariant.otherwise);
    return [
      (work: Transaction, row: Row) => {
        const frame = new Activation(unit, work);
        frame.set(it, row);
        return condition(frame) === true ? refuse(frame, row) : undefined;
      },
    ];
  });
}

function compileResource(kit: CompilerServices, info: ResourceInfo): Compiled {
  const unit = new Scope(kit.model);
  const { invariants } = info.resource;
  const merging = [...info.fields.entries()].filter(([, { update }]) => update.is === "merged");
  return {
    ...compileFields(kit.model, info),
    unit,
    merges: new Map(merging.map(([place, field]) => [place, compileMerge(kit, field)])),
    referrers: referrersOf(kit, info),
    deleteRefused: refusedDeletes(kit, info, unit),
    neverDeleted: invariants.some((one) => one.kind === "deleted" && one.rule === "never"),
    neverChanged: invariants.some((one) => one.kind === "changed never"),
    typeGap: info.fields.find((field) => field.gap !== undefined)?.gap,
    timed:
      invariants.some((one) => one.kind === "kept for") ||
      info.clocks.length > 0 ||
      info.machine?.transitions.some((one) => one.on.is === "time") === true,
  };
}

function count(
  work: Transaction,
  compiled: Compiled,
  maker: FieldMaker,
  values: readonly Value[],
): Value {
  const { from = 1n } = maker.counts ?? {};
  const { start } = compiled.info.gaps;
  // Rows at the start would have taken numbers.
  if (start !== undefined) throw new Stop({ is: "gap", gap: start });
  return from + work.session.counters.next(counterOf(compiled, maker, values)) - 1n;
}

/** Name of the counter of a field, among the rows that are alike in its `within` fields. */
function counterOf(compiled: Compiled, maker: FieldMaker, values: readonly Value[]): string {
  const scope = (maker.counts?.within ?? []).map((place) => String(values[place]));
  return JSON.stringify([compiled.info.name, maker.field.name, ...scope]);
}

function keepPlain(work: Transaction, row: Row, plain: ReadonlyMap<number, string>): void {
  if (plain.size > 0) work.keepPlain(row, new Map(plain));
}

/** Values of a new row; throws a fault where a field that must have one gets none. */
function newRow(work: Transaction, compiled: Compiled, given: Given): Row {
  const { info, makers } = compiled;
  const draft: Row = { resource: info.name, key: 0, values: makers.map(() => undefined) };
  const { values } = draft;
  const plain = new Map<number, string>();
  const put = (maker: FieldMaker, value: Value) => {
    const { read, type } = maker.field;
    const isKept = read.is === "on create" || type.type.kind === "secret";
    if (isKept && typeof value === "string") {
      plain.set(maker.place, value);
    }
    values[maker.place] = maker.stored(work, value);
  };
  const met = info.gaps.used ?? compiled.typeGap;
  if (met !== undefined) throw new Stop({ is: "gap", gap: met });
  const open: FieldMaker[] = [];
  for (const maker of makers) {
    const { place, field } = maker;
    const sent = field.create.is === "no" ? undefined : given.from?.get(field.name);
    if (given.assigned.has(place)) put(maker, given.assigned.get(place));
    else if (sent !== undefined) put(maker, sent as Value);
    else if (maker.counts !== undefined || maker.onCreate !== undefined) open.push(maker);
    else if (maker.reads) open.push(maker);
    else if (maker.first !== undefined) put(maker, maker.first(work, draft));
    else if (maker.needed) throw new Stop(noValue(work.model, field));
  }
  for (const maker of open) {
    if (maker.counts !== undefined && maker.onCreate === undefined) {
      values[maker.place] = maker.countsChanges
        ? maker.counts.from
        : count(work, compiled, maker, values);
    } else if (maker.onCreate !== undefined) put(maker, maker.onCreate(work, draft));
    else if (maker.first !== undefined) put(maker, maker.first(work, draft));
  }
  for (const maker of makers) {
    if (maker.counts !== undefined && !maker.countsChanges && given.assigned.has(maker.place)) {
      work.session.counters.atLeast(
        counterOf(compiled, maker, values),
        (values[maker.place] as bigint) - maker.counts.from + 1n,
      );
    }
  }
  if (info.mark !== undefined) values[info.mark] = null;
  startClocks(info.clocks, values, values[info.state ?? -1], work.ambient);
  for (const { place, field } of makers) {
    if (values[place] === undefined && !field.type.orAbsent) {
      throw new Stop(noValue(work.model, field));
    }
  }
  const row = work.create(info.name, values);
  keepPlain(work, row, plain);
  if (compiled.timed) work.timersChanged = true;
  return row;
}

/** Sets fields of a row to stored values, and those that the document sets with them. */
function changeRow(
  work: Transaction,
  compiled: Compiled,
  row: Row,
  changes: Changes,
): StepOutcome | undefined {
  const { info, makers } = compiled;
  if (changes.size === 0) return undefined;
  if (info.gaps.changed !== undefined) return { is: "gap", gap: info.gaps.changed };
  if (compiled.neverChanged) {
    return { is: "fault", message: `a row of ${info.name}, which never changes, was changed` };
  }
  const touched = work.change(row);
  const state = info.state ?? -1;
  const before = row.values[state];
  const changed = new Set<number>();
  for (const [place, stored] of changes) {
    if (!sameStored(row.values[place], stored)) changed.add(place);
    row.values[place] = stored;
  }
  for (const maker of makers) {
    const { place } = maker;
    if (maker.countsChanges && !touched.counted) {
      row.values[place] = (row.values[place] as bigint) + 1n;
    }
    if (maker.onUpdate === undefined || changes.has(place)) continue;
    if (maker.changes.length === 0 || maker.changes.some((one) => changed.has(one))) {
      row.values[place] = maker.stored(work, maker.onUpdate(work, row));
    }
  }
  if (changes.has(state)) {
    const { ambient } = work;
    enterState(info.clocks, row, { before, after: row.values[state], ambient });
  }
  touched.counted = true;
  if (compiled.timed) work.timersChanged = true;
  return undefined;
}

/** What the columns are to hold of values by place. */
function storedChanges(work: Transaction, { makers }: Compiled, changes: Changes): Changes {
  return new Map(
    [...changes].map(([place, value]) => {
      const maker = makers[place] as FieldMaker;
      return [place, maker.stored(work, value)];
    }),
  );
}

/**
 * Members of a client as stored values by place. A part that merges keeps members that were left
 * out as they are stored.
 */
function givenChanges(work: Transaction, compiled: Compiled, row: Row, sent: Sent): Changes {
  const { from, givenOnly } = sent;
  const changes = new Map<number, Value>();
  const failures: InputFailure[] = [];
  for (const { place, field, first, stored } of compiled.makers) {
    if (field.update.is === "no") continue;
    const value = from.get(field.name) as Value;
    const merge = compiled.merges.get(place);
    if (value === undefined) {
      if (givenOnly) continue;
      if (first !== undefined) changes.set(place, stored(work, first(work, row)));
      else if (field.type.orAbsent) changes.set(place, undefined);
      else throw new Stop(noValue(work.model, field));
    } else if (merge !== undefined) {
      const before = row.values[place];
      changes.set(place, merge(work, { before, patch: stored(work, value) }, failures));
    } else changes.set(place, stored(work, value));
  }
  if (failures.length > 0) throw new Stop({ is: "failures", failures });
  return changes;
}

/** Compiles the actions on rows of every resource, each when it is first needed. */
export function compileRowActions(kit: CompilerServices): RowActions {
  const compiled = new Map<string, Compiled>();
  const of = (resource: string): Compiled => {
    let found = compiled.get(resource);
    if (found === undefined) {
      found = compileResource(kit, kit.model.info(resource));
      compiled.set(resource, found);
    }
    return found;
  };
  const actions: RowActions = {
    create: (work, resource, given) => newRow(work, of(resource), given),
    changeFrom: (work, row, sent) => {
      const compiled = of(row.resource);
      return changeRow(work, compiled, row, givenChanges(work, compiled, row, sent));
    },
    change: (work, row, changes) => {
      const compiled = of(row.resource);
      return changeRow(work, compiled, row, storedChanges(work, compiled, changes));
    },
    delete: (work, row) => deleteRows(work, of, row, actions.change),
    deleteByStep: (work, row) => {
      const { info, neverDeleted, neverChanged } = of(row.resource);
      if (!neverDeleted && !neverChanged) return actions.delete(work, row);
      const message = `a row of ${info.name}, which is never deleted, was deleted`;
      return { is: "fault", message };
    },
  };
  return actions;
}

/** Deletes rows one after another: each with what its referrers state, without recursion. */
function deleteRows(
  work: Transaction,
  of: (resource: string) => Compiled,
  first: Row,
  change: RowActions["change"],
): StepOutcome | undefined {
  const waiting = [first];
  for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
    if (work.isDeleted(row)) continue;
    const compiled = of(row.resource);
    const { deleted, changed } = compiled.info.gaps;
    const gap = deleted ?? changed;
    if (gap !== undefined) return { is: "gap", gap };
    for (const refused of compiled.deleteRefused) {
      const ending = refused(work, row);
      if (ending !== undefined) return ending;
    }
    work.delete(row);
    if (compiled.timed) work.timersChanged = true;
    for (const referrer of compiled.referrers) {
      const left = leave(work, referrer, row, change);
      if (left !== undefined && "is" in left) return left;
      if (left !== undefined) waiting.push(...left);
    }
  }
  return undefined;
}

/** Does what a reference states for the case that its row is gone; gives rows to delete too. */
function leave(
  work: Transaction,
  referrer: Referrer,
  gone: Row,
  change: RowActions["change"],
): StepOutcome | readonly Row[] | undefined {
  if (referrer.action === "kept") return undefined;
  const frame = new Activation(referrer.unit, work);
  frame.set(1, true);
  frame.set(referrer.target, gone);
  const rows = referrer.finder.rows(frame).filter((row) => !work.isDeleted(row));
  if (rows.length === 0) return undefined;
  if (referrer.action === "deleted with it") return rows;
  if (referrer.action !== "set to null") {
    return referrer.refuse?.(frame, gone) ?? { is: "gap", gap: referrer.item, silent: true };
  }
  for (const row of rows) {
    const ending = change(work, row, new Map([[referrer.place, null]]));
    if (ending !== undefined) return ending;
  }
  return undefined;
}
