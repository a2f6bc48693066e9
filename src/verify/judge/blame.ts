/** Which items of the document an answer breaks that no reading gives. */
import type { ItemId, Plan } from "../../plan/index.ts";
import type { Ran } from "../world/world.ts";
import type { Difference } from "./compare.ts";

/** The items, the nearest first; at least one. */
export function blamed(
  plan: Plan,
  { endpoint, trace, outcome }: Ran,
  differences: readonly Difference[],
): readonly ItemId[] {
  const at = endpoint?.id ?? "failures/unknown path";
  const status = differences.find((one) => one.in === "status");
  // An error of which several members are otherwise is another error: it is the check that failed.
  const inBody = differences.filter((one) => one.in === "body");
  const isOther = outcome.error !== undefined && inBody.length > 1;
  const failed = trace.filter(([, came]) => came === "failed").map(([item]) => item);
  const ended = trace.filter(([, came]) => came === "ended").map(([item]) => item);
  const errors = trace.filter(([item]) => item.startsWith("errors/")).map(([item]) => item);
  if (status !== undefined || isOther) {
    const items = [...failed, ...ended, ...errors];
    return unique(items.length === 0 ? [at] : items);
  }
  const shown = trace.filter(([, came]) => came === "shown").map(([item]) => item);
  const found = differences.flatMap((one) => {
    if (one.in === "header") return headerItems(plan, { endpoint, trace }, String(one.where[0]));
    const name = one.where.findLast((part) => typeof part === "string");
    const named = shown.filter((item) => name !== undefined && item.endsWith(`/${name}`));
    const refused = outcome.error === undefined ? [] : failed;
    return named.length > 0 ? [...named, ...refused] : [...ended, ...errors];
  });
  return unique(found.length === 0 ? [at] : found);
}

function headerItems(
  plan: Plan,
  { endpoint, trace }: Pick<Ran, "endpoint" | "trace">,
  name: string,
): readonly ItemId[] {
  const same = (one: { readonly name: string }): boolean =>
    one.name.toLowerCase() === name.toLowerCase();
  const own = (endpoint?.headers ?? plan.headers ?? []).filter(same).map(({ id }) => id);
  if (own.length > 0) return own;
  const [ended, failed] = ["ended", "failed"].map((which) =>
    trace.flatMap(([item, came]) => (came === which ? [item] : [])),
  ) as [ItemId[], ItemId[]];
  const limits = new Set(plan.limits.map(({ id }) => id));
  switch (name.toLowerCase()) {
    case "etag": {
      const shown = new Set(trace.flatMap(([item, came]) => (came === "shown" ? [item] : [])));
      const tags = plan.resources.filter(({ fields }) => fields.some(({ id }) => shown.has(id)));
      return [...tags.flatMap(({ versionTag }) => versionTag?.id ?? []), ...ended];
    }
    case "deprecation":
    case "sunset":
      return ["versioning/sent with deprecated endpoints", ...ended];
    case "retry-after":
    case "ratelimit":
    case "ratelimit-policy":
      return [...failed.filter((item) => limits.has(item)), ...ended];
    default:
      return [...ended, ...failed];
  }
}

function unique(items: readonly ItemId[]): readonly ItemId[] {
  return [...new Set(items)];
}
