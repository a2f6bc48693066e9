/** Fits a value to the type that is wanted at its place, or says why it does not fit. */
import { formatType, formatWithArticle } from "../format.ts";
import { canBeNull, containsType, isAssignable, JSON_TYPE, withoutNull } from "../relations.ts";
import type { Code, ProblemText, Type } from "../types.ts";
import { operandHint } from "./hints.ts";
import type { Typed } from "./scope.ts";
import { placesOf, widen } from "./widen.ts";

/** A literal takes the places, or the type of an empty list, from what is expected. */
export function fitted(code: Code, expected: Type): Code {
  const places = placesOf(expected);
  if (places !== undefined) return widen(code, places);
  const isWanted = containsType(expected, ({ kind }) => kind === "json");
  return isWanted && !isAssignable(code.type, expected) ? asJson(code, expected) : code;
}

/** A number where JSON is wanted becomes a JSON number: it is the same value. */
function asJson(code: Code, expected: Type): Code {
  const made = madeJson(code.type);
  if (made === undefined || !isAssignable(made, expected)) return code;
  return { op: "call", type: made, fn: "json", args: [code] };
}

/** The type with JSON in place of its numbers; undefined where something in it is no JSON. */
function madeJson(type: Type): Type | undefined {
  if (type.kind === "list" || type.kind === "map" || type.kind === "nullable") {
    const of = madeJson(type.of);
    return of && { kind: type.kind, of };
  }
  if (/^(integer|decimal|number)$/.test(type.kind)) return JSON_TYPE;
  return isAssignable(type, JSON_TYPE) ? type : undefined;
}

/** Why a value does not fit the type that is wanted. */
export function misfit(
  { code, path }: Typed,
  expected: Type,
  advice?: ReadonlyMap<string, string>,
): ProblemText {
  const { type } = code;
  if (canBeNull(type) && isAssignable(withoutNull(type), expected) && type.kind !== "null") {
    const what = path ? `\`${path}\`` : "this";
    const hint = path ? (advice?.get(path) ?? `guard it: \`${path} != null\``) : undefined;
    return { code: "unguarded", message: `${what} may be null`, hint };
  }
  const message = `${formatType(expected)} is wanted here, this is ${formatWithArticle(type)}`;
  const wanted: Code = { op: "literal", type: withoutNull(expected), value: "0" };
  const hint =
    nullItems(type, expected) ??
    (type.kind === expected.kind ? undefined : operandHint("", code, wanted));
  return { code: "wrong-type", message, hint };
}

/** `or null` behind `list of` is said of the items, and so no list is null. */
function nullItems(type: Type, expected: Type): string | undefined {
  if (type.kind !== "null" || (expected.kind !== "list" && expected.kind !== "map")) {
    return undefined;
  }
  return expected.of.kind === "nullable"
    ? `\`or null\` behind \`${expected.kind} of\` is said of the items: no ${expected.kind} is null`
    : undefined;
}
