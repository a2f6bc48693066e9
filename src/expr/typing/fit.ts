/** Fits a value to the type that is wanted at its place, or says why it does not fit. */
import { formatType, formatWithArticle } from "../format.ts";
import { canBeNull, isAssignable, withoutNull } from "../relations.ts";
import type { Code, Problem, Type } from "../types.ts";
import { operandHint } from "./hints.ts";
import type { Typed } from "./scope.ts";
import { placesOf, widen } from "./widen.ts";

/** A literal takes the places, or the type of an empty list, from what is expected. */
export function fitted(code: Code, expected: Type): Code {
  const places = placesOf(expected);
  return places === undefined ? code : widen(code, places);
}

/** Why a value does not fit the type that is wanted. */
export function misfit({ code, path }: Typed, expected: Type): Omit<Problem, "start" | "end"> {
  const { type } = code;
  if (canBeNull(type) && isAssignable(withoutNull(type), expected) && type.kind !== "null") {
    const what = path ? `\`${path}\`` : "this";
    const hint = path ? `guard it: \`${path} != null\`` : undefined;
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
