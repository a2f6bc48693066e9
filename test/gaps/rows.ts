/** Which rows names of steps stand for, and which transitions on time nothing refuses. */
import type { Code, Type } from "../../src/expr/index.ts";
import {
  type Machine,
  type Plan,
  type Resource,
  type Step,
  stepsOf,
} from "../../src/plan/index.ts";

interface Around {
  readonly steps: readonly Step[];
  readonly names: ReadonlyMap<string, string>;
}

/** Every step below a piece of the plan. */
function stepsIn(plan: Plan, node: unknown): Step[] {
  const all = new Set<unknown>(stepsOf(plan));
  const found: Step[] = [];
  const walk = (one: unknown): void => {
    if (all.has(one)) found.push(one as Step);
    if (typeof one === "object" && one !== null)
      for (const piece of Object.values(one)) walk(piece);
  };
  walk(node);
  return found;
}

const known = new WeakMap<Plan, readonly Around[]>();

/** Lists of steps that share names, with the resource of each name that is known there. */
function aroundOf(plan: Plan): readonly Around[] {
  const before = known.get(plan);
  if (before !== undefined) return before;
  const made = [
    ...plan.endpoints.map(({ steps, bindings }): Around => {
      return {
        steps: stepsIn(plan, steps),
        names: new Map(bindings.map((one) => [one.as, one.resource])),
      };
    }),
    ...plan.routines.map(({ steps, given }): Around => {
      const rows = given.flatMap(({ name, type: { type } }) =>
        type.kind === "reference" ? [[name, type.resource] as const] : [],
      );
      return { steps: stepsIn(plan, steps), names: new Map(rows) };
    }),
    ...plan.machines.flatMap(({ resource, transitions }) =>
      transitions.map(({ then }): Around => {
        return { steps: stepsIn(plan, then), names: new Map([["it", resource]]) };
      }),
    ),
  ];
  known.set(plan, made);
  return made;
}

/** The resource of the row that a name stands for beside a step; undefined: not known. */
export function rowAt(plan: Plan, step: Step, name: string): string | undefined {
  for (const { steps, names } of aroundOf(plan)) {
    if (!steps.includes(step)) continue;
    const own = steps.flatMap((one) => {
      const makes = one.kind === "create" || one.kind === "let one";
      return makes && one.as === name ? [one.resource] : [];
    });
    const others = steps.some(
      (one) => "as" in one && one.as === name && one.kind !== "create" && one.kind !== "let one",
    );
    const all = new Set([...own, ...(names.has(name) ? [names.get(name) ?? ""] : [])]);
    return all.size === 1 && !others ? [...all][0] : undefined;
  }
  return undefined;
}

/** Fields of a resource that an expression in a piece of the plan may read. */
function readIn(node: unknown, resource: string, found = new Set<string>()): ReadonlySet<string> {
  if (typeof node !== "object" || node === null) return found;
  const { op, member, of } = node as { op?: unknown; member?: unknown; of?: { type?: Type } };
  const type = of?.type;
  const isOther = type?.kind === "row" && type.resource !== resource;
  if (op === "get" && typeof member === "string" && !isOther) found.add(member);
  for (const one of Object.values(node)) readIn(one, resource, found);
  return found;
}

/** Fields of a resource that a condition on rows is about, and those that no two rows may share. */
function judgedFields({ resources, limits }: Plan, { name, invariants: own }: Resource) {
  const invariants = resources.flatMap((one) => one.invariants);
  const unique = own.flatMap((one) => (one.kind === "unique" ? one.fields : []));
  return new Set([...readIn([invariants, limits], name), ...unique]);
}

/** Whether nothing refuses a transition on time: no invariant is about its state or what it sets. */
export function neverRefused(plan: Plan, machine: Machine, name: string): boolean {
  const resource = plan.resources.find((one) => one.name === machine.resource);
  if (resource === undefined) return false;
  const judged = judgedFields(plan, resource);
  if (judged.has(machine.field)) return false;
  const isCounted = plan.limits.some(
    ({ counts }) =>
      counts.is === "gap" || (counts.is === "sum" && counts.resource === resource.name),
  );
  const hasGap = resource.invariants.some(({ kind }) => kind === "gap" || kind === "changed never");
  const updated = resource.fields.filter(({ rules }) =>
    rules.some(({ kind }) => kind === "set" || kind === "counts up" || kind === "gap"),
  );
  if (isCounted || hasGap || updated.some((one) => judged.has(one.name))) return false;
  const isFree = (field: string, code: Code): boolean => {
    const found = resource.fields.find((one) => one.name === field);
    const rules = found?.rules.filter(({ kind }) => kind !== "starts") ?? [];
    const isPlain = code.op === "literal" && (code.value === null || rules.length === 0);
    return found !== undefined && isPlain && !judged.has(field);
  };
  const harmless = (steps: readonly Step[], it: string): boolean =>
    steps.every((step) => {
      if (step.kind === "emit") return true;
      if (step.kind === "set") return step.target === it && isFree(step.field, step.value.code);
      if (step.kind !== "do") return false;
      const routine = plan.routines.find((one) => one.name === step.routine);
      const [given, ...more] = step.with;
      const isIt = given?.value.code.op === "name" && given.value.code.name === it;
      return (
        routine !== undefined && more.length === 0 && isIt && harmless(routine.steps, given.name)
      );
    });
  const own = machine.transitions.filter((one) => one.name === name);
  // One that another follows is refused with it.
  const isFollowed = plan.machines.some(({ transitions }) =>
    transitions.some(({ on }) => on.is === "transition" && on.transition === name),
  );
  // Where a condition does not hold when the time comes, it is refused for that.
  const isKnown = own.every(
    ({ gap, on, when }) => gap === undefined && on.is === "time" && when === undefined,
  );
  return own.length > 0 && isKnown && !isFollowed && own.every(({ then }) => harmless(then, "it"));
}
