/** Resolves the value of a member that is shown, or left out on a condition. */
import { type Code, callOf, type Type } from "../../../expr/index.ts";
import type { Expression, ValueType } from "../../../plan/index.ts";
import type { Match, TextSlot } from "../../../spec/index.ts";
import {
  BOOLEAN,
  type Resolved,
  resolve,
  resolveOptional,
  type View,
} from "../names/expression.ts";
import { type Resolver, report, slotOf } from "../names/resolver.ts";

/** The type, or null. */
export function nullable(type: Type): Type {
  return type.kind === "nullable" ? type : { kind: "nullable", of: type };
}

interface Showing {
  readonly view: View;
  readonly field: { readonly type: ValueType };
  readonly slot: TextSlot;
  readonly match: Match | undefined;
}

/** The value of a cell; one that is left out on a condition is no value there. */
export function shownWhen(
  r: Resolver,
  { view, field: { type }, slot, match }: Showing,
  expected: Type | undefined,
): Resolved {
  const condition = slotOf(match, "condition");
  const isLeft = match?.form === "value left out";
  if (condition === undefined && !isLeft) {
    return (type.orAbsent ? resolveOptional : resolve)(r, slot, view, expected);
  }
  if (!type.orAbsent) {
    report(r, "contradiction", slot, {
      message: "A member that may be left out has a type `or absent`.",
      hint: "Write `or absent` behind the type.",
    });
  }
  if (condition === undefined) {
    const wide = expected === undefined ? undefined : nullable(expected);
    const found = resolve(r, slot, view, wide);
    const { code } = found.expression;
    const none: Code = { op: "literal", type: { kind: "null" }, value: null };
    return left(r, slot, found, callOf("!=", code, none));
  }
  const { expression, checked } = resolve(r, condition, view, BOOLEAN);
  const found = resolve(r, slot, { ...view, facts: checked.whenTrue }, expected);
  return left(r, slot, found, expression.code);
}

/** A value that is absent where the condition does not hold. */
function left(r: Resolver, slot: TextSlot, found: Resolved, condition: Code): Resolved {
  const { code } = found.expression;
  const none: Code = { op: "absent", type: code.type };
  const args = [condition, code, none];
  const expression: Expression = {
    code: { op: "call", type: code.type, fn: "?:", args },
    text: slot.text,
  };
  r.places.set(expression, slot);
  return { ...found, expression };
}
