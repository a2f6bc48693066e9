/** What a document states of sizes and times, for a host whose own bounds may not be narrower. */
import { gapOf, isStated, type Limit, type Plan } from "../../plan/index.ts";
import type { Late, Members } from "../../run/index.ts";
import { compileRule } from "../../run/index.ts";
import { digest } from "../crypto/digest.ts";

type Counted = "targetBytesMax" | "headerBytesMax" | "bodyBytesMax" | "stopTimeoutMs";

const COUNTED: Readonly<Record<string, Counted>> = {
  "path bytes": "targetBytesMax",
  "header bytes": "headerBytesMax",
  "body bytes": "bodyBytesMax",
  "request time": "stopTimeoutMs",
};

/** The least that each bound must be, with the name of the limit that asks for it. */
export function neededBounds(
  { limits }: Plan,
  settings: Members,
): ReadonlyMap<Counted, { readonly least: number; readonly by: string }> {
  const needed = new Map<Counted, { least: number; by: string }>();
  for (const { name, counts, amount } of limits) {
    const key = COUNTED[counts.is];
    if (key === undefined || !isStated(amount)) continue;
    const value = compileRule(amount.value.value.code)?.(undefined, { now: 0n, settings, digest });
    if (typeof value !== "bigint") continue;
    // Times are counted in microseconds.
    const least = key === "stopTimeoutMs" ? Math.ceil(Number(value) / 1000) : Number(value);
    if (least > (needed.get(key)?.least ?? 0)) needed.set(key, { least, by: `limit \`${name}\`` });
  }
  return needed;
}

/** The same of several documents on one host. */
export function neededByAll(
  all: readonly { readonly plan: Plan; readonly settings: Members }[],
): ReturnType<typeof neededBounds> {
  const needed = new Map<Counted, { readonly least: number; readonly by: string }>();
  for (const { plan, settings } of all) {
    for (const [key, one] of neededBounds(plan, settings)) {
      if (one.least > (needed.get(key)?.least ?? 0)) needed.set(key, one);
    }
  }
  return needed;
}

/** Limits of the document that stand behind a bound of the host. */
const BEHIND: Readonly<Record<string, Limit["counts"]["is"]>> = {
  "target too long": "path bytes",
  "header section too large": "header bytes",
};

/** What the document states for the condition, by a limit on it; undefined: nothing. */
export function statedFor({ limits }: Plan, condition: string): Exclude<Late, string> | undefined {
  const limit = limits.find(({ counts }) => counts.is === BEHIND[condition]);
  if (limit === undefined) return undefined;
  const { whenPassed, id } = limit;
  if (isStated(whenPassed)) return whenPassed.value;
  return { is: "gap", gap: gapOf(whenPassed) ?? id };
}
