/** Rule: the field of a timer is there, and something sets it. */
import type { Field, Machine, Transition } from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

/** Whether a value other than null can come into the field. */
function canBeSet(c: RuleContext, resource: string, field: Field): boolean {
  if (c.writes.sets.has(`${resource}.${field.name}`)) return true;
  if (c.writes.withs.has(`${resource}.${field.name}`)) return true;
  if (field.create.is !== "no" && c.writes.bodies.has(`new:${resource}`)) return true;
  if (field.update.is !== "no" && c.writes.bodies.has(`changed:${resource}`)) return true;
  if (c.resources.get(resource)?.startRows.is === "stated") return true;
  return field.rules.some(
    (rule) =>
      rule.kind === "gap" ||
      ((rule.kind === "set" || rule.kind === "starts") && rule.value.code.type.kind !== "null"),
  );
}

function judge(c: RuleContext, machine: Machine, one: Transition): void {
  if (one.on.is !== "time") return;
  const { field: name } = one.on;
  const field = c.resources.get(machine.resource)?.fields.find((each) => each.name === name);
  if (field === undefined) return;
  if (field.type.orAbsent) {
    report(c, {
      code: "timer-absent",
      severity: "warning",
      at: one.id,
      message: `The timer's field \`${name}\` may be absent: then \`${one.name}\` has no time.`,
      hint: "Make its type `timestamp or null`: a timer whose field is null waits.",
    });
  } else if (!canBeSet(c, machine.resource, field)) {
    report(c, {
      code: "timer-unset",
      severity: "warning",
      at: one.id,
      message: `Nothing sets \`${name}\`, so \`${one.name}\` never happens.`,
      hint: "Set the field in a step, or state a rule `starts` or `set to` with a time.",
    });
  }
}

/** Reports `timer-absent`, `timer-unset`. */
export const timers: Rule = (c) => {
  for (const machine of c.service.machines) {
    for (const one of machine.transitions) judge(c, machine, one);
  }
};
