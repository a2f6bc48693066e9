/** The nine parts as rows: one for each status that facets of the part have. */
import type { Told } from "./model.ts";

/** What can be said of a facet. */
export type Said = Told["parts"][number]["facets"][number]["status"];

interface StatusRow {
  readonly part: string;
  readonly status: Said;
  /** Names, in the order of the document's notation. */
  readonly facets: readonly string[];
}

/** Rows in the order of the parts, then of the first facet with that status. */
export function statusRows(parts: Told["parts"]): StatusRow[] {
  return parts.flatMap((part) => {
    const byStatus = new Map<Said, string[]>();
    for (const facet of part.facets) {
      byStatus.set(facet.status, [...(byStatus.get(facet.status) ?? []), facet.name]);
    }
    return [...byStatus].map(([status, facets]) => ({ part: part.name, status, facets }));
  });
}
