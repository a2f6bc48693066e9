/** What the answer of a call causes: transitions of the rows that it was given. */
import { gapMet } from "../answers/gap.ts";
import type { CompilerServices } from "../compile/services.ts";
import type { Model } from "../context/model.ts";
import type { StepOutcome } from "../context/step-outcome.ts";
import type { Transaction } from "../context/transaction.ts";
import type { Effects, GivenRow, Members } from "../ports/index.ts";

/** Fires on each row; a row in whose state nothing is caused stays as it is. */
export function fireAnswered(
  kit: CompilerServices,
  work: Transaction,
  answer: { readonly call: string; readonly said: Members; readonly rows: readonly GivenRow[] },
): StepOutcome | undefined {
  for (const { resource, key } of answer.rows) {
    const row = work.get(resource, key);
    if (row === undefined) continue;
    const ending = kit.machines.answered(work, row, answer);
    if (ending !== undefined && ending !== "refused") return ending;
  }
  return undefined;
}

/** The gap that a work meets which is refused behind `from` calls that would have to be undone. */
export function undoneGap({ plan }: Model, work: Transaction, from = 0): StepOutcome | undefined {
  for (const { call } of work.called.slice(from)) {
    const undo = plan.calls.find((one) => one.name === call)?.undo;
    if (undo?.is === "gap") return { is: "gap", gap: undo.gap };
  }
  return undefined;
}

/** Effects of a work that nobody is answered for, and that a call has ended. */
export function unmet(
  { model }: CompilerServices,
  ending: StepOutcome,
): Partial<Effects> | undefined {
  if (ending.is === "unasked") return { asking: ending.asking };
  if (ending.is !== "no code") return undefined;
  return {
    unsupported: ending.call,
    gap: {
      ...gapMet(model, ending.call),
      sentence: `no code is behind the call \`${ending.name}\``,
    },
  };
}
