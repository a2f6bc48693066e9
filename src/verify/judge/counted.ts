/** Numbers that a service counts up: other clients may have taken some of them. */
import type { Plan } from "../../plan/index.ts";
import type { Ran } from "../world/world.ts";
import type { Difference } from "./compare.ts";

const WHOLE = /^-?\d+$/;

/** The number from which a field counts; undefined: it counts within groups of rows. */
function firstOf({ resources }: Plan, counter: string): bigint | undefined {
  const [resource, field, ...within] = JSON.parse(counter) as string[];
  const fields = resources.find(({ name }) => name === resource)?.fields ?? [];
  const rules = fields.find(({ name }) => name === field)?.rules ?? [];
  const rule = rules.find((one) => one.kind === "counts up");
  return rule === undefined || within.length > 0 ? undefined : BigInt(rule.from);
}

/**
 * The greatest numbers that counters had given before a request, where its answer shows that they
 * had given more than was known. Of what is counted for everybody no more can be told.
 */
export function countedBefore(
  plan: Plan,
  { counted }: Ran,
  differences: readonly Difference[],
): ReadonlyMap<string, bigint> {
  const found = new Map<string, bigint>();
  for (const { expected = "", observed = "" } of differences) {
    if (!WHOLE.test(expected) || !WHOLE.test(observed)) continue;
    const later = BigInt(observed) - BigInt(expected);
    for (const [counter, number] of later > 0n ? counted : []) {
      const first = firstOf(plan, counter);
      if (first === undefined || first + number - 1n !== BigInt(expected)) continue;
      found.set(counter, number - 1n + later);
    }
  }
  return found;
}
