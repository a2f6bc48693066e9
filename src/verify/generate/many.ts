/** How many rows may make a difference, and what makes rows. */
import type { Endpoint, Limit, Plan } from "../../plan/index.ts";
import { scarceEndpoints } from "./scarce.ts";

/** More rows are made for nothing but limits. */
export const MANY_MAX = 60;
/** Requests that are tried for each of many rows: some are refused. */
export const MANY_TRIES = 3;

/** Whether requests are made for such a limit on purpose when exploring has ended. */
export function isProbed({ is }: Limit["counts"]): boolean {
  return is !== "rows kept" && is !== "sum";
}

/**
 * Endpoints that make a row, and of which a service takes as many requests as are made here; of
 * those that are near, if one is.
 */
export function makersOf(plan: Plan, near: readonly Endpoint[] = []): readonly Endpoint[] {
  const scarce = scarceEndpoints(plan);
  const all = plan.endpoints.filter(
    ({ id, steps }) => !scarce.has(id) && steps.some(({ kind }) => kind === "create"),
  );
  const found = all.filter((one) => near.includes(one));
  return found.length > 0 ? found : all;
}

const found = new WeakMap<Plan, readonly number[]>();

/** Whole numbers that a plan speaks of, and one more: so many rows may make a difference. */
export function sizesIn(plan: Plan): readonly number[] {
  const known = found.get(plan) ?? sizesOf(plan);
  found.set(plan, known);
  return known;
}

function sizesOf({ endpoints, limits }: Plan): readonly number[] {
  const all = new Set([2, 3]);
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { op, value } = node as { readonly op?: unknown; readonly value?: unknown };
    const number = op === "literal" ? Number(value) : 0;
    if (Number.isInteger(number) && number > 2 && number <= MANY_MAX) all.add(number + 1);
    for (const one of Object.values(node)) visit(one);
  };
  visit(endpoints);
  visit(limits.filter(({ counts }) => !isProbed(counts)));
  return [...all];
}
