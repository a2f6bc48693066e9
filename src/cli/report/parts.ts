/** The nine parts as rows: one for each status that facets of the part have. */
import type { PartReport } from "../../check/index.ts";
import type { Status } from "../../plan/index.ts";

interface StatusRow {
  readonly part: string;
  readonly status: Status;
  /** Names, in the order of the document's notation. */
  readonly facets: readonly string[];
}

/** Rows in the order of the parts, then of the first facet with that status. */
export function statusRows(parts: readonly PartReport[]): StatusRow[] {
  return parts.flatMap((part) => {
    const byStatus = new Map<Status, string[]>();
    for (const facet of part.facets) {
      byStatus.set(facet.status, [...(byStatus.get(facet.status) ?? []), facet.name]);
    }
    return [...byStatus].map(([status, facets]) => ({ part: part.name, status, facets }));
  });
}
