/** Takes transitions: From, guard, the new state, the steps behind it, and what they trigger. */
import type { Machine, Transition } from "../../src/plan/index.ts";
import { meet, pass } from "./coverage.ts";
import { noteMove } from "./invariants.ts";
import { changeRow } from "./rows.ts";
import { statedDuration } from "./times.ts";
import { equal, Fault, GapMet, isRef, type Ref } from "./values.ts";
import type { Ending, Work } from "./work.ts";
import { resourceOf } from "./world.ts";

/** Runs steps over names; given by who knows all steps. */
export type RunSteps = (work: Work, transition: Transition, it: Ref) => Ending | undefined;

export function machineOf(work: Work, resource: string): Machine {
  const found = work.plan.machines.find((one) => one.resource === resource);
  if (found === undefined) throw new Error(`${resource} has no states`);
  return found;
}

/** The rows of the table that can be taken now. */
export function open(work: Work, it: Ref, names: readonly string[]): readonly Transition[] {
  const machine = machineOf(work, it.resource);
  const state = work.field(it, machine.field);
  return machine.transitions.filter((one) => {
    if (!names.includes(one.name) || !one.from.includes(state as string)) return false;
    if (one.gap !== undefined) throw new GapMet(one.gap);
    if (one.on.is === "gap") throw new GapMet(one.on.gap);
    return one.when === undefined || work.eval(one.when, [["it", it]]) === true;
  });
}

/** Takes one of the transitions, and those that it triggers; `refused`: none can be taken. */
export function fire(
  work: Work,
  it: Ref,
  names: readonly string[],
  run: RunSteps,
): Ending | "refused" | undefined {
  const queue: { readonly it: Ref; readonly names: readonly string[] }[] = [{ it, names }];
  for (let i = 0; i < queue.length; i++) {
    const next = queue[i] as (typeof queue)[number];
    const [taken, second] = open(work, next.it, next.names);
    if (taken === undefined && i === 0) {
      meet("transition", "refused");
      return "refused";
    }
    if (taken === undefined) continue;
    if (second !== undefined) throw new Fault("more than one transition can be taken");
    const { field, resource } = machineOf(work, next.it.resource);
    meet("transition", `on ${taken.on.is}`);
    pass(taken);
    if (taken.when !== undefined) meet("transition", "with a guard");
    const before = work.field(next.it, field);
    changeRow(work, next.it, new Map([[field, taken.to]]));
    entered(work, next.it, { before: before as string, after: taken.to });
    noteMove(work, next.it, taken.name);
    const ending = run(work, taken, next.it);
    if (ending !== undefined) return ending;
    queue.push(...triggered(work, resource, taken.name, next.it));
  }
  return undefined;
}

/**
 * A state was entered. What happens by itself may take all its time from now on; of what comes
 * again and again, the times that passed in a state outside of From are left out.
 */
function entered(
  work: Work,
  it: Ref,
  states: { readonly before: string; readonly after: string },
): void {
  const times = work.find(it)?.times;
  for (const { id, on, from } of machineOf(work, it.resource).transitions) {
    const isIn = from.includes(states.after);
    if (on.is === "by itself")
      times?.set(id, isIn ? work.now + statedDuration(on.withinText) : null);
    if (on.is !== "every" || !isIn || from.includes(states.before)) continue;
    const period = statedDuration(on.durationText);
    let next = times?.get(id) ?? work.now;
    while (next <= work.now) next += period;
    times?.set(id, next);
  }
}

/** Transitions `transition t of R` of rows that refer to the row or that it refers to. */
function triggered(
  work: Work,
  resource: string,
  name: string,
  cause: Ref,
): { readonly it: Ref; readonly names: readonly string[] }[] {
  return work.plan.machines.flatMap((machine) =>
    machine.transitions.flatMap((one) => {
      if (one.on.is !== "transition") return [];
      if (one.on.transition !== name || one.on.resource !== resource) return [];
      return related(work, cause, machine.resource).map((it) => ({ it, names: [one.name] }));
    }),
  );
}

function related(work: Work, cause: Ref, resource: string): readonly Ref[] {
  if (resource === cause.resource) return [cause];
  const mine = resourceOf(work.plan, cause.resource).fields.map(({ name }) =>
    work.field(cause, name),
  );
  const { fields } = resourceOf(work.plan, resource);
  return work.every(
    resource,
    (row) =>
      mine.some((value) => isRef(value) && equal(value, row)) ||
      fields.some(({ name }) => {
        const value = work.field(row, name);
        return isRef(value) && equal(value, cause);
      }),
  );
}
