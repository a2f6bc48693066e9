/** Compiles the steps that fire transitions, and those that end a request or emit an event. */
import { isStated, type Step } from "../../plan/index.ts";
import type { Run, StepContext } from "../compile/services.ts";
import { compileMessages } from "../effects/messages.ts";
import type { Row } from "../ports/index.ts";
import { compileExpression } from "../query/expression.ts";
import { compileNamed } from "../query/rows.ts";

type Of<K extends Step["kind"]> = Extract<Step, { kind: K }>;

/** `Fire t on x`; also `Fire t on x or u`: the one that can be taken. */
export function fire(context: StepContext, step: Of<"fire">): Run {
  const { services, scope } = context;
  const slot = scope.slot(step.on);
  const refuse = step.otherwise === undefined ? undefined : services.refusal(scope, step.otherwise);
  return (activation) => {
    const row = activation.values[slot] as Row;
    const outcome = services.machines.fire(activation.tx, row, step.transitions);
    if (outcome !== "refused") return outcome;
    return refuse?.(activation, row) ?? services.machines.refusal(activation.tx, row);
  };
}

/** `Require that x may t`. */
export function mayFire(context: StepContext, step: Of<"may fire">): Run {
  const { services, scope } = context;
  const slot = scope.slot(step.on);
  const refuse = step.otherwise === undefined ? undefined : services.refusal(scope, step.otherwise);
  return (activation) => {
    const row = activation.values[slot] as Row;
    if (services.machines.may(activation.tx, row, step.transition)) return undefined;
    return refuse?.(activation, row) ?? services.machines.refusal(activation.tx, row);
  };
}

/** `Require e, else ...`. */
export function require(context: StepContext, step: Of<"require">): Run {
  const condition = compileExpression(context.scope, step.condition);
  const refuse = context.services.refusal(context.scope, step.otherwise);
  return (activation) => (condition(activation) === true ? undefined : refuse(activation));
}

/** `Refuse with ...`. */
export function refuse(context: StepContext, step: Of<"refuse">): Run {
  return context.services.refusal(context.scope, step.refusal, step.keep);
}

/** `Emit ev of x`: the event's data is written as the row is now. */
export function emit(context: StepContext, step: Of<"emit">): Run {
  const { services, scope } = context;
  const event = services.model.plan.events.find((one) => one.name === step.event);
  if (event === undefined) throw new Error(`the plan has no event ${step.event}`);
  const of = compileNamed(scope, step.of);
  const data = event.data;
  const inner = isStated(data) ? services.event(event) : undefined;
  const messages = compileMessages(services, event);
  const isStreamed =
    isStated(event.sentTo) && event.sentTo.value.some((one) => one.to === "stream");
  return (activation) => {
    const row = of(activation) as Row;
    if (data.is === "gap") return { is: "gap", gap: data.gap };
    if (event.sentTo.is === "gap") return { is: "gap", gap: event.sentTo.gap };
    const text = inner === undefined ? null : inner(activation.tx, row);
    activation.tx.events.push({
      event: event.name,
      resource: row.resource,
      key: row.key,
      data: text,
      at: activation.tx.ambient.now,
      ...messages?.(activation.tx, row, text),
      ...(isStreamed ? { values: [...row.values] } : {}),
    });
    return undefined;
  };
}
