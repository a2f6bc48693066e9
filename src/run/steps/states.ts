/** Compiles the steps that fire transitions, and those that end a request or emit an event. */
import type { Step } from "../../plan/index.ts";
import type { Run, StepScope } from "../compile/services.ts";
import { compileMessages } from "../effects/messages.ts";
import type { Row } from "../ports/index.ts";
import { compileExpression } from "../query/expression.ts";
import { compileNamed } from "../query/rows.ts";

type Of<K extends Step["kind"]> = Extract<Step, { kind: K }>;

/** `Fire t on x`; also `Fire t on x or u`: the one that can be taken. */
export function fire(scope: StepScope, step: Of<"fire">): Run {
  const { kit, unit } = scope;
  const slot = unit.slot(step.on);
  const refuse = step.otherwise === undefined ? undefined : kit.refusal(unit, step.otherwise);
  return (frame) => {
    const row = frame.values[slot] as Row;
    const ending = kit.machines.fire(frame.work, row, step.transitions);
    if (ending !== "refused") return ending;
    return refuse?.(frame, row) ?? kit.machines.refusal(frame.work, row);
  };
}

/** `Require that x may t`. */
export function mayFire(scope: StepScope, step: Of<"may fire">): Run {
  const { kit, unit } = scope;
  const slot = unit.slot(step.on);
  const refuse = step.otherwise === undefined ? undefined : kit.refusal(unit, step.otherwise);
  return (frame) => {
    const row = frame.values[slot] as Row;
    if (kit.machines.may(frame.work, row, step.transition)) return undefined;
    return refuse?.(frame, row) ?? kit.machines.refusal(frame.work, row);
  };
}

/** `Require e, else ...`. */
export function require(scope: StepScope, step: Of<"require">): Run {
  const condition = compileExpression(scope.unit, step.condition);
  const refuse = scope.kit.refusal(scope.unit, step.otherwise);
  return (frame) => (condition(frame) === true ? undefined : refuse(frame));
}

/** `Refuse with ...`. */
export function refuse(scope: StepScope, step: Of<"refuse">): Run {
  return scope.kit.refusal(scope.unit, step.refusal, step.keep);
}

/** `Emit ev of x`: the event's data is written as the row is now. */
export function emit(scope: StepScope, step: Of<"emit">): Run {
  const { kit, unit } = scope;
  const event = kit.model.plan.events.find((one) => one.name === step.event);
  if (event === undefined) throw new Error(`the plan has no event ${step.event}`);
  const of = compileNamed(unit, step.of);
  const data = event.data;
  const inner = data.is === "stated" ? kit.event(event) : undefined;
  const messages = compileMessages(kit, event);
  const isStreamed =
    event.sentTo.is === "stated" && event.sentTo.value.some((one) => one.to === "stream");
  return (frame) => {
    const row = of(frame) as Row;
    if (data.is === "gap") return { is: "gap", gap: data.gap };
    if (event.sentTo.is === "gap") return { is: "gap", gap: event.sentTo.gap };
    const text = inner === undefined ? null : inner(frame.work, row);
    frame.work.events.push({
      event: event.name,
      resource: row.resource,
      key: row.key,
      data: text,
      at: frame.work.ambient.now,
      ...messages?.(frame.work, row, text),
      ...(isStreamed ? { values: [...row.values] } : {}),
    });
    return undefined;
  };
}
