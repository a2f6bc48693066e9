/** Which items of the document an answer breaks that no reading gives. */
import type { ItemId, Plan } from "../../plan/index.ts";
import type { Ran } from "../world/world.ts";
import type { Difference } from "./compare.ts";

/** The items, the nearest first; at least one. */
export function blamed(
  plan: Plan,
  { endpoint, trace }: Ran,
  differences: readonly Difference[],
): readonly ItemId[] {
  const at = endpoint?.id ?? "failures/unknown path";
  const status = differences.find((one) => one.in === "status");
  const failed = trace.filter(([, came]) => came === "failed").map(([item]) => item);
  const ended = trace.filter(([, came]) => came === "ended").map(([item]) => item);
  const errors = trace.filter(([item]) => item.startsWith("errors/")).map(([item]) => item);
  if (status !== undefined) {
    const items = [...failed, ...ended, ...errors];
    return unique(items.length === 0 ? [at] : items);
  }
  const shown = trace.filter(([, came]) => came === "shown").map(([item]) => item);
  const found = differences.flatMap((one) => {
    if (one.in === "header") return headerItems(plan, { endpoint, ended }, String(one.where[0]));
    const name = one.where.findLast((part) => typeof part === "string");
    const named = shown.filter((item) => name !== undefined && item.endsWith(`/${name}`));
    return named.length > 0 ? named : [...ended, ...errors];
  });
  return unique(found.length === 0 ? [at] : found);
}

function headerItems(
  plan: Plan,
  { endpoint, ended }: { readonly endpoint: Ran["endpoint"]; readonly ended: readonly ItemId[] },
  name: string,
): readonly ItemId[] {
  const same = (one: { readonly name: string }): boolean =>
    one.name.toLowerCase() === name.toLowerCase();
  const own = (endpoint?.headers ?? plan.headers ?? []).filter(same).map(({ id }) => id);
  return own.length > 0 ? own : ended;
}

function unique(items: readonly ItemId[]): readonly ItemId[] {
  return [...new Set(items)];
}
