/** Compiles the steps that choose and repeat: `When`, cases, `For each`, `In any order`, `Do`. */

import type { Literal } from "../../expr/index.ts";
import type { Case, Refusal, Step } from "../../plan/index.ts";
import type { Run, StepScope } from "../compile/services.ts";
import { Activation } from "../context/activation.ts";
import type { StepOutcome } from "../context/step-outcome.ts";
import { undoneGap } from "../effects/answered-call.ts";
import type { Value } from "../ports/index.ts";
import { compileExpression } from "../query/expression.ts";
import { compileNamed } from "../query/rows.ts";

type Of<K extends Step["kind"]> = Extract<Step, { kind: K }>;

/** `When e` with its `Otherwise`. */
export function when(scope: StepScope, step: Of<"when">): Run {
  const condition = compileExpression(scope.unit, step.condition);
  const yes = scope.kit.steps(scope, step.then);
  const no = step.otherwise === undefined ? undefined : scope.kit.steps(scope, step.otherwise);
  return (frame) => (condition(frame) === true ? yes(frame) : no?.(frame));
}

/** Whether a subject's value is one of a case's literals; none listed: any. */
function fits(literals: readonly Literal[], value: Value): boolean {
  if (literals.length === 0) return true;
  return literals.some(
    (one) => one === value || (typeof value === "bigint" && one === value.toString()),
  );
}

/** `By e:` and case tables: the first case that fits. */
export function cases(scope: StepScope, step: Of<"cases">): Run {
  const subjects = step.subjects.map((one) => compileExpression(scope.unit, one));
  const branches = step.cases.map((one: Case) => ({
    values: one.values,
    run: scope.kit.steps(scope, one.steps),
  }));
  return (frame) => {
    const values = subjects.map((one) => one(frame));
    const branch = branches.find((one) =>
      one.values.every((literals, i) => fits(literals, values[i])),
    );
    if (branch === undefined) return { is: "fault", message: `${step.id}: no case fits` };
    return branch.run(frame);
  };
}

/** What became of one element of a loop whose elements each stand on their own. */
function outcome(item: Value, ending: StepOutcome | undefined): Value {
  const error = ending?.is === "error" ? ending.error : null;
  return new Map<string, Value>([
    ["element", item],
    ["done", error === null],
    ["error", error],
  ]);
}

/** `For each x in e`; `each on its own`: in a savepoint each. */
export function forEach(scope: StepScope, step: Of<"for each">): Run {
  const { unit } = scope;
  const list = compileNamed(unit, step.in);
  const slot = unit.slot(step.as);
  const into = step.into === undefined ? undefined : unit.slot(step.into);
  const run = scope.kit.steps(scope, step.steps);
  return (frame) => {
    const results: Value[] = [];
    for (const item of list(frame) as readonly Value[]) {
      frame.set(slot, item);
      if (!step.own) {
        const ending = run(frame);
        if (ending !== undefined) return ending;
        continue;
      }
      const called = frame.work.called.length;
      const nest = frame.work.nest();
      const { work } = frame;
      const done = run(frame);
      const broken =
        done === undefined || (done.is === "error" && done.keep)
          ? scope.kit.judge(work, work.recent ?? [])
          : undefined;
      const ending = broken ?? done;
      if (ending !== undefined && ending.is !== "error") {
        nest.undo();
        return ending;
      }
      if (ending === undefined || ending.keep) nest.keep();
      else {
        const gap = undoneGap(scope.kit.model, frame.work, called);
        if (gap !== undefined) return gap;
        nest.undo();
      }
      results.push(outcome(item, ending));
    }
    if (into !== undefined) frame.set(into, results);
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
  if (a.ending.is !== "error" || b.ending.is !== "error") return false;
  return a.ending.error === b.ending.error && a.ending.on === b.ending.on && a.given === b.given;
}

interface Failed {
  readonly ending: StepOutcome;
  readonly given: string;
}

/** Checks whose order is not stated: two that fail differently are a gap. */
export function anyOrder(scope: StepScope, step: Of<"any order">): Run {
  const checks = step.steps.map((one) => ({
    run: scope.kit.steps(scope, [one]),
    given: givenText(one),
  }));
  return (frame) => {
    let first: Failed | undefined;
    for (const { run, given } of checks) {
      const ending = run(frame);
      if (ending === undefined) continue;
      if (ending.is !== "error") return ending;
      if (first !== undefined && !isAlike(first, { ending, given })) {
        return { is: "gap", gap: step.gap ?? step.id };
      }
      first ??= { ending, given };
    }
    return first?.ending;
  };
}

/** `Do steps with ...`: the routine has names of its own. */
export function doRoutine(scope: StepScope, step: Of<"do">): Run {
  const values = step.with.map((one) => ({
    name: one.name,
    value: compileNamed(scope.unit, one.value),
  }));
  const routine = scope.kit.routine(step.routine);
  const slots = step.with.map((one) => routine.unit.slot(one.name));
  return (frame) => {
    const inner = new Activation(routine.unit, frame.work);
    values.forEach((one, i) => {
      const value = one.value(frame);
      inner.set(slots[i] as number, value);
    });
    return routine.run(inner);
  };
}
