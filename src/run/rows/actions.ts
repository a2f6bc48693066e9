/** Creates, changes and deletes rows with all that their resource states about it. */
import type { ItemId } from "../../plan/index.ts";
import type { Changes, CompilerServices, Given, RowActions, Sent } from "../compile/services.ts";
import type { ResourceInfo } from "../context/model.ts";
import { type StepOutcome, Stop } from "../context/step-outcome.ts";
import type { Transaction } from "../context/transaction.ts";
import { enterState, startClocks } from "../context/transition-timers.ts";
import type { InputFailure, Row, Value } from "../ports/index.ts";
import { compileDeleting, type Deleting, deleteRows } from "./deleting.ts";
import { compileDraft, type Draft } from "./drafts.ts";
import type { FieldMaker, FieldMakers } from "./fields.ts";
import { compileFields } from "./fields.ts";
import { meetHidden, noValue } from "./firsts.ts";
import { compileMerge, isMergeable, type Merge } from "./merging.ts";
import { sameStored } from "./stored.ts";

interface Compiled extends FieldMakers {
  readonly draft: Draft;
  /** By place: how fields that are merged are. */
  readonly merges: ReadonlyMap<number, Merge>;
  readonly deleting: Deleting;
  readonly neverDeleted: boolean;
  readonly neverChanged: boolean;
  /** The type of a field is not shown: no row can be stored. */
  readonly typeGap: ItemId | undefined;
  readonly timed: boolean;
}

function compileResource(services: CompilerServices, info: ResourceInfo): Compiled {
  const { invariants } = info.resource;
  const merging = [...info.fields.entries()].filter(
    ([, { update, type }]) => update.is === "merged" && isMergeable(type),
  );
  const makers = compileFields(services.model, info);
  return {
    ...makers,
    draft: compileDraft(makers),
    merges: new Map(merging.map(([place, field]) => [place, compileMerge(services, field)])),
    deleting: compileDeleting(services, info),
    neverDeleted: invariants.some((one) => one.kind === "deleted never"),
    neverChanged: invariants.some((one) => one.kind === "changed never"),
    typeGap: info.fields.find((field) => field.gap !== undefined)?.gap,
    timed:
      invariants.some((one) => one.kind === "kept for") ||
      info.clocks.length > 0 ||
      info.machine?.transitions.some((one) => one.on.is === "time") === true,
  };
}

function count(
  tx: Transaction,
  compiled: Compiled,
  maker: FieldMaker,
  values: readonly Value[],
): Value {
  const { from = 1n } = maker.counts ?? {};
  const { name } = compiled.info;
  // Rows at the start, or those that a time has made, would have taken numbers.
  const unknown = tx.moreGap(name);
  if (unknown !== undefined) throw new Stop({ is: "gap", gap: unknown });
  return from + tx.session.counters.next(counterOf(compiled, maker, values)) - 1n;
}

/** Name of the counter of a field, among the rows that are alike in its `within` fields. */
function counterOf(compiled: Compiled, maker: FieldMaker, values: readonly Value[]): string {
  const scope = (maker.counts?.within ?? []).map((place) => String(values[place]));
  return JSON.stringify([compiled.info.name, maker.field.name, ...scope]);
}

function keepPlain(tx: Transaction, row: Row, plain: ReadonlyMap<number, string>): void {
  if (plain.size > 0) tx.keepPlain(row, new Map(plain));
}

/** Values of a new row; throws a fault where a field that must have one gets none. */
function newRow(tx: Transaction, compiled: Compiled, given: Given): Row {
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
    values[maker.place] = maker.stored(tx, value);
  };
  const met = info.gaps.used ?? compiled.typeGap;
  if (met !== undefined) throw new Stop({ is: "gap", gap: met });
  const open: FieldMaker[] = [];
  for (const maker of makers) {
    const { place, field } = maker;
    const sent = field.create.is === "no" ? undefined : given.from?.get(field.name);
    if (given.assigned.has(place)) put(maker, given.assigned.get(place));
    else if (sent !== undefined && field.create.is === "gap") throw new Stop(field.create);
    else if (sent !== undefined) put(maker, sent as Value);
    else if (maker.hidden !== undefined) meetHidden(maker);
    else if (maker.counts !== undefined || maker.onCreate !== undefined) open.push(maker);
    else if (maker.reads) open.push(maker);
    else if (maker.first !== undefined) put(maker, maker.first(tx, draft));
    else if (maker.needed) throw new Stop(noValue(tx.model, field));
  }
  for (const maker of open) {
    if (maker.counts !== undefined && maker.onCreate === undefined) {
      values[maker.place] = maker.countsChanges
        ? maker.counts.from
        : count(tx, compiled, maker, values);
    } else if (maker.onCreate !== undefined) put(maker, maker.onCreate(tx, draft));
    else if (maker.first !== undefined) put(maker, maker.first(tx, draft));
  }
  for (const maker of makers) {
    if (maker.counts === undefined || maker.countsChanges) continue;
    if (!given.assigned.has(maker.place)) continue;
    const last = (values[maker.place] as bigint) - maker.counts.from + 1n;
    // A number before the first one is never the greatest.
    if (last > 0n) tx.session.counters.atLeast(counterOf(compiled, maker, values), last);
  }
  if (info.mark !== undefined) values[info.mark] = null;
  startClocks(info.clocks, values, values[info.state ?? -1], tx.ambient);
  for (const { place, field } of makers) {
    if (values[place] === undefined && !field.type.orAbsent) {
      throw new Stop(noValue(tx.model, field));
    }
  }
  const row = tx.create(info.name, values);
  keepPlain(tx, row, plain);
  if (compiled.timed) tx.timersChanged = true;
  return row;
}

