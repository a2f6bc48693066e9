/** Tells whether a document bounds a number that a request gives. */
import type { Code } from "../../expr/index.ts";
import type { Input } from "../types/index.ts";

/** What names stand for where a number is written. */
export interface Numbers {
  readonly inputs: readonly Input[];
  /** Values of `Let`. */
  readonly lets: ReadonlyMap<string, Code>;
}

/** The dotted path that code reads: `query.limit`. */
function pathOf(code: Code): string | undefined {
  if (code.op === "name") return code.name;
  if (code.op !== "get") return undefined;
  const of = pathOf(code.of);
  return of === undefined ? undefined : `${of}.${code.member}`;
}

function isInputBounded(path: string, { inputs }: Numbers): boolean {
  const input = inputs.find((one) => `${one.in}.${one.name}` === path);
  return input?.rules.some((rule) => rule.kind === "range" && rule.max !== undefined) === true;
}

const SUMS = ["+", "-", "*", "/", "%", "neg", "?:"];

/** Whether there is a greatest value that the number can have, whatever is asked. */
export function isBounded(code: Code, numbers: Numbers): boolean {
  if (code.op === "literal") return true;
  const path = pathOf(code);
  if (path !== undefined) {
    const named = numbers.lets.get(path);
    if (named !== undefined) return isBounded(named, numbers);
    return path.startsWith("setting.") || isInputBounded(path, numbers);
  }
  if (code.op !== "call" || !SUMS.includes(code.fn)) return false;
  const args = code.fn === "?:" ? code.args.slice(1) : code.args;
  return args.every((one) => isBounded(one, numbers));
}
