/** Rule: the field of a timer is there, and something sets it. */
import {
  type Expression,
  type Field,
  isStated,
  type Machine,
  type Transition,
} from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";
import { codeRank } from "./order.ts";

/** Whether a value other than null can come into the field. */
function canBeSet(c: RuleContext, resource: string, field: Field): boolean {
  if (c.writes.sets.has(`${resource}.${field.name}`)) return true;
  if (c.writes.withs.has(`${resource}.${field.name}`)) return true;
  if (field.create.is !== "no" && c.writes.bodies.has(`new:${resource}`)) return true;
  if (field.update.is !== "no" && c.writes.bodies.has(`changed:${resource}`)) return true;
  if (isStated(c.resources.get(resource)?.startRows)) return true;
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

/** Whether code is `now` less some time, or a time that lies as far back. */
function isPast({ code }: Expression): boolean {
  if (code.op !== "call") return false;
  const [from, by] = code.args;
  if (from?.op !== "name" || from.name !== "now") return false;
  const span = codeRank(by);
  if (span === undefined) return false;
  return code.fn === "-" ? span > 0n : code.fn === "+" && span < 0n;
}

/** A value that a field is given, and the item that gives it. */
type Given = readonly [Expression, string];

/** Values that steps give fields, by resource and field. */
function givenBySteps(c: RuleContext): ReadonlyMap<string, readonly Given[]> {
  const found = new Map<string, Given[]>();
  const add = (resource: string, field: string, given: Given): void => {
    const key = `${resource}.${field}`;
    const all = found.get(key);
    if (all === undefined) found.set(key, [given]);
    else all.push(given);
  };
  for (const { step, resource } of c.steps) {
    if (step.kind === "set" && resource !== undefined) {
      add(resource, step.field, [step.value, step.id]);
    }
    if (step.kind !== "create") continue;
    for (const { name, value } of step.with) add(step.resource, name, [value, step.id]);
  }
  return found;
}

function givenByRules(field: Field): Given[] {
  return field.rules.flatMap((rule) =>
    rule.kind === "set" || rule.kind === "starts" ? [[rule.value, rule.id] as const] : [],
  );
}

function judgePast(
  c: RuleContext,
  { resource, transitions }: Machine,
  bySteps: ReadonlyMap<string, readonly Given[]>,
): void {
  const fields = new Map<string, string>();
  for (const { on, name } of transitions) if (on.is === "time") fields.set(on.field, name);
  for (const [name, transition] of fields) {
    const field = c.resources.get(resource)?.fields.find((one) => one.name === name);
    if (field === undefined) continue;
    for (const [value, at] of [
      ...givenByRules(field),
      ...(bySteps.get(`${resource}.${name}`) ?? []),
    ]) {
      if (!isPast(value)) continue;
      report(c, {
        code: "timer-past",
        severity: "warning",
        at: c.places.get(value) ?? at,
        message: `This time is past when it is set: \`${transition}\` is due at once.`,
        hint: "Set a time to come, or fire the transition in a step.",
      });
    }
  }
}

/** States that a row goes round through at one instant, from a state back to it. */
function roundOf(ways: ReadonlyMap<string, Transition>, first: string): Transition[] | undefined {
  const round: Transition[] = [];
  const seen = new Set<string>();
  for (let state = first; !seen.has(state); ) {
    seen.add(state);
    const next = ways.get(state);
    if (next === undefined) return undefined;
    round.push(next);
    state = next.to;
    if (state === first) return round;
  }
  return undefined;
}

/** Timed transitions in a circle on one time: nothing lets time pass between them. */
function judgeRounds(c: RuleContext, { resource, transitions }: Machine): void {
  const byField = new Map<string, Map<string, Transition>>();
  for (const one of transitions) {
    const { on } = one;
    const isPlain = one.when === undefined && one.gap === undefined;
    if (on.is !== "time" || !isPlain || one.then.length > 0) continue;
    const ways = byField.get(on.field) ?? new Map<string, Transition>();
    byField.set(on.field, ways);
    for (const state of one.from) if (state !== one.to) ways.set(state, one);
  }
  for (const [field, ways] of byField) {
    for (const state of ways.keys()) {
      const round = roundOf(ways, state);
      const [first, second] = round ?? [];
      if (first === undefined || second === undefined) continue;
      report(c, {
        code: "timer-round",
        severity: "warning",
        at: second.id,
        message:
          `\`${first.name}\` and \`${second.name}\` of \`${resource}\` fall on one time, ` +
          `\`${field}\`: the row is in \`${first.to}\` for no time at all.`,
        hint: "Give each a time of its own, or set the time again under Then.",
      });
      break;
    }
  }
}

/** Reports `timer-absent`, `timer-unset`, `timer-past`, `timer-round`. */
export const timers: Rule = (c) => {
  const bySteps = givenBySteps(c);
  for (const machine of c.service.machines) {
    for (const one of machine.transitions) judge(c, machine, one);
    judgePast(c, machine, bySteps);
    judgeRounds(c, machine);
  }
};
