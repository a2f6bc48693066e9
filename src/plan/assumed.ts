/** Tells which assumed items determine an answer, from the plan alone. */
import { causesOf, nowhereCauses } from "./causes/index.ts";
import type { FailureCondition, ItemId, Plan } from "./types/index.ts";

/** What is known of an answer that was given. */
export interface AnsweredBy {
  /** Place in `plan.endpoints`; undefined: the request belongs to none. */
  readonly endpoint?: number | undefined;
  /** Undefined: a gap was met. */
  readonly status?: number | undefined;
  /** The stated error that it is; undefined: it is none. */
  readonly error?: string | undefined;
  /** Conditions of the closed list that it answers, or that were passed over. */
  readonly conditions?: readonly FailureCondition[];
  /** Several inputs failed at once. */
  readonly isSeveral?: boolean;
  /** The request is `OPTIONS *`, which has no path. */
  readonly isOfAll?: boolean;
}

function itemsOf(plan: Plan, answer: AnsweredBy): ReadonlySet<ItemId> {
  const { status, error, conditions = [], isSeveral = false } = answer;
  const endpoint = plan.endpoints[answer.endpoint ?? -1];
  if (endpoint === undefined) return nowhereItems(plan, answer);
  const about = { occurs: new Set(conditions), isSeveral };
  // The host makes 304 of an answer, and opens a stream.
  const causes =
    causesOf(plan, endpoint, { ...about, status, error: error ?? null }) ??
    causesOf(plan, endpoint, { ...about, error: error ?? null }) ??
    causesOf(plan, endpoint, about);
  if (causes === undefined) return new Set();
  return new Set([...causes.ends, ...causes.before, ...causes.shown]);
}

function nowhereItems(
  plan: Plan,
  { conditions: [condition] = [], isOfAll = false }: AnsweredBy,
): ReadonlySet<ItemId> {
  const is = condition ?? (isOfAll ? "options of all" : "options");
  const { causes } = nowhereCauses(plan, { is, endpoints: [] });
  return new Set([...causes.ends, ...causes.before, ...causes.shown]);
}

/**
 * The assumed items that determine an answer, sorted. Empty where nothing is assumed. To be asked
 * once for each kind of answer: it walks the plan.
 */
export function assumedBy(plan: Plan, answer: AnsweredBy): ItemId[] {
  const { assumed = [] } = plan;
  if (assumed.length === 0) return [];
  const items = itemsOf(plan, answer);
  return assumed.filter((id) => items.has(id)).sort();
}
