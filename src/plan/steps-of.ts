/** All steps of a plan, walked once. */
import { everyStep } from "./step-kinds.ts";
import type { Plan, Step } from "./types/index.ts";

const steps = new WeakMap<Plan, readonly Step[]>();

/** Every step of a plan, wherever it stands. */
export function stepsOf(plan: Plan): readonly Step[] {
  let all = steps.get(plan);
  if (all === undefined) {
    all = everyStep([
      ...plan.prologue,
      ...plan.endpoints.flatMap((one) => one.steps),
      ...plan.routines.flatMap((one) => one.steps),
      ...plan.machines.flatMap((one) => one.transitions.flatMap(({ then }) => then)),
      ...plan.webhooks.flatMap(({ afterLast, onStatus }) => [
        ...(afterLast.is === "stated" ? afterLast.value : []),
        ...onStatus.flatMap(({ then }) => then),
      ]),
    ]);
    steps.set(plan, all);
  }
  return all;
}
