/** Works out code over values that are known; undefined where the outcome hangs on others. */
import type { Code, Literal } from "../../expr/index.ts";
import { literalOf, rankOf } from "./order.ts";
import { pathOf } from "./regions.ts";

/** Values by the paths that read them, such as `it.total`. */
export type Known = ReadonlyMap<string, Literal>;

/** The value of a path or a literal; undefined where it is not known. */
function valueIn(code: Code, known: Known): Literal | undefined {
  const path = pathOf(code);
  if (path !== undefined) return known.get(path);
  if (code.op === "call" && code.fn === "size" && code.args[0]?.type.kind === "string") {
    const text = valueIn(code.args[0], known);
    return typeof text === "string" ? String([...text].length) : undefined;
  }
  return literalOf(code);
}

const bareKind = ({ type }: Code): Code["type"]["kind"] =>
  type.kind === "nullable" ? type.of.kind : type.kind;

function compared(fn: string, a: Code, b: Code, known: Known): boolean | undefined {
  const [left, right] = [valueIn(a, known), valueIn(b, known)];
  if (left === undefined || right === undefined) return undefined;
  const kind = a.type.kind === "null" ? bareKind(b) : bareKind(a);
  const ranks = [left, right].map((value) => rankOf(kind, value));
  const [x, y] = ranks;
  if (x !== undefined && y !== undefined) {
    return fn === "==" ? x === y : fn.startsWith("<") ? x < y || (fn === "<=" && x === y) : false;
  }
  if (fn !== "==") return undefined;
  const isComparable = left === null || right === null || kind === "string" || kind === "boolean";
  return isComparable ? left === right : undefined;
}

const not = (outcome: boolean | undefined): boolean | undefined =>
  outcome === undefined ? undefined : !outcome;

function inList(item: Code, list: Code, known: Known): boolean | undefined {
  if (list.op !== "list") return undefined;
  const found = list.items.map((one) => compared("==", item, one, known));
  if (found.includes(true)) return true;
  return found.includes(undefined) ? undefined : false;
}

/** What a condition is where these values are known. */
export function truthWhere(code: Code, known: Known): boolean | undefined {
  const path = pathOf(code);
  if (path !== undefined || code.op === "literal") {
    const value = valueIn(code, known);
    return typeof value === "boolean" ? value : undefined;
  }
  if (code.op !== "call") return undefined;
  const [a, b] = code.args;
  if (a === undefined) return undefined;
  if (code.fn === "!") return not(truthWhere(a, known));
  if (b === undefined) return undefined;
  switch (code.fn) {
    case "&&":
    case "||": {
      const ends = code.fn === "||";
      const found = [truthWhere(a, known), truthWhere(b, known)];
      if (found.includes(ends)) return ends;
      return found.includes(undefined) ? undefined : !ends;
    }
    case "==":
    case "<":
    case "<=":
      return compared(code.fn, a, b, known);
    case "!=":
      return not(compared("==", a, b, known));
    case ">":
      return compared("<", b, a, known);
    case ">=":
      return compared("<=", b, a, known);
    case "in":
      return inList(a, b, known);
    default:
      return undefined;
  }
}
