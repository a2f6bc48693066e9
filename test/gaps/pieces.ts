/** What of a plan requests may come to: steps, cases, transitions, orders, and what refuses. */
import { type Endpoint, type Plan, type Step, stepsOf } from "../../src/plan/index.ts";

/** Steps, cases, transitions, and what refuses, in a piece of the plan. */
function* piecesIn(node: unknown): Generator<object> {
  if (Array.isArray(node)) for (const one of node) yield* piecesIn(one);
  else if (typeof node === "object" && node !== null) {
    const { id, kind, is, error, values, steps, from } = node as Record<string, unknown>;
    const isRefusal = is === "error" && error !== undefined;
    const isCase = Array.isArray(values) && Array.isArray(steps);
    const isStep = typeof kind === "string" && typeof id === "string";
    const isTransition = Array.isArray(from) && typeof id === "string";
    if (isRefusal || isCase || isStep || isTransition) yield node;
    for (const one of Object.values(node)) yield* piecesIn(one);
  }
}

/** Every step below a piece of the plan. */
function stepsIn(plan: Plan, node: unknown): Step[] {
  const all = new Set<object>(stepsOf(plan));
  return [...piecesIn(node)].filter((one): one is Step => all.has(one));
}

/** What a step brings about elsewhere in the plan. */
function behind(plan: Plan, step: Step): object[] {
  if (step.kind === "do") return plan.routines.filter((one) => one.name === step.routine);
  const fired = step.kind === "fire" ? step.transitions : [];
  const named = step.kind === "may fire" ? [step.transition] : fired;
  return plan.machines.flatMap(({ transitions }) =>
    transitions.filter((one) => named.includes(one.name)),
  );
}

/** What refuses a row of a resource that is made or changed. */
function judging({ resources, limits }: Plan, names: ReadonlySet<string>): object[] {
  const judged = resources.filter(({ name }) => names.has(name));
  const rules = judged.flatMap(({ invariants, fields }) => [
    invariants,
    fields.map((one) => one.rules),
  ]);
  const counted = limits.filter(({ counts }) => "resource" in counts && names.has(counts.resource));
  return [...rules, ...counted];
}

/** Pieces that a request to the endpoint may come to, also in steps and transitions that follow. */
export function piecesOf(plan: Plan, endpoint: Endpoint): readonly object[] {
  const seen = new Set<object>([endpoint]);
  const made = new Set<string>();
  for (const node of seen) {
    for (const step of stepsIn(plan, node)) {
      if (step.kind === "create") made.add(step.resource);
      for (const one of behind(plan, step)) seen.add(one);
    }
  }
  const content = endpoint.body.is === "stated" ? endpoint.body.value.content : undefined;
  if (content !== undefined && "resource" in content) made.add(content.resource);
  if (endpoint.method !== "GET") for (const one of endpoint.bindings) made.add(one.resource);
  return [...new Set(piecesIn([...seen, ...judging(plan, made)]))];
}

/** Pieces that time alone may bring about. */
export function timedPiecesOf({ machines }: Plan): readonly object[] {
  return machines.flatMap(({ transitions, together }) => [
    together,
    ...transitions.filter(({ on }) => on.is !== "step"),
  ]);
}
