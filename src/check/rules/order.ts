/** Orders literal values of ordered types exactly. */
import {
  type Code,
  type Literal,
  parseDuration,
  parseTimestamp,
  type Type,
} from "../../expr/index.ts";

/** Digits behind the point that are compared: more than any decimal or literal has. */
const PLACES = 60;

function exact(text: string): bigint | undefined {
  const found = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (found === null) return undefined;
  const [, sign = "", whole = "", part = ""] = found;
  return part.length > PLACES ? undefined : BigInt(`${sign}${whole}${part.padEnd(PLACES, "0")}`);
}

/** A number by which a literal compares with others of its type; undefined where it has none. */
export function rankOf(kind: Type["kind"], value: Literal): bigint | undefined {
  if (typeof value !== "string") return undefined;
  switch (kind) {
    case "integer":
    case "decimal":
      return exact(value);
    case "timestamp":
      return parseTimestamp(value);
    case "duration":
      return parseDuration(value);
    case "date":
      return /^\d{4}-\d\d-\d\d$/.test(value) ? BigInt(value.replaceAll("-", "")) : undefined;
    case "string":
    case "number":
    case "boolean":
    case "object":
    case "list":
    case "map":
    case "zone":
    case "json":
    case "null":
    case "secret":
    case "file":
    case "row":
    case "nullable":
    case "unknown":
      return undefined;
  }
}

/** The value that code is, with a minus in front folded in; undefined where it is no literal. */
export function literalOf(code: Code | undefined): Literal | undefined {
  if (code?.op === "literal") return code.value;
  if (code?.op !== "call" || code.fn !== "neg") return undefined;
  const inner = literalOf(code.args[0]);
  if (typeof inner !== "string") return undefined;
  return inner.startsWith("-") ? inner.slice(1) : `-${inner}`;
}

/** The rank of literal code. */
export function codeRank(code: Code | undefined): bigint | undefined {
  const value = literalOf(code);
  return code === undefined || value === undefined ? undefined : rankOf(code.type.kind, value);
}
