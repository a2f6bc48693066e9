/** What is judged at the edge of a service, besides its steps: versions, sizes, rates, keys. */
import {
  type Endpoint,
  type FailureCondition,
  gapOf,
  type ItemId,
  isStated,
  type Limit,
  type Plan,
  pathText,
  type Refusal,
  statedOf,
  unknownOf,
  unknownToAll,
} from "../../plan/index.ts";
import { compileRule, type Members, readPairs } from "../../run/index.ts";
import { digest } from "./hooks.ts";
import type { Request } from "./message.ts";

/** What choosing a version comes to before anything else; undefined: go on. */
export function judgeVersion(
  plan: Plan,
  endpoint: Endpoint | undefined,
  sent: { readonly headers: ReadonlyMap<string, string>; readonly query: string },
): { readonly gap: ItemId } | { readonly condition: FailureCondition } | undefined {
  const { chosenBy, version } = plan.versioning;
  if (chosenBy.is === "gap") return { gap: chosenBy.gap };
  const choice = statedOf(chosenBy);
  if (choice === undefined || choice.by === "path") return undefined;
  const chosen =
    choice.by === "header"
      ? sent.headers.get(choice.name.toLowerCase())
      : readPairs(sent.query)?.get(choice.name)?.[0];
  if (chosen === undefined) {
    const rows = [...(endpoint?.failures ?? []), ...plan.failures];
    const row = rows.find((one) => one.condition === "no version");
    return row?.answer.is === "ignored" ? undefined : { condition: "no version" };
  }
  if (version.is === "gap") return { gap: version.gap };
  return chosen === statedOf(version) ? undefined : { condition: "unknown version" };
}

/** Sizes of a request in bytes. */
interface Sizes {
  readonly "body bytes": number;
  readonly "path bytes": number;
  readonly "header bytes": number;
}

/** The stated amount of a limit that hangs on settings alone; undefined: it is not known. */
export function amountOf({ amount }: Limit, settings: Members): bigint | undefined {
  if (!isStated(amount)) return undefined;
  const value = compileRule(amount.value.value.code)?.(undefined, { now: 0n, settings, digest });
  return typeof value === "bigint" ? value : undefined;
}

function refusalOf(limit: Limit): Refusal {
  const { whenPassed, id } = limit;
  return isStated(whenPassed) ? whenPassed.value : { is: "gap", gap: gapOf(whenPassed) ?? id };
}

/** The refusal of a request that is too large; `only`: of its body alone, not read then. */
export function judgeSizes(
  plan: Plan,
  sizes: Sizes,
  { settings, only }: { readonly settings: Members; readonly only?: "body bytes" },
): { readonly item: ItemId; readonly refusal: Refusal } | undefined {
  const open = only === undefined ? unknownToAll(plan) : undefined;
  if (open !== undefined) return { item: open, refusal: { is: "gap", gap: open } };
  for (const limit of plan.limits) {
    const size = sizes[limit.counts.is as keyof Sizes];
    if (size === undefined || (only !== undefined && limit.counts.is !== only)) continue;
    const gap = only === undefined ? unknownOf(limit) : undefined;
    if (gap !== undefined) return { item: limit.id, refusal: { is: "gap", gap } };
    const amount = amountOf(limit, settings);
    if (amount === undefined || BigInt(size) <= amount) continue;
    return { item: limit.id, refusal: refusalOf(limit) };
  }
  return undefined;
}

/** Limits on requests to the endpoint, in windows. */
export function ratesOf({ limits }: Plan, endpoint: Endpoint): readonly Limit[] {
  const name = `${endpoint.method} ${pathText(endpoint.path)}`;
  return limits.filter(
    ({ counts }) =>
      counts.is === "requests" && (counts.endpoint === undefined || counts.endpoint === name),
  );
}

/** The sizes of a request as it is sent. */
export function sizesOf({ target, headers, body }: Request): Sizes {
  const fields = headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  return {
    "body bytes": Buffer.byteLength(body ?? ""),
    "path bytes": Buffer.byteLength(target),
    "header bytes": fields,
  };
}
