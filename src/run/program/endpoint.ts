/** Compiles an endpoint: the prologue, checks left out, its own steps; tells if it writes. */
import {
  blocksOf,
  type Endpoint,
  type Plan,
  type Step,
  stepKinds,
  unknownToAll,
} from "../../plan/index.ts";
import type { CompilerServices, Run } from "../compile/services.ts";
import { Scope } from "../context/activation.ts";
import { inOrder } from "../steps/order.ts";

export interface CompiledEndpoint {
  readonly endpoint: Endpoint;
  readonly scope: Scope;
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
function leftOut(services: CompilerServices, scope: Scope, endpoint: Endpoint): readonly Run[] {
  const has = (what: string) =>
    [...services.model.plan.prologue, ...endpoint.steps].some(
      (step) => step.kind === "check" && step.what === what,
    );
  // What is counted is not shown, so that no step is known to be needed.
  const isUnknown = unknownToAll(services.model.plan) !== undefined;
  return (["caller", "inputs", "paths", ...(isUnknown ? (["limits"] as const) : [])] as const)
    .filter((what) => !has(what))
    .map((what) => services.check(what, scope, endpoint));
}

/** Compiles an endpoint's steps to one closure. */
export function compileEndpoint(services: CompilerServices, endpoint: Endpoint): CompiledEndpoint {
  const scope = new Scope(services.model);
  for (const name of ["caller", "body", "path", "query", "header", "cookie", "now"]) {
    scope.slot(name);
  }
  const context = { services, scope, endpoint, lists: new Map() };
  const run = inOrder([
    services.steps(context, services.model.plan.prologue),
    ...leftOut(services, scope, endpoint),
    services.steps(context, endpoint.steps),
    () => ({ is: "fault", message: `${endpoint.id}: the steps end without an answer` }),
  ]);
  return { endpoint, scope, run };
}
