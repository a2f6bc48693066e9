/** Compiles steps of every kind to closures. */
import { blocksOf, type Step } from "../../plan/index.ts";
import type { Run, StepScope } from "../compile/services.ts";
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

/** Compiles steps, in order. Names of lists are noted in the unit first. */
export function compileSteps(scope: StepScope, steps: readonly Step[]): Run {
  lazyLists(steps, scope.unit.lists);
  return inOrder(steps.map((step) => compileStep(scope, step)));
}

type Compilers = {
  readonly [K in Step["kind"]]: (scope: StepScope, step: Extract<Step, { kind: K }>) => Run;
};

const compilers: Compilers = {
  check: (scope, step) => scope.kit.check(step.what, scope.unit, scope.endpoint),
  "check tag": (scope, step) => scope.kit.checkTag(scope.unit, step.of),
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

function compileStep(scope: StepScope, step: Step): Run {
  // Each compiler takes the steps of its own kind alone.
  return (compilers[step.kind] as (scope: StepScope, step: Step) => Run)(scope, step);
}
