/** Deletes rows with what the invariants of their resource and the references to them state. */
import { callOf, nameOf } from "../../expr/index.ts";
import type { ItemId } from "../../plan/index.ts";
import type { CompilerServices } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import { fieldIs } from "../context/field-type.ts";
import type { FieldPlace, ResourceInfo } from "../context/model.ts";
import type { StepOutcome } from "../context/step-outcome.ts";
import type { Transaction } from "../context/transaction.ts";
import type { Row, Value } from "../ports/index.ts";
import { compileExpression, findRows } from "../query/expression.ts";
import { compileLeaving, type Left } from "./leaving.ts";
import { ruleOf } from "./stored.ts";

/** A field whose values may name rows of a resource, and what happens when one is deleted. */
interface Keeper {
  readonly place: number;
  /** The rows that may name the deleted one there. */
  rows(work: Transaction, gone: Row): readonly Row[];
  leave(value: Value, gone: number): Left;
  refuse(work: Transaction, left: Left, row: Row): StepOutcome | undefined;
}

/** What deleting rows of one resource needs. */
export interface Deleting {
  readonly keepers: readonly Keeper[];
  readonly refused: readonly ((work: Transaction, row: Row) => StepOutcome | undefined)[];
}

/** Finds the rows whose field is a reference, or a list of references, that names a row. */
function finderOf(
  kit: CompilerServices,
  { info, field }: FieldPlace,
  resource: string,
): Keeper["rows"] {
  const stated = info.fields[field];
  const type = stated?.type.type;
  const list =
    type?.kind === "list" && type.of.type.kind === "reference" && !type.of.orNull
      ? type.of.type
      : undefined;
  if (stated === undefined || (type?.kind !== "reference" && list === undefined)) {
    return (work) => work.all(info.name);
  }
  const unit = new Scope(kit.model);
  const target = unit.slot("#target");
  const of = nameOf("it", { kind: "row", resource: info.name });
  const row = { kind: "row", resource } as const;
  const named = nameOf("#target", row);
  const own = { kind: "list" as const, of: row };
  const isNothing = stated.type.orNull || stated.type.orAbsent;
  if (list !== undefined && isNothing) return (work) => work.all(info.name);
  const finder = findRows(unit, info.name, [
    ...(list === undefined
      ? fieldIs(info, stated.name, named)
      : [callOf("in", named, { op: "get", of, member: stated.name, type: own })]),
  ]);
  return (work, gone) => {
    const frame = new Activation(unit, work);
    // Whoever asks: what deleting does is done to all rows.
    frame.set(1, true);
    frame.set(target, gone);
    return finder.rows(frame);
  };
}

function keeperOf(kit: CompilerServices, at: FieldPlace, resource: string): readonly Keeper[] {
  const field = at.info.fields[at.field];
  const leave = field && compileLeaving(kit.model, field, resource);
  if (leave === undefined) return [];
  const unit = new Scope(kit.model);
  const it = unit.slot("it");
  const refusals = new Map<ItemId, (frame: Activation, it?: Row) => StepOutcome>();
  for (const { fields } of [at.info, ...kit.model.plan.partTypes]) {
    for (const one of fields) {
      const rule = ruleOf(one, "when gone");
      if (rule?.otherwise === undefined) continue;
      refusals.set(rule.id, kit.refusal(unit, rule.otherwise));
    }
  }
  const rows = finderOf(kit, at, resource);
  return [
    {
      place: at.field,
      rows,
      leave,
      refuse: (work, { gap, refused }, row) => {
        if (gap !== undefined) return { is: "gap", gap: gap.id, silent: gap.silent };
        const frame = new Activation(unit, work);
        frame.set(it, refused?.part ?? row);
        return refusals.get(refused?.rule.id ?? "")?.(frame, row);
      },
    },
  ];
}

function refusedDeletes(kit: CompilerServices, info: ResourceInfo): Deleting["refused"] {
  const unit = new Scope(kit.model);
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

/** Compiles what deleting rows of a resource does. */
export function compileDeleting(kit: CompilerServices, info: ResourceInfo): Deleting {
  return {
    keepers: info.keepers.flatMap((at) => keeperOf(kit, at, info.name)),
    refused: refusedDeletes(kit, info),
  };
}

/** What deleting does to other rows. */
export interface Hands {
  of(resource: string): {
    readonly info: ResourceInfo;
    readonly deleting: Deleting;
    readonly timed: boolean;
  };
  /** Sets a field of a row to what is left of its value. */
  left(row: Row, place: number, value: Value): StepOutcome | undefined;
}

/** Rows that name a deleted one in a field. */
interface Named {
  readonly gone: Row;
  readonly keeper: Keeper;
  readonly rows: readonly Row[];
}

/**
 * Deletes a row: first it and all rows that are deleted with it, each before those after it, then
 * the rows that are left and name one of them do what their fields state.
 */
export function deleteRows(work: Transaction, first: Row, hands: Hands): StepOutcome | undefined {
  const named: Named[] = [];
  const waiting = [first];
  for (let gone = waiting.pop(); gone !== undefined; gone = waiting.pop()) {
    if (work.isDeleted(gone)) continue;
    const { deleting, timed, info } = hands.of(gone.resource);
    const gap = info.gaps.deleted ?? info.gaps.changed;
    if (gap !== undefined) return { is: "gap", gap };
    for (const refused of deleting.refused) {
      const ending = refused(work, gone);
      if (ending !== undefined) return ending;
    }
    work.delete(gone);
    if (timed) work.timersChanged = true;
    const doomed: Row[] = [];
    for (const keeper of deleting.keepers) {
      const rows = keeper.rows(work, gone).filter((row) => !work.isDeleted(row));
      const { place } = keeper;
      const { key } = gone;
      for (const row of rows) if (keeper.leave(row.values[place], key).deletes) doomed.push(row);
      if (rows.length > 0) named.push({ gone, keeper, rows });
    }
    waiting.push(...doomed.reverse());
  }
  return leaveAll(work, named, hands);
}

/** Does what the fields of the rows that are left state of the rows that are not. */
function leaveAll(
  work: Transaction,
  named: readonly Named[],
  hands: Hands,
): StepOutcome | undefined {
  for (const { gone, keeper, rows } of named) {
    for (const row of rows) {
      if (work.isDeleted(row)) continue;
      const before = row.values[keeper.place];
      const left = keeper.leave(before, gone.key);
      const ending =
        keeper.refuse(work, left, row) ??
        (left.value === before ? undefined : hands.left(row, keeper.place, left.value));
      if (ending !== undefined) return ending;
    }
  }
  return undefined;
}
