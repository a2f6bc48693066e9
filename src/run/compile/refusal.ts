/** Compiles refusals: their values are evaluated where they happen, the answer is made later. */
import type { Refusal } from "../../plan/index.ts";
import type { Activation, Scope } from "../context/activation.ts";
import type { StepOutcome } from "../context/step-outcome.ts";
import type { Row, Trace, Value } from "../ports/index.ts";
import { compileOptional } from "../query/expression.ts";

interface RefusalOptions {
  /** What was done before it stays. */
  readonly keep?: boolean | undefined;
  readonly trace?: Trace | undefined;
}

/** Compiles a refusal for activations of a scope; `it` is the row that it is about, if any. */
export function compileRefusal(
  scope: Scope,
  refusal: Refusal,
  { keep = false, trace }: RefusalOptions = {},
): (activation: Activation, it?: Row) => StepOutcome {
  if (refusal.is === "gap") {
    const outcome: StepOutcome = { is: "gap", gap: refusal.gap, refuses: true };
    return () => outcome;
  }
  const { error, id } = refusal;
  const on = refusal.on ?? null;
  const given = refusal.with.map((one) => ({
    name: one.name,
    value: compileOptional(scope, one.value),
  }));
  return (activation, it) => {
    const values = new Map<string, Value>();
    trace?.(id, "failed");
    for (const one of given) values.set(one.name, one.value(activation));
    return { is: "error", error, on, given: values, it, keep };
  };
}
