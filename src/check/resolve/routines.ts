import type { Routine, SectionNode, Step } from "../../model/index.ts";
import { type Collected, nameOf } from "./collect.ts";
import { commonNames } from "./common.ts";
import { withNames } from "./expression.ts";
import type { Flow } from "./flow.ts";
import { origin, report, type Resolver, sectionsOf } from "./resolver.ts";
import { givenOf } from "./shapes.ts";
import { resolveSteps } from "./steps.ts";
import { exprType } from "./types.ts";

export function routine(
  r: Resolver,
  names: Collected,
  name: string,
  section: SectionNode,
): Routine {
  const given = givenOf(r, names, section);
  const view = withNames(
    commonNames(r),
    given.map((one) => [one.name, exprType(names, one.type)] as const),
  );
  const flow: Flow = { section, names, kind: "routine", view, ended: false };
  const { steps } = resolveSteps(r, section.steps, flow);
  if (section.steps.length === 0) {
    report(r, "empty-block", section.heading ?? section, {
      message: "These named steps have no steps.",
    });
  }
  return { id: origin(r, section.id, nameOf(section)), name, given, steps };
}

/** Resolves named steps. */
export function resolveRoutines(r: Resolver, names: Collected): Routine[] {
  const routines = sectionsOf(r, "routine").map((section) =>
    routine(r, names, nameOf(section).text, section),
  );
  reportRecursion(r, routines);
  return routines;
}

export function doneBy(steps: readonly Step[]): string[] {
  return steps.flatMap((step): string[] => {
    switch (step.kind) {
      case "do":
        return [step.routine];
      case "when":
        return doneBy([...step.then, ...(step.otherwise ?? [])]);
      case "cases":
        return step.cases.flatMap((one) => doneBy(one.steps));
      case "for each":
      case "any order":
        return doneBy(step.steps);
      default:
        return [];
    }
  });
}

export function reportRecursion(r: Resolver, routines: readonly Routine[]): void {
  const calls = new Map(routines.map((one) => [one.name, doneBy(one.steps)] as const));
  for (const one of routines) {
    const seen = new Set<string>();
    const open = [...(calls.get(one.name) ?? [])];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (seen.has(name)) continue;
      seen.add(name);
      open.push(...(calls.get(name) ?? []));
    }
    if (!seen.has(one.name)) continue;
    report(r, "recursion", r.origins.get(one.id) ?? { start: 0, end: 0 }, {
      message: `The steps \`${one.name}\` do themselves.`,
      hint: "An algorithm of its own belongs behind a Call.",
    });
  }
}
