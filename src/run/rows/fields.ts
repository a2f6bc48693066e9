/** Compiles what the fields of a resource state about their values: starts, set, counts, random. */
import { freeNames } from "../../expr/index.ts";
import type { Field } from "../../plan/index.ts";
import { encodeRandom, makeId, makeUuid } from "../chance/random.ts";
import { Activation, Scope } from "../context/activation.ts";
import type { Model, ResourceInfo } from "../context/model.ts";
import type { StepOutcome } from "../context/step-outcome.ts";
import type { Transaction } from "../context/transaction.ts";
import type { Row, Value } from "../ports/index.ts";
import { compileExpression } from "../query/expression.ts";
import { gapOf, ruleOf, storedOf } from "./stored.ts";

/** Gives the value of a new row where nothing was given; it may read the row made so far. */
type First = (work: Transaction, row: Row) => Value;
/** Gives a value computed from the row as it stands. */
type Later = (work: Transaction, row: Row) => Value;

export interface FieldMaker {
  readonly place: number;
  readonly field: Field;
  /** The value of a new row where nothing was given. */
  readonly first: First | undefined;
  /** A new row must have a value here. */
  readonly needed: boolean;
  /** The first value reads other fields of the row, which are filled before it. */
  readonly reads: boolean;
  /** `set` on create, after the first values. */
  readonly onCreate: Later | undefined;
  readonly onUpdate: Later | undefined;
  /** Places whose change sets it again. */
  readonly changes: readonly number[];
  readonly counts: { readonly from: bigint; readonly within: readonly number[] } | undefined;
  readonly countsChanges: boolean;
  /** What the column holds of a value. */
  readonly stored: (work: Transaction, value: Value) => Value;
}

/** The compiled fields of a resource. */
export interface FieldMakers {
  readonly info: ResourceInfo;
  readonly makers: readonly FieldMaker[];
}

function firstOf(unit: Scope, info: ResourceInfo, field: Field): First | undefined {
  const starts = ruleOf(field, "starts");
  if (starts !== undefined) {
    const value = compileExpression(unit, starts.value);
    const it = unit.slot("it");
    return (work, row) => {
      const frame = new Activation(unit, work);
      frame.set(it, row);
      return value(frame);
    };
  }
  const random = ruleOf(field, "random");
  if (random !== undefined) {
    return ({ ambient }) => random.prefix + encodeRandom(ambient.random(random.bytes), random.form);
  }
  const { type } = field.type;
  if (type.kind === "state" && info.machine?.field === field.name) {
    const initial = info.machine.states.filter((state) => state.initial);
    return initial.length === 1 ? () => initial[0]?.name : undefined;
  }
  // An `id` is made by the service (its type says so); other types only where a rule says so.
  if (type.kind === "id" && field.create.is === "no") {
    return ({ ambient }) => (type.prefix ?? "") + makeId(ambient);
  }
  if (type.kind === "uuid" && field.create.is === "no" && info.resource.key === field.name) {
    return ({ ambient }) => makeUuid(ambient.random);
  }
  return undefined;
}

function makerOf(unit: Scope, info: ResourceInfo, place: number): FieldMaker {
  const field = info.fields[place] as Field;
  const [set, starts] = [ruleOf(field, "set"), ruleOf(field, "starts")];
  const it = unit.slot("it");
  const value = set === undefined ? undefined : compileExpression(unit, set.value);
  const later: Later | undefined =
    value === undefined
      ? undefined
      : (work, row) => {
          const frame = new Activation(unit, work);
          frame.set(it, row);
          return value(frame);
        };
  const counts = ruleOf(field, "counts up");
  const places = (names: readonly string[]) => names.map((name) => info.at.get(name) ?? -1);
  return {
    place,
    field,
    first: firstOf(unit, info, field),
    needed: !field.type.orAbsent && !field.name.startsWith("#"),
    reads: starts !== undefined && freeNames(starts.value.code).has("it"),
    onCreate: set?.onCreate === true ? later : undefined,
    onUpdate: set?.onUpdate === true || (set?.changes.length ?? 0) > 0 ? later : undefined,
    changes: places(set?.changes ?? []),
    counts:
      counts === undefined
        ? undefined
        : { from: BigInt(counts.from), within: places(counts.within) },
    countsChanges: counts?.onEveryChange === true,
    stored: storedOf(unit.model, field),
  };
}

/** Compiles the fields of one resource. */
export function compileFields(model: Model, info: ResourceInfo): FieldMakers {
  const unit = new Scope(model);
  return { info, makers: info.fields.map((_, place) => makerOf(unit, info, place)) };
}

/** How a request ends that would store a row in which this field has no value. */
export function noValue(model: Model, field: Field): StepOutcome {
  const gap =
    gapOf(model, field, "starts") ??
    model.plan.gaps.find(
      (one) => one.blocking && one.id.startsWith(`${field.id}/`) && /value|starts/.test(one.id),
    )?.id;
  return { is: "gap", gap: gap ?? `${field.id}/starts`, silent: gap === undefined };
}
