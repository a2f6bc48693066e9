/** What of a race without an order is called wrong, and how the model goes on behind it. */
import { type ItemId, itemOf, type Plan } from "../../plan/index.ts";
import { blamed } from "../judge/blame.ts";
import type { Judge } from "../judge/judge.ts";
import type { Judgement } from "../judge/judgement.ts";
import type { Miss, Raced } from "../races/told.ts";

/** The answer that is called wrong. */
export interface Blamed extends Miss {
  /** What it breaks; the item that says that requests are done one by one is the last. */
  readonly items: readonly ItemId[];
}

/**
 * Of the orders in which most changes stand one whose next request should have been refused, else
 * one whose next request changes something, else the one that differs least.
 */
export function blamedOf(
  plan: Plan,
  race: readonly Raced[],
  misses: readonly Miss[],
): Blamed | undefined {
  const isChange = (at: number): boolean => race[at]?.request.method !== "GET";
  const isRefusal = ({ ran, at }: Miss): boolean =>
    ran.outcome.error !== undefined && (race[at]?.answer.status ?? 0) < 400;
  const rank = (miss: Miss): readonly number[] => [
    miss.placed.filter(isChange).length,
    Number(isRefusal(miss)),
    Number(isChange(miss.at)),
    miss.placed.length,
    -miss.differences.length,
  ];
  const [first] = misses
    .map((miss) => ({ miss, rank: rank(miss) }))
    .toSorted((a, b) => firstDifference(b.rank, a.rank))
    .map(({ miss }) => miss);
  if (first === undefined) return undefined;
  const alone = itemOf(plan.about.isolation);
  const failed = first.ran.trace.filter(([, came]) => came === "failed").map(([item]) => item);
  const items = [
    // What should have kept it from being done as it was.
    ...(isChange(first.at) ? failed : []),
    ...blamed(plan, first.ran, first.differences),
    ...(alone === undefined ? [] : [alone]),
  ];
  return { ...first, items: [...new Set(items)] };
}

/** Judges answers in an order; the model follows. */
export function follow(
  race: readonly Raced[],
  order: readonly number[],
  judge: Judge,
): readonly Judgement[] {
  return order.map((at) => {
    const { request, answer } = race[at] as Raced;
    return judge.judge(request, answer);
  });
}

/** The order of a race that has none: as far as it goes, then as they were answered. */
export function nearestOrder(race: readonly Raced[], { placed }: Miss): readonly number[] {
  const left = [...race.keys()].filter((at) => !placed.includes(at));
  const receivedAt = (at: number): number => Number(race[at]?.answer.received ?? 0n);
  return [...placed, ...left.toSorted((a, b) => receivedAt(a) - receivedAt(b))];
}

/** Whether both name an item that tells more than that requests are done one by one. */
export function isLike(a: readonly ItemId[], b: readonly ItemId[]): boolean {
  const own = (items: readonly ItemId[]) => (items.length > 1 ? items.slice(0, -1) : items);
  return own(a).some((item) => own(b).includes(item));
}

/** What the first numbers that are not the same differ by. */
function firstDifference(a: readonly number[], b: readonly number[]): number {
  return a.map((one, i) => one - (b[i] ?? 0)).find((one) => one !== 0) ?? 0;
}
