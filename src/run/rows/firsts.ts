/** Compiles the values that rules of a field give to a row or a part by themselves. */
import { freeNames } from "../../expr/index.ts";
import { type Field, hiddenRules, type ItemId } from "../../plan/index.ts";
import { encodeRandom, makeId, makeUuid } from "../chance/random.ts";
import { Activation, type Scope } from "../context/activation.ts";
import type { Model } from "../context/model.ts";
import { type StepOutcome, Stop } from "../context/step-outcome.ts";
import type { Transaction } from "../context/transaction.ts";
import type { Members, Row, Value } from "../ports/index.ts";
import { compileExpression } from "../query/expression.ts";
import { gapOf, ruleOf } from "./stored.ts";

/** Gives a value; it may read the row or part made so far. */
export type Make = (tx: Transaction, it: Row | Members) => Value;

/** What the rules of a field give. */
export interface Makes {
  /** The value of a new row or part where nothing was given. */
  readonly first: Make | undefined;
  /** The first value reads other fields, which are filled before it. */
  readonly reads: boolean;
  /** `set` on create, after the first values. */
  readonly onCreate: Make | undefined;
  readonly onUpdate: Make | undefined;
  /** Names of fields whose change sets it again; none: every change does. */
  readonly changes: readonly string[];
  /** Its rules are not shown: one may give it a value when it is made, or changed. */
  readonly hidden: ItemId | undefined;
}

function evaluated(scope: Scope, stated: Parameters<typeof compileExpression>[1]): Make {
  const value = compileExpression(scope, stated);
  const slot = scope.slot("it");
  return (tx, it) => {
    const activation = new Activation(scope, tx).set(slot, it);
    return value(activation);
  };
}

function firstOf(scope: Scope, field: Field): Make | undefined {
  const starts = ruleOf(field, "starts");
  if (starts !== undefined) return evaluated(scope, starts.value);
  const random = ruleOf(field, "random");
  if (random !== undefined) {
    const { bytes, form, prefix } = random;
    if (form === "uuid") return ({ ambient }) => ambient.make?.(form) ?? makeUuid(ambient.random);
    return ({ ambient }) =>
      prefix + (ambient.make?.(form, bytes) ?? encodeRandom(ambient.random(bytes), form));
  }
  const { type } = field.type;
  // An `id` is made by the service (its type says so); other types only where a rule says so.
  if (type.kind !== "id" || field.create.is !== "no") return undefined;
  return ({ ambient }) => (type.prefix ?? "") + (ambient.make?.("id") ?? makeId(ambient));
}

/** Compiles what the rules of a field give. */
export function makesOf(scope: Scope, field: Field): Makes {
  const [set, starts] = [ruleOf(field, "set"), ruleOf(field, "starts")];
  const later = set === undefined ? undefined : evaluated(scope, set.value);
  const changes = set?.changes ?? [];
  return {
    first: firstOf(scope, field),
    reads: starts !== undefined && freeNames(starts.value.code).has("it"),
    onCreate: set?.onCreate === true ? later : undefined,
    onUpdate: set?.onUpdate === true || changes.length > 0 ? later : undefined,
    changes,
    hidden: hiddenRules(field),
  };
}

/** Ends a work that makes or changes a row or part without a value that a rule may give. */
export function meetHidden({ hidden }: Pick<Makes, "hidden">): void {
  if (hidden !== undefined) throw new Stop({ is: "gap", gap: hidden });
}

/** How a request ends that would make a row or part in which this field has no value. */
export function noValue(model: Model, field: Field): StepOutcome {
  const rule = field.rules.find((one) => one.kind === "gap");
  const gap =
    gapOf(model, field, "starts") ??
    (rule?.kind === "gap" ? rule.gap : undefined) ??
    field.gap ??
    (field.create.is === "gap" ? field.create.gap : undefined);
  return { is: "gap", gap: gap ?? `${field.id}/starts`, silent: gap === undefined };
}
