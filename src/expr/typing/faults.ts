/** Judges calls that may have no value for what they are given: zero, nothing, any text. */
import { daysOfDate, parseDuration, parseTimestamp } from "../calendar.ts";
import { DIGITS_MAX } from "../lexer.ts";
import { meetsGap } from "../references.ts";
import type { Code, Facts, ProblemText } from "../types.ts";
import { keyOf, lengthLeast, neverZero } from "./ranges.ts";
import { needsGuards, type Scope } from "./scope.ts";

/** Why `/` or `%` may divide by zero; undefined where it surely does not, or nobody asks. */
export function divisionProblem(fn: string, by: Code, scope: Scope): ProblemText | undefined {
  return needsGuards(scope) && (fn === "/" || fn === "%") ? zeroProblem(by) : undefined;
}

const ZEROS: Readonly<Record<string, string>> = { integer: "0", decimal: "0.0", number: "0e0" };

function zeroProblem(by: Code): ProblemText | undefined {
  const zero = ZEROS[by.type.kind];
  if (zero === undefined || neverZero(by)) return undefined;
  const message = "this may be zero, by which nothing can be divided";
  const hint = `guard it: \`${guarded(by)} != ${zero} && ...\``;
  return { code: "unguarded", message, hint };
}

/** The text of an operand of a comparison. */
function guarded(code: Code): string {
  const text = keyOf(code);
  if (text === undefined) return "x";
  return code.op === "call" && code.fn === "?:" ? `(${text})` : text;
}

const READS: Readonly<Record<string, (text: string) => boolean>> = {
  int: (text) => /^-?[0-9]+$/.test(text) && text.replace("-", "").length <= DIGITS_MAX,
  timestamp: (text) => parseTimestamp(text) !== undefined,
  duration: (text) => parseDuration(text) !== undefined,
  date: (text) => daysOfDate(text) !== undefined,
};

/** Why a function may have no value for what it is given; undefined where it surely has one. */
export function callProblem(
  fn: string,
  args: readonly Code[],
  facts: Facts,
): ProblemText | undefined {
  const [first, second] = args;
  if (first === undefined || args.some(meetsGap)) return undefined;
  if (fn === "divide") return second && zeroProblem(second);
  if ((fn === "min" || fn === "max") && args.length === 1) {
    if (lengthLeast(first, facts) > 0n) return undefined;
    const message = `the list may be empty, and has no \`${fn}\` then`;
    const hint = `guard it: \`size(${keyOf(first) ?? "list"}) > 0 && ...\``;
    return { code: "unguarded", message, hint };
  }
  const reads = READS[fn];
  if (reads === undefined || first.type.kind !== "string") return undefined;
  if (first.type.oneOf?.every(reads)) return undefined;
  const message = `this text may be one that \`${fn}\` cannot read`;
  const hint = `write \`${fn}_or_null(...)\`, which gives null then`;
  return { code: "unguarded", message, hint };
}
