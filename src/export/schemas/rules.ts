/** The rules of a value as keywords of JSON Schema; what none says stands under `x-lacuna-`. */

import { never } from "../../base/index.ts";
import type { Code } from "../../expr/index.ts";
import type { Rule, ValueType } from "../../plan/index.ts";
import { exactNumber, type Json, type JsonObject } from "./json.ts";
import { asEcma } from "./pattern.ts";
import { type At, baseSchema, nullable } from "./types.ts";
import type { World } from "./world.ts";

/** The schema of a value under its rules. */
export function ruledSchema(
  w: World,
  value: ValueType & { readonly rules: readonly Rule[] },
  at: At,
): JsonObject {
  const { type, orNull, rules } = value;
  if (value.gap !== undefined) return { "x-lacuna-gap": w.gap(value.gap) };
  let schema = baseSchema(w, type, at);
  for (const rule of rules) schema = { ...schema, ...keywords(w, rule, value, at) };
  const isSent = at.mode !== "read";
  const emptied = rules.find((one) => one.kind.startsWith("empty "));
  if (orNull && at.form !== "text") schema = nullable(schema);
  if (!isSent || emptied === undefined || type.kind === "map") return schema;
  // An empty text is taken for none before anything else is asked of it.
  const { default: filled, ...rest } = schema;
  return { anyOf: [rest, { const: "" }], ...(filled === undefined ? {} : { default: filled }) };
}

/** The value of a literal as it stands in messages; undefined: it is none, or has another form. */
export function literalOf(code: Code, { type }: ValueType): Json | undefined {
  if (code.op === "list" && code.items.length === 0) return [];
  if (code.op === "map" && code.entries.length === 0) return {};
  if (code.op !== "literal") return undefined;
  const { value } = code;
  if (typeof value !== "string") return value;
  if (type.kind === "integer" || type.kind === "decimal") {
    return type.wire === "number" && isNumber(value) ? exactNumber(value) : undefined;
  }
  if (type.kind === "number") return isNumber(value) ? exactNumber(value) : undefined;
  return TEXTS.has(type.kind) ? value : undefined;
}

/** Types of which a literal has the text that is sent. */
const TEXTS: ReadonlySet<string> = new Set<ValueType["type"]["kind"]>([
  ...(["string", "one of", "state", "date", "email", "uri", "uuid", "time zone"] as const),
  ...(["event name", "error name"] as const),
]);

const NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/;
const isNumber = (text: string): boolean => NUMBER.test(text);

function least(rule: { readonly min?: number; readonly max?: number }, what: string): JsonObject {
  return { [`min${what}`]: rule.min, [`max${what}`]: rule.max };
}

function range(rule: Rule & { readonly kind: "range" }, value: ValueType): JsonObject {
  const bound = (name: string, code: Code | undefined): JsonObject => {
    if (code === undefined) return {};
    const number = literalOf(code, value);
    if (typeof number === "number" || typeof number === "object") return { [name]: number };
    return { [`x-lacuna-${name}`]: code.op === "literal" ? String(code.value) : undefined };
  };
  return { ...bound("minimum", rule.min), ...bound("maximum", rule.max) };
}

function sized(type: ValueType["type"]): JsonObject {
  if (type.kind === "list") return { minItems: 1 };
  return type.kind === "map" ? { minProperties: 1 } : { minLength: 1 };
}

function anyCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (one) => `[${one.toUpperCase()}${one.toLowerCase()}]`);
}

function filled(name: string, text: string, value: Json | undefined): JsonObject {
  return value === undefined ? { [`x-lacuna-${name}`]: text } : { [name]: value };
}

/** What a rule adds to the schema. */
function keywords(w: World, rule: Rule, value: ValueType, { mode }: At): JsonObject {
  switch (rule.kind) {
    case "characters":
      return least(rule, "Length");
    case "items":
      return least(rule, "Items");
    case "range":
      return range(rule, value);
    case "matches": {
      const pattern = asEcma(rule.pattern);
      return pattern === undefined
        ? { "x-lacuna-pattern": rule.pattern }
        : { pattern: `^(?:${pattern})$` };
    }
    case "scheme":
      return { pattern: `^(?:${rule.schemes.map(anyCase).join("|")}):` };
    case "different items":
      return { uniqueItems: true };
    case "at least one member":
      return { minProperties: 1 };
    case "not empty":
      return sized(value.type);
    case "absent means":
      if (mode !== "new") return {};
      return filled("default", rule.value.text, literalOf(rule.value.code, value));
    case "starts":
      if (mode !== "new") return {};
      return filled("default", rule.value.text, literalOf(rule.value.code, value));
    case "holds":
      return { "x-lacuna-holds": rule.condition.text };
    case "gap":
      return { "x-lacuna-gap": w.gap(rule.gap) };
    case "trimmed":
    case "empty becomes null":
    case "empty means absent":
    case "set":
    case "counts up":
    case "unique":
    case "kept as":
    case "random":
    case "key":
    case "when gone":
    case "order":
      return {};
    default:
      return never(rule);
  }
}
