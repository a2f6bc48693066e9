/** What the answer of a call causes: transitions of the rows that it was given. */
import { gapMet } from "../answers/gap.ts";
import type { CompilerServices } from "../compile/services.ts";
import type { Model } from "../context/model.ts";
import type { StepOutcome } from "../context/step-outcome.ts";
import type { Transaction } from "../context/transaction.ts";
import type { Effects, GivenRow, Members } from "../ports/index.ts";

/** Fires on each row; a row in whose state nothing is caused stays as it is. */
export function fireAnswered(
  services: CompilerServices,
  tx: Transaction,
  answer: { readonly call: string; readonly said: Members; readonly rows: readonly GivenRow[] },
): StepOutcome | undefined {
  for (const { resource, key } of answer.rows) {
    const row = tx.get(resource, key);
    if (row === undefined) continue;
    const outcome = services.machines.answered(tx, row, answer);
    if (outcome !== undefined && outcome !== "refused") return outcome;
  }
  return undefined;
}

/** The gap that a work meets which is refused behind `from` calls that would have to be undone. */
export function undoneGap({ plan }: Model, tx: Transaction, from = 0): StepOutcome | undefined {
  for (const { call } of tx.called.slice(from)) {
    const undo = plan.calls.find((one) => one.name === call)?.undo;
    if (undo?.is === "gap") return { is: "gap", gap: undo.gap };
  }
  return undefined;
}

/** Effects of a work that nobody is answered for, and that a call has ended. */
export function unmet(
  { model }: CompilerServices,
  outcome: StepOutcome,
): Partial<Effects> | undefined {
  if (outcome.is === "unasked") return { asking: outcome.asking };
  if (outcome.is !== "no code") return undefined;
  return {
    unsupported: outcome.call,
    gap: {
      ...gapMet(model, outcome.call),
      sentence: `no code is behind the call \`${outcome.name}\``,
    },
  };
}
