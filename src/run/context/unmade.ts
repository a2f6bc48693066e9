/** Rows at the start that met a gap: they are not there, and who might find one meets the gap. */
import type { ItemId } from "../../plan/index.ts";
import type { Session } from "../ports/index.ts";
import type { Model } from "./model.ts";

/** A row and a gap in one number: their places in the resource and in the plan. */
const GAPS = 65_536n;
const EVER = -(2n ** 62n);
const ALL = 2n ** 62n;

const nameOf = (resource: string): string => `#unmade ${resource}`;

/** Notes that a row could not be made; false: the plan has no such gap. */
export function noteUnmade(
  { plan }: Model,
  session: Session,
  row: { readonly resource: string; readonly place: number; readonly gap: ItemId },
): boolean {
  const gap = plan.gaps.findIndex((one) => one.id === row.gap);
  if (gap < 0 || BigInt(gap) >= GAPS) return false;
  const at = BigInt(row.place) * GAPS + BigInt(gap);
  session.counters.tally(nameOf(row.resource), 0, { at, amount: 1n });
  return true;
}

/** The gap that the first row of a resource has met which is not there. */
export function unmadeGap({ plan }: Model, session: Session, resource: string): ItemId | undefined {
  const [at] = session.counters.tallies(nameOf(resource), 0, EVER);
  return at === undefined ? undefined : plan.gaps[Number(at % GAPS)]?.id;
}

/** Places of the rows that are not there; they are noted no longer. */
export function takeUnmade(session: Session, resource: string): ReadonlySet<number> {
  const all = session.counters.tallies(nameOf(resource), 0, EVER);
  if (all.length > 0) session.counters.forget(nameOf(resource), 0, ALL);
  return new Set(all.map((at) => Number(at / GAPS)));
}
