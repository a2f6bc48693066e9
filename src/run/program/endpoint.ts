/** Compiles an endpoint: the prologue, checks left out, its own steps; tells if it writes. */
import {
  blocksOf,
  type Endpoint,
  type Plan,
  type Step,
  stepKinds,
  unknownOf,
} from "../../plan/index.ts";
import type { CompilerServices, Run } from "../compile/services.ts";
import { Scope } from "../context/activation.ts";
import { inOrder } from "../steps/order.ts";

export interface CompiledEndpoint {
  readonly endpoint: Endpoint;
  readonly unit: Scope;
  readonly run: Run;
}

/** Whether a step may write, inside others and in routines too. */
function mayWrite(plan: Plan, steps: readonly Step[], seen: Set<string>): boolean {
  return steps.some((step) => {
    if (step.kind === "do") {
      if (seen.has(step.routine)) return false;
      seen.add(step.routine);
      const routine = plan.routines.find((one) => one.name === step.routine);
      return routine !== undefined && mayWrite(plan, routine.steps, seen);
    }
    // An event leaves a message behind; what an element did may have to be undone.
    if (step.kind === "emit" || (step.kind === "for each" && step.own)) return true;
    if (stepKinds[step.kind].writes) return true;
    return blocksOf(step).some((inner) => mayWrite(plan, inner, seen));
  });
}

/** Whether requests to the endpoint must run on the writing session. */
export function endpointWrites(plan: Plan, endpoint: Endpoint): boolean {
  return (
    endpoint.idempotency !== undefined ||
    mayWrite(plan, [...plan.prologue, ...endpoint.steps], new Set())
  );
}

/** Checks that the endpoint's own steps need and no step before them makes. */
function leftOut(kit: CompilerServices, unit: Scope, endpoint: Endpoint): readonly Run[] {
  const has = (what: string) =>
    [...kit.model.plan.prologue, ...endpoint.steps].some(
      (step) => step.kind === "check" && step.what === what,
    );
  const { limits } = kit.model.plan;
  // What is counted is not shown, so that no step is known to be needed.
  const isUnknown = limits.some(
    (limit) =>
      (limit.counts.is === "gap" || limit.counts.is === "request time") &&
      unknownOf(limit) !== undefined,
  );
  return (["caller", "inputs", "paths", ...(isUnknown ? (["limits"] as const) : [])] as const)
    .filter((what) => !has(what))
    .map((what) => kit.check(what, unit, endpoint));
}

/** Compiles an endpoint's steps to one closure. */
export function compileEndpoint(kit: CompilerServices, endpoint: Endpoint): CompiledEndpoint {
  const unit = new Scope(kit.model);
  for (const name of ["caller", "body", "path", "query", "header", "cookie", "now"]) {
    unit.slot(name);
  }
  const scope = { kit, unit, endpoint, lists: new Map() };
  const run = inOrder([
    kit.steps(scope, kit.model.plan.prologue),
    ...leftOut(kit, unit, endpoint),
    kit.steps(scope, endpoint.steps),
    () => ({ is: "fault", message: `${endpoint.id}: the steps end without an answer` }),
  ]);
  return { endpoint, unit, run };
}
