/** Tells which rows are not known when a time has come that met a gap: all that it may change. */
import { never } from "../base/index.ts";
import { everyStep } from "./step-kinds.ts";
import type { Machine, Plan, Step, Transition } from "./types/index.ts";

const ALL = "*";

/** Whether it is taken without a request, so that nobody is told of a gap that it meets. */
function isUnasked({ on }: Transition): boolean {
  return on.is !== "step" && on.is !== "transition";
}

/** What is done when something happens: names of resources, or `*` for any. */
class Writes {
  readonly found = new Set<string>();
  readonly #plan: Plan;
  readonly #done = new Set<unknown>();

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  steps(steps: readonly Step[]): void {
    for (const step of everyStep(steps)) this.#step(step);
  }

  #step(step: Step): void {
    switch (step.kind) {
      case "create":
        this.found.add(step.resource);
        return;
      case "delete every":
        this.gone(step.resource);
        return;
      case "set":
        // Of a transition it is the row itself.
        if (step.target === "it") return;
        for (const { name, fields } of this.#plan.resources) {
          if (fields.some((field) => field.name === step.field)) this.found.add(name);
        }
        return;
      case "do":
        this.#once(this.#plan.routines.find((one) => one.name === step.routine)?.steps);
        return;
      case "fire":
        for (const machine of this.#plan.machines) {
          for (const one of machine.transitions) {
            if (!step.transitions.includes(one.name)) continue;
            this.found.add(machine.resource);
            this.taken(machine, one);
          }
        }
        return;
      case "delete":
      case "set from":
      case "gap":
        this.found.add(ALL);
        return;
      case "check":
      case "check tag":
      case "require":
      case "let one":
      case "let every":
      case "let":
      case "order":
      case "page":
      case "page after":
      case "may fire":
      case "emit":
      case "call":
      case "respond":
      case "refuse":
      case "when":
      case "cases":
      case "for each":
      case "any order":
        return;
      default:
        never(step);
    }
  }

  #once(steps: readonly Step[] | undefined): void {
    if (steps === undefined || this.#done.has(steps)) return;
    this.#done.add(steps);
    this.steps(steps);
  }

  /** What a transition does besides changing its own row. */
  taken({ resource }: Machine, { id, name, then }: Transition): void {
    if (this.#done.has(then)) return;
    this.#done.add(then);
    // Which state follows is not shown: it is the row's own.
    this.steps(then.filter((step) => step.kind !== "gap" || step.id !== `${id}/to`));
    for (const machine of this.#plan.machines) {
      for (const one of machine.transitions) {
        const { on } = one;
        if (on.is !== "transition" || on.transition !== name || on.resource !== resource) continue;
        if (machine.resource !== resource) this.found.add(machine.resource);
        this.taken(machine, one);
      }
    }
  }

  /** Rows are deleted, and with them, or in what names them, others. */
  gone(name: string): void {
    this.found.add(name);
    for (const { name: other, fields } of this.#plan.resources) {
      if (fields.some(({ rules }) => rules.some((rule) => rule.kind === "when gone"))) {
        this.found.add(other);
      }
    }
  }
}

function writesOf(plan: Plan, resource: string): ReadonlySet<string> {
  const writes = new Writes(plan);
  for (const machine of plan.machines) {
    if (machine.resource !== resource) continue;
    for (const one of machine.transitions) if (isUnasked(one)) writes.taken(machine, one);
  }
  const kept = plan.resources
    .find((one) => one.name === resource)
    ?.invariants.some(({ kind }) => kind === "kept for");
  if (kept === true) writes.gone(resource);
  return writes.found;
}

const known = new WeakMap<Plan, ReadonlyMap<string, readonly string[]>>();

/**
 * Resource -> resources of which a time that comes for a row may make, change or delete rows of the
 * first, besides the row itself. Empty for a plan in which no such time can meet a gap.
 */
export function doubtersOf(plan: Plan): ReadonlyMap<string, readonly string[]> {
  const found = known.get(plan);
  if (found !== undefined) return found;
  const made = new Map<string, string[]>();
  const doubtful = plan.gaps.some((gap) => gap.blocking) ? plan.resources : [];
  for (const { name } of doubtful) {
    const writes = writesOf(plan, name);
    for (const { name: other } of plan.resources) {
      if (!writes.has(other) && !writes.has(ALL)) continue;
      made.set(other, [...(made.get(other) ?? []), name]);
    }
  }
  known.set(plan, made);
  return made;
}
