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
  rows(tx: Transaction, gone: Row): readonly Row[];
  leave(value: Value, gone: number): Left;
  refuse(tx: Transaction, left: Left, row: Row): StepOutcome | undefined;
}

/** What deleting rows of one resource needs. */
export interface Deleting {
  readonly keepers: readonly Keeper[];
  readonly refused: readonly ((tx: Transaction, row: Row) => StepOutcome | undefined)[];
}

/** Finds the rows whose field is a reference, or a list of references, that names a row. */
function finderOf(
  services: CompilerServices,
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
    return (tx) => tx.all(info.name);
  }
  const scope = new Scope(services.model);
  const target = scope.slot("#target");
  const of = nameOf("it", { kind: "row", resource: info.name });
  const row = { kind: "row", resource } as const;
  const named = nameOf("#target", row);
  const own = { kind: "list" as const, of: row };
  const isNothing = stated.type.orNull || stated.type.orAbsent;
  if (list !== undefined && isNothing) return (tx) => tx.all(info.name);
  const finder = findRows(scope, info.name, [
    ...(list === undefined
      ? fieldIs(info, stated.name, named)
      : [callOf("in", named, { op: "get", of, member: stated.name, type: own })]),
  ]);
  return (tx, gone) => {
    const activation = new Activation(scope, tx);
    // Whoever asks: what deleting does is done to all rows.
    activation.set(1, true);
    activation.set(target, gone);
    return finder.rows(activation);
  };
}

function keeperOf(services: CompilerServices, at: FieldPlace, resource: string): readonly Keeper[] {
  const field = at.info.fields[at.field];
  const leave = field && compileLeaving(services.model, field, resource);
  if (leave === undefined) return [];
  const scope = new Scope(services.model);
  const it = scope.slot("it");
  const refusals = new Map<ItemId, (activation: Activation, it?: Row) => StepOutcome>();
  for (const { fields } of [at.info, ...services.model.plan.partTypes]) {
    for (const one of fields) {
      const rule = ruleOf(one, "when gone");
      if (rule?.otherwise === undefined) continue;
      refusals.set(rule.id, services.refusal(scope, rule.otherwise));
    }
  }
  const rows = finderOf(services, at, resource);
  return [
    {
      place: at.field,
      rows,
      leave,
      refuse: (tx, { gap, refused }, row) => {
        if (gap !== undefined) return { is: "gap", gap: gap.id, silent: gap.silent };
        const activation = new Activation(scope, tx).set(it, refused?.part ?? row);
        return refusals.get(refused?.rule.id ?? "")?.(activation, row);
      },
    },
  ];
}

function refusedDeletes(services: CompilerServices, info: ResourceInfo): Deleting["refused"] {
  const scope = new Scope(services.model);
  const it = scope.slot("it");
  return info.resource.invariants.flatMap((invariant) => {
    if (invariant.kind !== "deleted refused") return [];
    const condition = compileExpression(scope, invariant.condition);
    const refuse = services.refusal(scope, invariant.otherwise);
    return [
      (tx: Transaction, row: Row) => {
        const activation = new Activation(scope, tx).set(it, row);
        return condition(activation) === true ? refuse(activation, row) : undefined;
      },
    ];
  });
}

/** Compiles what deleting rows of a resource does. */
export function compileDeleting(services: CompilerServices, info: ResourceInfo): Deleting {
  return {
    keepers: info.keepers.flatMap((at) => keeperOf(services, at, info.name)),
    refused: refusedDeletes(services, info),
  };
}

/** What deleting does to other rows. */
interface Hands {
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
export function deleteRows(tx: Transaction, first: Row, hands: Hands): StepOutcome | undefined {
  const named: Named[] = [];
  const waiting = [first];
  for (let gone = waiting.pop(); gone !== undefined; gone = waiting.pop()) {
    if (tx.isDeleted(gone)) continue;
    const { deleting, timed, info } = hands.of(gone.resource);
    const gap = info.gaps.deleted ?? info.gaps.changed;
    if (gap !== undefined) return { is: "gap", gap };
    for (const refused of deleting.refused) {
      const outcome = refused(tx, gone);
      if (outcome !== undefined) return outcome;
    }
    tx.delete(gone);
    if (timed) tx.timersChanged = true;
    const doomed: Row[] = [];
    for (const keeper of deleting.keepers) {
      const rows = keeper.rows(tx, gone).filter((row) => !tx.isDeleted(row));
      const { place } = keeper;
      const { key } = gone;
      for (const row of rows) if (keeper.leave(row.values[place], key).deletes) doomed.push(row);
      if (rows.length > 0) named.push({ gone, keeper, rows });
    }
    waiting.push(...doomed.reverse());
  }
  return leaveAll(tx, named, hands);
}

/** Does what the fields of the rows that are left state of the rows that are not. */
function leaveAll(tx: Transaction, named: readonly Named[], hands: Hands): StepOutcome | undefined {
  for (const { gone, keeper, rows } of named) {
    for (const row of rows) {
      if (tx.isDeleted(row)) continue;
      const before = row.values[keeper.place];
      const left = keeper.leave(before, gone.key);
      const outcome =
        keeper.refuse(tx, left, row) ??
        (left.value === before ? undefined : hands.left(row, keeper.place, left.value));
      if (outcome !== undefined) return outcome;
    }
  }
  return undefined;
}
