/** Whether two pieces of a plan mean the same: how they are worded and named inside is nothing. */
import { type Code, freeNames } from "../expr/index.ts";
import type { Expression } from "../plan/index.ts";

/** What a name of the first document is in the second, where steps bind another. */
export type Names = ReadonlyMap<string, string>;

const NONE: Names = new Map();

type Data = Readonly<Record<string, unknown>>;

function isData(value: unknown): value is Data {
  return typeof value === "object" && value !== null;
}

/** An expression of the plan: code beside the text that it was written as. */
export function isExpression(value: unknown): value is Expression {
  return isData(value) && isData(value["code"]) && typeof value["text"] === "string";
}

function isCode(value: unknown): value is Code {
  return isData(value) && typeof value["op"] === "string" && "type" in value;
}

const NUMBERS: ReadonlySet<string> = new Set(["integer", "decimal"]);

/** The value of a literal; `5`, `5.0` and `5.00` are one number. */
function literalOf({ type, value }: Extract<Code, { op: "literal" }>): string {
  if (typeof value !== "string") return String(value);
  if (type.kind === "number") return String(Number(value));
  if (!NUMBERS.has(type.kind)) return JSON.stringify(value);
  return /^-?\d+\.\d*$/.test(value) ? value.replace(/\.?0*$/, "") : value;
}

function areSame(a: readonly Code[], b: readonly Code[], names: Names): boolean {
  return a.length === b.length && a.every((one, at) => isSameCode(one, b[at] as Code, names));
}

function isSameCode(a: Code, b: Code, names: Names): boolean {
  switch (a.op) {
    case "gap":
      return b.op === "gap";
    case "literal":
      return b.op === "literal" && literalOf(a) === literalOf(b);
    case "list":
      return b.op === "list" && areSame(a.items, b.items, names);
    case "map": {
      const flat = (code: typeof a): Code[] => code.entries.flatMap((one) => [one.key, one.value]);
      return b.op === "map" && areSame(flat(a), flat(b), names);
    }
    case "name":
      return b.op === "name" && (names.get(a.name) ?? a.name) === b.name;
    case "rows":
      return b.op === "rows" && a.resource === b.resource;
    case "get":
    case "has":
      return b.op === a.op && a.member === b.member && isSameCode(a.of, b.of, names);
    case "index":
      return b.op === "index" && areSame([a.of, a.at], [b.of, b.at], names);
    case "call":
      return b.op === "call" && a.fn === b.fn && areSame(a.args, b.args, names);
    case "each": {
      if (b.op !== "each" || a.macro !== b.macro || !isSameCode(a.over, b.over, names))
        return false;
      const inner = new Map([...names, [a.as, b.as]]);
      const own = (code: typeof a): Code[] =>
        code.value === undefined ? [code.body] : [code.body, code.value];
      return areSame(own(a), own(b), inner);
    }
    default:
      return a satisfies never;
  }
}

/** The same text is read otherwise only where another change has caused it, which is told there. */
function isSameExpression(a: Expression, b: Expression, names: Names): boolean {
  if (isSameCode(a.code, b.code, names)) return true;
  return (
    a.text === b.text && [...freeNames(a.code)].every((one) => (names.get(one) ?? one) === one)
  );
}

/** Members of plans that name an item, and say nothing. */
function isWording(key: string, value: unknown): boolean {
  return key === "id" && (value === undefined || typeof value === "string");
}

/** Whether both are the same data, names of items and gaps aside. Lists are in their order. */
export function isSame(a: unknown, b: unknown, names: Names = NONE): boolean {
  if (a === b) return true;
  if (!isData(a) || !isData(b)) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((one, at) => isSame(one, b[at], names));
  }
  if (isExpression(a) && isExpression(b)) return isSameExpression(a, b, names);
  return isCode(a) && isCode(b) ? isSameCode(a, b, names) : areSameMembers(a, b, names);
}

function areSameMembers(a: Data, b: Data, names: Names): boolean {
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [one, other] = [a[key], b[key]];
    if (isWording(key, one) && isWording(key, other)) continue;
    if (key === "gap" && typeof one === "string" && typeof other === "string") continue;
    if (!isSame(one, other, names)) return false;
  }
  return true;
}
