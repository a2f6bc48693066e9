/** Names of fields, and of fields in lower case: what rows are looked up by. */
import type { Code } from "../../expr/index.ts";

const LOWERED = /^lower\((.+)\)$/;

/** Stands for the value of the field in lower case: no field has such a name. */
export function lowered(field: string): string {
  return `lower(${field})`;
}

/** The field of a name made by `lowered`; undefined for a field itself. */
export function unlowered(name: string): string | undefined {
  return LOWERED.exec(name)?.[1];
}

/** What a call of `lower` is given, where that reads a member. */
export function readInLower(code: Code): (Code & { readonly op: "get" }) | undefined {
  if (code.op !== "call" || code.fn !== "lower") return undefined;
  const [of] = code.args;
  return of?.op === "get" ? of : undefined;
}
