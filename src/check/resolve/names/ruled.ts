/** What the rules of an input or of a body's member say of its value: numbers and lengths. */
import type { Code, Type } from "../../../expr/index.ts";
import type { Rule } from "../../../plan/index.ts";
import type { Match } from "../../../spec/index.ts";
import { textOf } from "./resolver.ts";

function literalOf(code: Code | undefined): bigint | undefined {
  if (code?.op !== "literal" || code.type.kind !== "integer") return undefined;
  return typeof code.value === "string" ? BigInt(code.value) : undefined;
}

function isAbove(code: Code | undefined): boolean {
  return code?.op === "literal" && Number(code.value) > 0;
}

/** The type of a value that keeps the rules. */
export function ruledType(type: Type, rules: readonly Rule[]): Type {
  if (type.kind === "nullable") return { kind: "nullable", of: ruledType(type.of, rules) };
  let made = type;
  for (const rule of rules) {
    if (rule.kind === "range" && made.kind === "integer") {
      const [least, most] = [literalOf(rule.min), literalOf(rule.max)];
      made = {
        ...made,
        ...(least === undefined ? {} : { least }),
        ...(most === undefined ? {} : { most }),
      };
    }
    if (rule.kind === "range" && isAbove(rule.min)) {
      if (made.kind === "decimal" || made.kind === "number") made = { ...made, nonZero: true };
    }
    if (made.kind !== "list") continue;
    if (rule.kind === "items" && rule.min !== undefined)
      made = { ...made, least: BigInt(rule.min) };
    if (rule.kind === "not empty") made = { ...made, least: 1n };
  }
  return made;
}

/** The same by the rules as they are written, where they are not resolved yet. */
export function writtenType(type: Type, rules: readonly Match[]): Type {
  if (type.kind === "nullable") return { kind: "nullable", of: writtenType(type.of, rules) };
  let made = type;
  for (const rule of rules) {
    const number = (slot: string): bigint | undefined => {
      const text = textOf(rule, slot);
      return /^-?\d+$/.test(text) ? BigInt(text) : undefined;
    };
    if (made.kind === "integer" && ["range", "least", "most"].includes(rule.form)) {
      const [least, most] = [number("min"), number("max")];
      made = {
        ...made,
        ...(least === undefined ? {} : { least }),
        ...(most === undefined ? {} : { most }),
      };
    }
    if (made.kind !== "list") continue;
    const least = rule.form === "not empty" ? 1n : (number("min") ?? number("n"));
    if (/^(items|not empty)/.test(rule.form) && least !== undefined) made = { ...made, least };
  }
  return made;
}
