/** Compiles steps of every kind to closures. */
import type { Step } from "../../plan/index.ts";
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
    for (const inner of innerSteps(step)) lazyLists(inner, found);
  }
}

/** The lists of steps inside a step. */
export function innerSteps(step: Step): readonly (readonly Step[])[] {
  switch (step.kind) {
    case "when":
      return step.otherwise === undefined ? [step.then] : [step.then, step.otherwise];
    case "cases":
      return step.cases.map((one) => one.steps);
    case "for each":
    case "any order":
      return [step.steps];
    default:
      return [];
  }
}

/** Compiles steps, in order. Names of lists are noted in the unit first. */
export function compileSteps(scope: StepScope, steps: readonly Step[]): Run {
  lazyLists(steps, scope.unit.lists);
  return inOrder(steps.map((step) => compileStep(scope, step)));
}

function compileStep(scope: StepScope, step: Step): Run {
  switch (step.kind) {
    case "check":
      return scope.kit.check(step.what, scope.unit, scope.endpoint);
    case "check tag":
      return scope.kit.checkTag(scope.unit, step.of);
    case "require":
      return require(scope, step);
    case "let one":
      return letOne(scope, step);
    case "let every":
      return letEvery(scope, step);
    case "let":
      return letValue(scope, step);
    case "order":
      return order(scope, step);
    case "page":
      return page(scope, step);
    case "page after":
      return pageAfter(scope, step);
    case "create":
      return create(scope, step);
    case "set from":
      return setFrom(scope, step);
    case "set":
      return set(scope, step);
    default:
      return compileOther(scope, step);
  }
}

type Other = Exclude<
  Step,
  {
    kind:
      | "check"
      | "check tag"
      | "require"
      | "let one"
      | "let every"
      | "let"
      | "order"
      | "page"
      | "page after"
      | "create"
      | "set from"
      | "set";
  }
>;

function compileOther(scope: StepScope, step: Other): Run {
  switch (step.kind) {
    case "delete":
      return remove(scope, step);
    case "delete every":
      return removeEvery(scope, step);
    case "fire":
      return fire(scope, step);
    case "may fire":
      return mayFire(scope, step);
    case "emit":
      return emit(scope, step);
    case "do":
      return doRoutine(scope, step);
    case "respond":
      return respond(scope, step);
    case "refuse":
      return refuse(scope, step);
    case "when":
      return when(scope, step);
    case "cases":
      return cases(scope, step);
    case "for each":
      return forEach(scope, step);
    case "any order":
      return anyOrder(scope, step);
    case "gap":
      return () => ({ is: "gap", gap: step.gap });
    case "call":
      return call(scope, step);
  }
}
