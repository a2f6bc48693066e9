/** Conditions whose outcome is known: they hold always, or never, whatever the request is. */
import type { Code, Type } from "../types.ts";
import { keyOf, numberBound } from "./ranges.ts";

/** Whether a member is surely there. */
export type IsThere = (of: Code, member: string) => boolean;

/** What the condition always is; undefined where that hangs on what it reads. */
export function settledBy(code: Code, isThere: IsThere): boolean | undefined {
  if (code.op === "literal") return typeof code.value === "boolean" ? code.value : undefined;
  if (code.op === "has") return isThere(code.of, code.member) ? true : undefined;
  if (code.op !== "call") return undefined;
  const of = (at: number): boolean | undefined => settledBy(code.args[at] as Code, isThere);
  switch (code.fn) {
    case "!":
      return not(of(0));
    case "&&":
      return both(of(0), of(1));
    case "||":
      return not(both(not(of(0)), not(of(1))));
    case "?:":
      return chosen(of(0), of(1), of(2));
    case "==":
      return sameness(code.args);
    case "!=":
      return not(sameness(code.args));
    case "<":
      return isLess(code.args[0], code.args[1]);
    case "<=":
      return not(isLess(code.args[1], code.args[0]));
    case ">":
      return isLess(code.args[1], code.args[0]);
    case ">=":
      return not(isLess(code.args[0], code.args[1]));
    default:
      return undefined;
  }
}

function not(outcome: boolean | undefined): boolean | undefined {
  return outcome === undefined ? undefined : !outcome;
}

function both(a: boolean | undefined, b: boolean | undefined): boolean | undefined {
  if (a === false || b === false) return false;
  return a === true && b === true ? true : undefined;
}

function chosen(
  condition: boolean | undefined,
  a: boolean | undefined,
  b: boolean | undefined,
): boolean | undefined {
  if (condition !== undefined) return condition ? a : b;
  return a === b ? a : undefined;
}

/** Whether no value of the type is null; JSON may be, and what is not known may be anything. */
function isNeverNull({ kind }: Type): boolean {
  return kind !== "nullable" && kind !== "null" && kind !== "json" && kind !== "unknown";
}

function isSameText(a: Code, b: Code): boolean {
  const [left, right] = [keyOf(a), keyOf(b)];
  return left !== undefined && left === right;
}

/** Whether two values are always, or never, the same. */
function sameness([a, b]: readonly Code[]): boolean | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (b.type.kind === "null") {
    return a.type.kind === "null" || (isNeverNull(a.type) ? false : undefined);
  }
  if (a.type.kind === "null") return isNeverNull(b.type) ? false : undefined;
  if (isSameText(a, b)) return true;
  if (a.op === "literal" && b.op === "literal" && a.type.kind === "string")
    return a.value === b.value;
  if (isNumber(a.type) && isNumber(b.type) && (isLess(a, b) === true || isLess(b, a) === true)) {
    return false;
  }
  return undefined;
}

function isNumber({ kind }: Type): boolean {
  return kind === "integer" || kind === "decimal" || kind === "number";
}

/** Whether one value is always, or never, less than another. */
function isLess(a: Code | undefined, b: Code | undefined): boolean | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (isSameText(a, b)) return false;
  if (a.type.kind !== "integer" || b.type.kind !== "integer") return undefined;
  const [left, right] = [numberBound(a), numberBound(b)];
  if (left.most !== undefined && right.least !== undefined && left.most < right.least) return true;
  const isNever = left.least !== undefined && right.most !== undefined && left.least >= right.most;
  return isNever ? false : undefined;
}
