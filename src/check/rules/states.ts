/** Rule: every state can be reached, every state but a final one has a way out. */
import type { Machine, State } from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

function reached(machine: Machine): Set<string> {
  const ways = new Map<string, string[]>();
  for (const { from, to } of machine.transitions) {
    for (const state of from) {
      const all = ways.get(state);
      if (all === undefined) ways.set(state, [to]);
      else all.push(to);
    }
  }
  const open = machine.states.filter((state) => state.initial).map((state) => state.name);
  const found = new Set(open);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const to of ways.get(at) ?? []) {
      if (found.has(to)) continue;
      found.add(to);
      open.push(to);
    }
  }
  return found;
}

/** Where the States bullet names a state. */
function placeOfState(c: RuleContext, machine: Machine, state: State) {
  const bullet = c.sections.get(machine.id)?.bullets.find((one) => one.key === "states");
  const value = bullet?.match.slots.states;
  const item =
    value?.kind === "states" ? value.items.find((one) => one.name.text === state.name) : undefined;
  return item?.name ?? machine.id;
}

function judge(c: RuleContext, machine: Machine): void {
  const found = reached(machine);
  const left = new Set(machine.transitions.flatMap((one) => one.from));
  for (const state of machine.states) {
    const place = () => placeOfState(c, machine, state);
    if (!found.has(state.name)) {
      report(c, {
        code: "unreachable-state",
        severity: "warning",
        at: place(),
        message: `No transition leads to the state \`${state.name}\`.`,
        hint: "Write a transition to it, or take it away.",
      });
    }
    if (!state.final && !left.has(state.name)) {
      report(c, {
        code: "dead-end-state",
        severity: "warning",
        at: place(),
        message: `The state \`${state.name}\` has no way out, and is not marked (final).`,
        hint: "Write `(final)` behind it, or a transition from it.",
      });
    }
    if (state.final && left.has(state.name)) {
      const out = machine.transitions.find((one) => one.from.includes(state.name));
      report(c, {
        code: "final-state-left",
        severity: "error",
        at: out?.id ?? place(),
        message: `\`${state.name}\` is marked (final), and \`${out?.name ?? ""}\` leaves it.`,
        hint: "Take `(final)` away, or the state out of From.",
      });
    }
  }
}

/** Reports `unreachable-state`, `dead-end-state`, `final-state-left`. */
export const states: Rule = (c) => {
  if (c.facets.get("transitions") === "not shown") return;
  for (const machine of c.service.machines) {
    const gap = c.sections.get(machine.id)?.sentences.some((one) => one.status === "not shown");
    if (machine.states.length > 0 && (machine.transitions.length > 0 || gap !== true)) {
      judge(c, machine);
    }
  }
};
