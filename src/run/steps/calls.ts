/** Compiles `Call`: gives, asks the host, and goes on with what is said. */
import type { Expression, Step } from "../../plan/index.ts";
import type { Run, StepContext } from "../compile/services.ts";
import type { Activation } from "../context/activation.ts";
import type { StepOutcome } from "../context/step-outcome.ts";
import { fireAnswered } from "../effects/answered-call.ts";
import type { CallOutcome, Row, Value } from "../ports/index.ts";
import { compileNamed } from "../query/rows.ts";
import type { Evaluated } from "../query/specialize.ts";

type CallStep = Extract<Step, { kind: "call" }>;

/** What ends the work besides an answer; undefined: it goes on without one. */
function outcomeOf(
  told: Exclude<CallOutcome, { is: "said" | "late" | "unasked" }>,
  step: CallStep,
  id: string,
): StepOutcome | undefined {
  switch (told.is) {
    case "kept":
      return undefined;
    case "gap":
      return { is: "gap", gap: told.gap };
    case "no code":
      return { is: "no code", call: id, name: step.call };
    case "fault":
      return { is: "fault", message: `${id}: ${told.message}` };
  }
}

/** What is given: a secret that this work has made as it was made, before it was hashed. */
function compileGiven({ services, scope }: StepContext, value: Expression): Evaluated {
  const evaluate = compileNamed(scope, value);
  const { code } = value;
  if (code.op !== "get" || code.type.kind !== "secret" || code.of.type.kind !== "row") {
    return evaluate;
  }
  const { resource } = code.of.type;
  const place = services.model.info(resource).at.get(code.member) ?? -1;
  const rowOf = compileNamed(scope, { ...value, code: code.of });
  return (activation) => {
    const { tx } = activation;
    const found = rowOf(activation);
    const row = typeof found === "number" ? tx.get(resource, found) : (found as Row);
    return (row && tx.plainOf(row, place)) ?? evaluate(activation);
  };
}

/** `Call c with ... as x, else ...`. */
export function call(context: StepContext, step: CallStep): Run {
  const { services, scope } = context;
  const values = step.with.map((one) => ({
    name: one.name,
    value: compileGiven(context, one.value),
  }));
  const door = services.call(step.call);
  const { id } = door.call;
  const slot = step.as === undefined ? undefined : scope.slot(step.as);
  const refuse = step.otherwise === undefined ? undefined : services.refusal(scope, step.otherwise);
  return (activation: Activation) => {
    const { tx } = activation;
    const given = new Map<string, Value>();
    for (const one of values) given.set(one.name, one.value(activation));
    const { text, rows } = door.give(tx, given);
    const asking = { step: step.id, call: step.call, given: text, rows };
    const told = tx.ambient.hooks.call?.(asking, tx.session) ?? { is: "no code" as const };
    if ("key" in told && told.key !== undefined) {
      tx.called.push({ key: told.key, call: step.call });
    }
    if (told.is === "unasked") return { is: "unasked", asking };
    if (told.is === "late") return refuse?.(activation) ?? door.late(tx);
    if (told.is !== "said") return outcomeOf(told, step, id);
    const said = door.said(tx, given, told.answer);
    if ("is" in said) return said as StepOutcome;
    if (slot !== undefined) activation.set(slot, said);
    return fireAnswered(services, tx, { call: step.call, said, rows });
  };
}
