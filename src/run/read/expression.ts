/** Runs the expressions of rules: over the value (or the body), the clock and the settings. */
import { type Code, freeNames, partsOf } from "../../expr/index.ts";
import { RUN_BOUNDS } from "../evaluate/bounds.ts";
import { compile, type Digest, type Source } from "../evaluate/index.ts";
import type { Value } from "../ports/index.ts";
import type { Surroundings } from "./failure-collector.ts";

type RuleCode = (subject: Value, around: Surroundings) => Value;

const WORK_MAX = RUN_BOUNDS.work.value;
/** The data of an expression that reads no row. */
const noRows = (digest: Digest): Source => ({
  get: () => undefined,
  all: () => [],
  digest,
});
const NO_FIELDS = (): readonly string[] => [];

/**
 * Compiles code over `subject` (`value`, or `body`), `now` and `setting`. Undefined where the code
 * needs rows or other names: the steps judge it then, for they have them.
 */
export function compileRule(code: Code, subject: "value" | "body" = "value"): RuleCode | undefined {
  const names = [subject, "now", "setting"];
  if (needsRows(code) || [...freeNames(code)].some((name) => !names.includes(name))) {
    return undefined;
  }
  const evaluate = compile(code, { names, fields: NO_FIELDS });
  return (value, { now, settings, digest }) =>
    evaluate([value, now, settings], noRows(digest), WORK_MAX);
}

function nothing(): never {
  throw new Error("a literal computes nothing");
}

/** The value of code that depends on nothing, such as the bound of a range. */
export function constant(code: Code): Value {
  return compile(code, { names: [], fields: NO_FIELDS })([], noRows(nothing), WORK_MAX);
}

function needsRows(code: Code): boolean {
  if (code.op === "rows" || code.type.kind === "row") return true;
  return partsOf(code).some(needsRows);
}
