/** Compiles steps of every kind to closures. */
import { blocksOf, type Step } from "../../plan/index.ts";
import type { Run, StepContext } from "../compile/services.ts";
import { call } from "./calls.ts";
import { anyOrder, cases, doRoutine, forEach, when } from "./flow.ts";
import { inOrder } from "./order.ts";
import { letEvery, letOne, letValue, order, page, pageAfter } from "./reads.ts";
import { respond } from "./respond.ts";
import { emit, fire, mayFire, refuse, require } from "./states.ts";
import { create, remove, removeEvery, set, setFrom } from "./writes.ts";

/** Names that hold a list not yet read, in these steps and all inside them. */
function lazyLists(steps: readonly Step[], found: Set<string>): void {
  for (const step of steps) {
    if (step.kind === "let every" || step.kind === "page") found.add(step.as);
    for (const inner of blocksOf(step)) lazyLists(inner, found);
  }
}

/** Compiles steps, in order. Names of lists are noted in the scope first. */
export function compileSteps(context: StepContext, steps: readonly Step[]): Run {
  lazyLists(steps, context.scope.lists);
  return inOrder(steps.map((step) => compileStep(context, step)));
}

type Compilers = {
  readonly [K in Step["kind"]]: (context: StepContext, step: Extract<Step, { kind: K }>) => Run;
};

const compilers: Compilers = {
  check: (context, step) => context.services.check(step.what, context.scope, context.endpoint),
  "check tag": (context, step) => context.services.checkTag(context.scope, step.of),
  require,
  "let one": letOne,
  "let every": letEvery,
  let: letValue,
  order,
  page,
  "page after": pageAfter,
  create,
  "set from": setFrom,
  set,
  delete: remove,
  "delete every": removeEvery,
  fire,
  "may fire": mayFire,
  emit,
  call,
  do: doRoutine,
  respond,
  refuse,
  when,
  cases,
  "for each": forEach,
  "any order": anyOrder,
  gap:
    (_, { gap }) =>
    () => ({ is: "gap", gap }),
};

function compileStep(context: StepContext, step: Step): Run {
  // Each compiler takes the steps of its own kind alone.
  const run = (compilers[step.kind] as (context: StepContext, step: Step) => Run)(context, step);
  const { trace } = context.services.model.options;
  if (trace === undefined) return run;
  return (activation) => {
    const outcome = run(activation);
    trace(step.id, outcome === undefined ? "went on" : "ended");
    return outcome;
  };
}
