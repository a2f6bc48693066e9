/** The tables with what may stand below a path: what an endpoint may have, but its body. */
import { bullets as ownBullets } from "./bullets.ts";
import type { Scope } from "./form.ts";
import { tables as ownTables } from "./tables.ts";

const LEFT_OUT: ReadonlySet<string> = new Set([
  "answers",
  "body fields",
  "body member fields",
  "body member type",
  "body type",
  "cases",
]);

function withGroups<T extends { readonly id: string; readonly in: readonly Scope[] }>(
  entries: readonly T[],
): readonly T[] {
  return entries.map((entry) =>
    entry.in.includes("endpoint") && !LEFT_OUT.has(entry.id)
      ? { ...entry, in: [...entry.in, "group"] }
      : entry,
  );
}

/** Every bullet, by scope. */
export const bullets = withGroups(ownBullets);

/** Every table, by scope. */
export const tables = withGroups(ownTables);
