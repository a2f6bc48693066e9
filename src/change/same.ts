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

/** Typed code. */
export function isCode(value: unknown): value is Code {
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

/** Operators whose operands may stand in any order. */
const COMMUTE: ReadonlySet<string> = new Set(["&&", "||"]);

/** The operands of a chain of one operator. */
function chainOf(code: Code, fn: string): readonly Code[] {
  return code.op === "call" && code.fn === fn
    ? code.args.flatMap((one) => chainOf(one, fn))
    : [code];
}

/**
 * What a piece of code does, as a text: without types, which follow from what it reads, without
 * the names of variables that macros bind, and with conditions in an order of its own.
 */
export function codeKey(code: Code, names: Names = NONE, depth = 0): string {
  const key = (one: Code): string => codeKey(one, names, depth);
  switch (code.op) {
    case "gap":
      return "not shown";
    case "absent":
      return "absent";
    case "literal":
      return literalOf(code);
    case "list":
      return `[${code.items.map(key)}]`;
    case "map":
      return `{${code.entries.map((one) => `${key(one.key)}:${key(one.value)}`)}}`;
    case "name":
      return names.get(code.name) ?? code.name;
    case "rows":
      return `rows ${code.resource}`;
    case "get":
      return `${key(code.of)}.${code.member}`;
    case "has":
      return `has ${key(code.of)}.${code.member}`;
    case "index":
      return `${key(code.of)}[${key(code.at)}]`;
    case "call": {
      const isChain = COMMUTE.has(code.fn);
      const args = (isChain ? chainOf(code, code.fn) : code.args).map(key);
      return `(${code.fn} ${isChain ? args.toSorted() : args})`;
    }
    case "each": {
      // No document can give this name to anything.
      const inner = new Map([...names, [code.as, `#${depth}`]]);
      const own = code.value === undefined ? [code.body] : [code.body, code.value];
      const keys = own.map((one) => codeKey(one, inner, depth + 1));
      return `${code.macro}(${key(code.over)} ${keys})`;
    }
    default:
      return code satisfies never;
  }
}

/** The same text is read otherwise only where another change has caused it, which is told there. */
function isSameExpression(a: Expression, b: Expression, names: Names): boolean {
  if (isSameCode(a.code, b.code, names)) return true;
  return (
    a.text === b.text && [...freeNames(a.code)].every((one) => (names.get(one) ?? one) === one)
  );
}

function isSameCode(a: Code, b: Code, names: Names): boolean {
  return codeKey(a, names) === codeKey(b);
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
