/** Which rows names of steps stand for. */
import type { Type } from "../../src/expr/index.ts";
import { type Plan, type Step, stepsOf } from "../../src/plan/index.ts";

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

/** The resource of the row that a step gives a name to; undefined: none, or not known. */
function namedBy(step: Step): string | undefined {
  if (step.kind === "create" || step.kind === "let one") return step.resource;
  if (step.kind === "let") return rowIn(step.value.code.type);
  if (step.kind !== "for each") return undefined;
  const { type } = step.in.code;
  return type.kind === "list" ? rowIn(type.of) : undefined;
}

const rowIn = (type: Type): string | undefined => (type.kind === "row" ? type.resource : undefined);

/** The resource of the row that a name stands for beside a step; undefined: not known. */
export function rowAt(plan: Plan, step: Step, name: string): string | undefined {
  for (const { steps, names } of aroundOf(plan)) {
    if (!steps.includes(step)) continue;
    const own = steps.flatMap((one) => ("as" in one && one.as === name ? [namedBy(one)] : []));
    const all = new Set([...own, ...(names.has(name) ? [names.get(name)] : [])]);
    return all.size === 1 ? [...all][0] : undefined;
  }
  return undefined;
}