/** Sets fields of a row to stored values, and those that the document sets with them. */
function changeRow(
  tx: Transaction,
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
  const touched = tx.change(row);
  const state = info.state ?? -1;
  const before = row.values[state];
  const changed = new Set<number>();
  for (const [place, stored] of changes) {
    if (!sameStored(row.values[place], stored)) changed.add(place);
    row.values[place] = stored;
  }
  for (const maker of makers) {
    const { place } = maker;
    if (!changes.has(place)) meetHidden(maker);
    if (maker.countsChanges && !touched.counted) {
      row.values[place] = (row.values[place] as bigint) + 1n;
    }
    if (maker.onUpdate === undefined || changes.has(place)) continue;
    if (maker.changes.length === 0 || maker.changes.some((one) => changed.has(one))) {
      row.values[place] = maker.stored(tx, maker.onUpdate(tx, row));
    }
  }
  if (changes.has(state)) {
    const { ambient } = tx;
    enterState(info.clocks, row, { before, after: row.values[state], ambient });
  }
  touched.counted = true;
  if (compiled.timed) tx.timersChanged = true;
  return undefined;
}

/** What the columns are to hold of values by place. */
function storedChanges(tx: Transaction, { makers }: Compiled, changes: Changes): Changes {
  return new Map(
    [...changes].map(([place, value]) => {
      const maker = makers[place] as FieldMaker;
      return [place, maker.stored(tx, value)];
    }),
  );
}

/**
 * Members of a client as stored values by place. A part that merges keeps members that were left
 * out as they are stored.
 */
function givenChanges(tx: Transaction, compiled: Compiled, row: Row, sent: Sent): Changes {
  const { from, givenOnly } = sent;
  const changes = new Map<number, Value>();
  const failures: InputFailure[] = [];
  for (const { place, field, first, stored } of compiled.makers) {
    if (field.update.is === "no") continue;
    const value = from.get(field.name) as Value;
    const merge = compiled.merges.get(place);
    if (value === undefined && givenOnly) continue;
    // A row of the input table has read it, in place of a field that is perhaps none to give.
    if (field.update.is === "gap") throw new Stop(field.update);
    if (value === undefined) {
      if (first !== undefined) changes.set(place, stored(tx, first(tx, row)));
      else if (field.type.orAbsent) changes.set(place, undefined);
      else throw new Stop(noValue(tx.model, field));
    } else if (merge !== undefined) {
      const both = { before: row.values[place], patch: stored(tx, value) };
      changes.set(place, stored(tx, merge(tx, both, failures)));
    } else changes.set(place, stored(tx, value));
  }
  if (failures.length > 0) throw new Stop({ is: "failures", failures });
  return changes;
}

/** Compiles the actions on rows of every resource, each when it is first needed. */
export function compileRowActions(services: CompilerServices): RowActions {
  const compiled = new Map<string, Compiled>();
  const of = (resource: string): Compiled => {
    let found = compiled.get(resource);
    if (found === undefined) {
      found = compileResource(services, services.model.info(resource));
      compiled.set(resource, found);
    }
    return found;
  };
  const actions: RowActions = {
    create: (tx, resource, given) => newRow(tx, of(resource), given),
    draft: (tx, resource, given, places) => of(resource).draft(tx, given, places),
    changeFrom: (tx, row, sent) => {
      const compiled = of(row.resource);
      return changeRow(tx, compiled, row, givenChanges(tx, compiled, row, sent));
    },
    change: (tx, row, changes) => {
      const compiled = of(row.resource);
      return changeRow(tx, compiled, row, storedChanges(tx, compiled, changes));
    },
    delete: (tx, row) =>
      deleteRows(tx, row, {
        of: (resource) => of(resource),
        left: (one, place, value) =>
          changeRow(tx, of(one.resource), one, new Map([[place, value]])),
      }),
    deleteByStep: (tx, row) => {
      const { info, neverDeleted, neverChanged } = of(row.resource);
      if (!neverDeleted && !neverChanged) return actions.delete(tx, row);
      const message = `a row of ${info.name}, which is never deleted, was deleted`;
      return { is: "fault", message };
    },
  };
  return actions;
}
