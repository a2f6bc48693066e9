/** Resolves the value of a member that is shown, or left out on a condition. */
import { type Code, callOf, type Type } from "../../../expr/index.ts";
import type { Expression, ValueType } from "../../../plan/index.ts";
import type { Match, RowNode, TextSlot } from "../../../spec/index.ts";
import { cellIn, type TableRow } from "../names/cells.ts";
import {
  BOOLEAN,
  checkedHere,
  type Resolved,
  resolve,
  resolveOptional,
  type View,
} from "../names/expression.ts";
import { firstMatch, type Resolver, report, slotOf, textOf } from "../names/resolver.ts";

/** The type, or null. */
export function nullable(type: Type): Type {
  return type.kind === "nullable" ? type : { kind: "nullable", of: type };
}

/** Rows of one name: at most one of them is sent. */
export interface Alternatives {
  /** The conditions of the rows above. */
  readonly above: readonly TextSlot[];
  /** Whether a row below is sent where no condition holds. */
  readonly isClosed: boolean;
  /** Whether a row of the name stands above that may be sent whatever this one says. */
  readonly isAgain: boolean;
}

interface Showing extends Alternatives {
  readonly view: View;
  readonly type: ValueType;
  readonly slot: TextSlot;
  readonly match: Match | undefined;
}

/** What is known where no condition above holds, and the conditions as code. */
function below(r: Resolver, view: View, above: readonly TextSlot[]): { view: View; tests: Code[] } {
  const tests: Code[] = [];
  let seen = view;
  for (const { text } of above) {
    // The row above has told what is wrong with it.
    const { code, whenFalse } = checkedHere(r, text, seen);
    if (code === undefined) continue;
    tests.push(callOf("!", code));
    seen = { ...seen, facts: whenFalse };
  }
  return { view: seen, tests };
}

/** The value of a cell; one that is left out on a condition is no value there. */
export function shownWhen(r: Resolver, showing: Showing, expected: Type | undefined): Resolved {
  const { type, slot, match, above, isClosed } = showing;
  const condition = slotOf(match, "condition");
  const isLeft = match?.form === "value left out";
  const isLast = match?.form === "value otherwise";
  const { view, tests } = below(r, showing.view, above);
  if (showing.isAgain) {
    report(r, "second-name", slot, {
      message: "A row of this name stands straight above.",
      hint: "Write a condition behind each but the last, and `otherwise` or a condition behind it.",
    });
  }
  if (isLast && above.length === 0) {
    report(r, "contradiction", slot, {
      message: "No row above has this name and a condition.",
      hint: "Write the value alone, or state the other rows straight above it.",
    });
  }
  if (condition === undefined && !isLeft && !isLast) {
    return (type.orAbsent ? resolveOptional : resolve)(r, slot, view, expected);
  }
  if (!type.orAbsent && !isLast && !isClosed) {
    report(r, "contradiction", slot, {
      message: "A member that may be left out has a type `or absent`.",
      hint: "Write `or absent` behind the type.",
    });
  }
  if (condition !== undefined) {
    const { expression, checked } = resolve(r, condition, view, BOOLEAN);
    const found = resolve(r, slot, { ...view, facts: checked.whenTrue }, expected);
    return left(r, slot, found, [...tests, expression.code]);
  }
  if (!isLeft) {
    const found = (type.orAbsent ? resolveOptional : resolve)(r, slot, view, expected);
    return left(r, slot, found, tests);
  }
  const found = resolve(r, slot, view, expected === undefined ? undefined : nullable(expected));
  const none: Code = { op: "literal", type: { kind: "null" }, value: null };
  return left(r, slot, found, [callOf("!=", found.expression.code, none)]);
}

/** A value that is absent where one of the conditions does not hold. */
function left(r: Resolver, slot: TextSlot, found: Resolved, tests: readonly Code[]): Resolved {
  const { code } = found.expression;
  const [first, ...rest] = tests;
  if (first === undefined) return found;
  const condition = rest.reduce((one, next) => callOf("&&", one, next), first);
  const none: Code = { op: "absent", type: code.type };
  const expression: Expression = {
    code: { op: "call", type: code.type, fn: "?:", args: [condition, code, none] },
    text: slot.text,
  };
  r.places.set(expression, slot);
  return { ...found, expression };
}

/** A row whose name no other has. */
export const ALONE: Alternatives = { above: [], isClosed: false, isAgain: false };

/** Rows of one name that follow each other. */
export function alternativesOf(rows: readonly TableRow[]): ReadonlyMap<RowNode, Alternatives> {
  const found = new Map<RowNode, Alternatives>();
  const nameOf = (at: TableRow): string => textOf(firstMatch(at.row), "name");
  for (let i = 0; i < rows.length; ) {
    const [first] = [rows[i] as TableRow];
    let end = i + 1;
    while (end < rows.length && nameOf(rows[end] as TableRow) === nameOf(first)) end++;
    const group = rows.slice(i, end);
    const values = group.map((at) => cellIn(at, "Value")?.matches[0]);
    const isClosed = values.some((match) => match?.form === "value otherwise");
    for (const [k, { row }] of group.entries()) {
      const above = values.slice(0, k).flatMap((match) => slotOf(match, "condition") ?? []);
      const own = values[k];
      const isOne = own?.form === "value otherwise" || slotOf(own, "condition") !== undefined;
      found.set(row, { above, isClosed, isAgain: above.length < k || (k > 0 && !isOne) });
    }
    i = end;
  }
  return found;
}
