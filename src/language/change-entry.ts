/** What a table of changes says of one. */
import type { ChangeKind } from "../plan/index.ts";

/** Who a change matters for. */
export const audiences = {
  sends: "who sends requests",
  reads: "who reads answers",
  receives: "who receives events",
  runs: "who runs the service",
} as const;

export type Audience = keyof typeof audiences;

export interface ChangeEntry {
  readonly means: string;
  readonly for: readonly Audience[];
  /** What it is when the two are changed about: one of these; none: itself. */
  readonly reversed: readonly ChangeKind[];
}

/** A change with its opposite; one that is its own opposite has none. */
export function k(who: string, means: string, ...reversed: readonly ChangeKind[]): ChangeEntry {
  return { means, for: who.split(" ") as Audience[], reversed };
}
