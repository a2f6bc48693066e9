/** Which fields hold integers of 64 bits alone, so that a store may keep them as such. */
import type { Field } from "./types/service.ts";
import type { Rule } from "./types/value.ts";

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;

/** Whether an integer has 64 bits. */
export function isNarrow(value: bigint): boolean {
  return value >= MIN && value <= MAX;
}

function literalOf(rule: Rule, end: "min" | "max"): bigint | undefined {
  if (rule.kind !== "range") return undefined;
  const code = rule[end];
  if (code === undefined) return undefined;
  const negative = code.op === "call" && code.fn === "neg" ? code.args[0] : undefined;
  const literal = negative ?? code;
  if (literal.op !== "literal" || typeof literal.value !== "string") return undefined;
  const digits = literal.value.replace(".", "");
  if (!/^-?\d+$/.test(digits)) return undefined;
  const value = BigInt(digits);
  return negative === undefined ? value : -value;
}

/** Whether a field of integers counts up, or is bounded within 64 bits by its own rules. */
export function hasNarrowIntegers({ type, rules }: Field): boolean {
  if (type.type.kind !== "integer") return false;
  if (rules.some((rule) => rule.kind === "counts up")) return true;
  const low = rules.map((rule) => literalOf(rule, "min")).find((one) => one !== undefined);
  const high = rules.map((rule) => literalOf(rule, "max")).find((one) => one !== undefined);
  return low !== undefined && high !== undefined && isNarrow(low) && isNarrow(high);
}
