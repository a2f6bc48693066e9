/** Compiles `Call`: gives, asks the host, and goes on with what is said. */
import type { Expression, Step } from "../../plan/index.ts";
import type { Run, StepScope } from "../compile/services.ts";
import type { Activation } from "../context/activation.ts";
import type { StepOutcome } from "../context/step-outcome.ts";
import { fireAnswered } from "../effects/answered-call.ts";
import type { Row, Told, Value } from "../ports/index.ts";
import { compileNamed } from "../query/rows.ts";
import type { Evaluated } from "../query/specialize.ts";

type CallStep = Extract<Step, { kind: "call" }>;

/** What ends the work besides an answer; undefined: it goes on without one. */
function endingOf(
  told: Exclude<Told, { is: "said" | "late" | "unasked" }>,
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
function compileGiven({ kit, unit }: StepScope, value: Expression): Evaluated {
  const evaluate = compileNamed(unit, value);
  const { code } = value;
  if (code.op !== "get" || code.type.kind !== "secret" || code.of.type.kind !== "row") {
    return evaluate;
  }
  const { resource } = code.of.type;
  const place = kit.model.info(resource).at.get(code.member) ?? -1;
  const rowOf = compileNamed(unit, { ...value, code: code.of });
  return (frame) => {
    const { work } = frame;
    const found = rowOf(frame);
    const row = typeof found === "number" ? work.get(resource, found) : (found as Row);
    return (row && work.plainOf(row, place)) ?? evaluate(frame);
  };
}

/** `Call c with ... as x, else ...`. */
export function call(scope: StepScope, step: CallStep): Run {
  const { kit, unit } = scope;
  const values = step.with.map((one) => ({
    name: one.name,
    value: compileGiven(scope, one.value),
  }));
  const door = kit.call(step.call);
  const { id } = door.call;
  const slot = step.as === undefined ? undefined : unit.slot(step.as);
  const refuse = step.otherwise === undefined ? undefined : kit.refusal(unit, step.otherwise);
  return (frame: Activation) => {
    const { work } = frame;
    const given = new Map<string, Value>();
    for (const one of values) given.set(one.name, one.value(frame));
    const { text, rows } = door.give(work, given);
    const asking = { step: step.id, call: step.call, given: text, rows };
    const told = work.ambient.hooks.call?.(asking, work.session) ?? { is: "no code" as const };
    if ("key" in told && told.key !== undefined) {
      work.called.push({ key: told.key, call: step.call });
    }
    if (told.is === "unasked") return { is: "unasked", asking };
    if (told.is === "late") return refuse?.(frame) ?? door.late(work);
    if (told.is !== "said") return endingOf(told, step, id);
    const said = door.said(work, given, told.answer);
    if ("is" in said) return said as StepOutcome;
    if (slot !== undefined) frame.set(slot, said);
    return fireAnswered(kit, work, { call: step.call, said, rows });
  };
}
