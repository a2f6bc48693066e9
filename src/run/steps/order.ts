/** Runs compiled steps one after another. */

import type { Run } from "../compile/services.ts";
import type { StepOutcome } from "../context/step-outcome.ts";

/** The steps until one ends. */
export function inOrder(runs: readonly Run[]): Run {
  const [only] = runs;
  if (runs.length === 1 && only !== undefined) return only;
  return (activation) => {
    for (const run of runs) {
      const outcome: StepOutcome | undefined = run(activation);
      if (outcome !== undefined) return outcome;
    }
    return undefined;
  };
}
