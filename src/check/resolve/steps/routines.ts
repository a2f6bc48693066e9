/** Resolves named steps, which other steps do, and proves that none do themselves. */
import { endless } from "../../../base/index.ts";
import { everyStep, type Routine, type Step } from "../../../plan/index.ts";
import type { SectionNode } from "../../../spec/index.ts";
import { type Collected, nameOf } from "../names/collect.ts";
import { commonNames, withService } from "../names/common.ts";
import { withNames } from "../names/expression.ts";
import { origin, type Resolver, report, sectionsOf } from "../names/resolver.ts";
import { exprType } from "../names/types.ts";
import { givenOf } from "../resources/shapes.ts";
import type { Flow } from "./flow.ts";
import { resolveSteps } from "./steps.ts";

function routine(r: Resolver, names: Collected, name: string, section: SectionNode): Routine {
  const given = givenOf(r, names, section);
  const view = withNames(
    withService(r, commonNames(r)),
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

/** Resolves all named steps; reports those that do themselves. */
export function resolveRoutines(r: Resolver, names: Collected): Routine[] {
  const routines = sectionsOf(r, "routine").map((section) =>
    routine(r, names, nameOf(section).text, section),
  );
  reportRecursion(r, routines);
  return routines;
}

function doneBy(steps: readonly Step[]): string[] {
  return everyStep(steps).flatMap((step) => (step.kind === "do" ? [step.routine] : []));
}

/** Cycles are told of at most so many times: finding each takes time of its own. */
const CYCLES_MAX = 50;

/** Reports named steps that do themselves, directly or through others. */
function reportRecursion(r: Resolver, routines: readonly Routine[]): void {
  const calls = new Map(routines.map((one) => [one.name, doneBy(one.steps)] as const));
  const suspects = endless(calls);
  for (const one of routines.filter((each) => suspects.has(each.name)).slice(0, CYCLES_MAX)) {
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
