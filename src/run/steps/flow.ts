/** Compiles the steps that choose and repeat: `When`, cases, `For each`, `In any order`, `Do`. */

import type { Literal } from "../../expr/index.ts";
import type { Case, Refusal, Step } from "../../plan/index.ts";
import type { Run, StepContext } from "../compile/services.ts";
import { Activation } from "../context/activation.ts";
import type { StepOutcome } from "../context/step-outcome.ts";
import { undoneGap } from "../effects/answered-call.ts";
import type { Value } from "../ports/index.ts";
import { compileExpression } from "../query/expression.ts";
import { compileNamed } from "../query/rows.ts";

type Of<K extends Step["kind"]> = Extract<Step, { kind: K }>;

/** `When e` with its `Otherwise`. */
export function when(context: StepContext, step: Of<"when">): Run {
  const condition = compileExpression(context.scope, step.condition);
  const yes = context.services.steps(context, step.then);
  const no =
    step.otherwise === undefined ? undefined : context.services.steps(context, step.otherwise);
  return (activation) => (condition(activation) === true ? yes(activation) : no?.(activation));
}

/** Whether a subject's value is one of a case's literals; none listed: any. */
function fits(literals: readonly Literal[], value: Value): boolean {
  if (literals.length === 0) return true;
  return literals.some(
    (one) => one === value || (typeof value === "bigint" && one === value.toString()),
  );
}

/** `By e:` and case tables: the first case that fits. */
export function cases(context: StepContext, step: Of<"cases">): Run {
  const subjects = step.subjects.map((one) => compileExpression(context.scope, one));
  const branches = step.cases.map((one: Case) => ({
    values: one.values,
    run: context.services.steps(context, one.steps),
  }));
  return (activation) => {
    const values = subjects.map((one) => one(activation));
    const branch = branches.find((one) =>
      one.values.every((literals, i) => fits(literals, values[i])),
    );
    if (branch === undefined) return { is: "fault", message: `${step.id}: no case fits` };
    return branch.run(activation);
  };
}

/** What became of one element of a loop whose elements each stand on their own. */
function itemOutcome(item: Value, outcome: StepOutcome | undefined): Value {
  const error = outcome?.is === "error" ? outcome.error : null;
  return new Map<string, Value>([
    ["element", item],
    ["done", error === null],
    ["error", error],
  ]);
}

/** `For each x in e`; `each on its own`: in a savepoint each. */
export function forEach(context: StepContext, step: Of<"for each">): Run {
  const { scope } = context;
  const list = compileNamed(scope, step.in);
  const slot = scope.slot(step.as);
  const into = step.into === undefined ? undefined : scope.slot(step.into);
  const run = context.services.steps(context, step.steps);
  return (activation) => {
    const results: Value[] = [];
    for (const item of list(activation) as readonly Value[]) {
      activation.set(slot, item);
      if (!step.own) {
        const outcome = run(activation);
        if (outcome !== undefined) return outcome;
        continue;
      }
      const called = activation.tx.called.length;
      const nest = activation.tx.nest();
      const { tx } = activation;
      const done = run(activation);
      const broken =
        done === undefined || (done.is === "error" && done.keep)
          ? context.services.judge(tx, tx.recent ?? [])
          : undefined;
      const outcome = broken ?? done;
      if (outcome !== undefined && outcome.is !== "error") {
        nest.undo();
        return outcome;
      }
      if (outcome === undefined || outcome.keep) nest.keep();
      else {
        const gap = undoneGap(context.services.model, activation.tx, called);
        if (gap !== undefined) return gap;
        nest.undo();
      }
      results.push(itemOutcome(item, outcome));
    }
    if (into !== undefined) activation.set(into, results);
    return undefined;
  };
}

/** What a check of `In any order` gives to its error, as a text. */
function givenText(step: Step): string {
  const refusal = "otherwise" in step ? step.otherwise : undefined;
  if (refusal === undefined || Array.isArray(refusal)) return "";
  const stated = refusal as Refusal;
  return JSON.stringify(
    stated.is === "gap" ? [] : stated.with.map((one) => [one.name, one.value.code]),
  );
}

/** Whether two refusals give the same answer: one error, on one word, with the same values. */
function isAlike(a: Failed, b: Failed): boolean {
  if (a.outcome.is !== "error" || b.outcome.is !== "error") return false;
  return (
    a.outcome.error === b.outcome.error && a.outcome.on === b.outcome.on && a.given === b.given
  );
}

interface Failed {
  readonly outcome: StepOutcome;
  readonly given: string;
}

/** Checks whose order is not stated: two that fail differently are a gap. */
export function anyOrder(context: StepContext, step: Of<"any order">): Run {
  const checks = step.steps.map((one) => ({
    run: context.services.steps(context, [one]),
    given: givenText(one),
  }));
  return (activation) => {
    let first: Failed | undefined;
    for (const { run, given } of checks) {
      const outcome = run(activation);
      if (outcome === undefined) continue;
      if (outcome.is !== "error") return outcome;
      if (first !== undefined && !isAlike(first, { outcome, given })) {
        return { is: "gap", gap: step.gap ?? step.id };
      }
      first ??= { outcome, given };
    }
    return first?.outcome;
  };
}

/** `Do steps with ...`: the routine has names of its own. */
export function doRoutine(context: StepContext, step: Of<"do">): Run {
  const values = step.with.map((one) => ({
    name: one.name,
    value: compileNamed(context.scope, one.value),
  }));
  const routine = context.services.routine(step.routine);
  const slots = step.with.map((one) => routine.scope.slot(one.name));
  return (activation) => {
    const inner = new Activation(routine.scope, activation.tx);
    values.forEach((one, i) => {
      const value = one.value(activation);
      inner.set(slots[i] as number, value);
    });
    return routine.run(inner);
  };
}
