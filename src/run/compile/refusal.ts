/** Compiles refusals: their values are evaluated where they happen, the answer is made later. */
import type { Refusal } from "../../plan/index.ts";
import type { Frame, Unit } from "../context/activation.ts";
import type { Ending } from "../context/step-outcome.ts";
import type { Row, Value } from "../ports/index.ts";
import { compileOptional } from "../query/expression.ts";

/** Compiles a refusal for frames of a unit; `it` is the row that it is about, if any. */
export function compileRefusal(
  unit: Unit,
  refusal: Refusal,
  keep = false,
): (frame: Frame, it?: Row) => Ending {
  if (refusal.is === "gap") {
    const ending: Ending = { is: "gap", gap: refusal.gap };
    return () => ending;
  }
  const { error } = refusal;
  const on = refusal.on ?? null;
  const given = refusal.with.map((one) => ({
    name: one.name,
    value: compileOptional(unit, one.value),
  }));
  return (frame, it) => {
    const values = new Map<string, Value>();
    for (const one of given) values.set(one.name, one.value(frame));
    return { is: "error", error, on, given: values, it, keep };
  };
}
