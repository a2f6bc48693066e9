/** Marks answers that assumptions determine, in the header `Lacuna-Assumed`. */

import type { AnsweredBy, FailureCondition, ItemId, Plan } from "../../plan/index.ts";
import { assumedBy } from "../../plan/index.ts";
import type { Outcome } from "../../run/index.ts";
import type { Reply } from "../jobs/job.ts";

const HEADER = "Lacuna-Assumed";
/** Items named in one answer, and characters of a name. */
const ITEMS_MAX = 12;
const NAME_MAX = 120;

const NOTHING: readonly string[] = [];

/** A String of RFC 9651 section 3.3.3, which has no characters beyond ASCII. */
function text(item: ItemId): string {
  const plain = item.replace(/[^ -~]/g, "?").slice(0, NAME_MAX);
  return `"${plain.replace(/["\\]/g, "\\$&")}"`;
}

/** A List of RFC 9651: names of items, and behind them how many more there are. */
function valueOf(items: readonly ItemId[]): string {
  const rest = items.length - ITEMS_MAX;
  const named = items.slice(0, ITEMS_MAX).map(text);
  return [...named, ...(rest > 0 ? [`more;count=${rest}`] : [])].join(", ");
}

/** What an outcome answers by. `passed`: conditions that were met while reading and are ignored. */
export function answerOf(
  outcome: Outcome,
  endpoint: number | undefined,
  passed: readonly FailureCondition[] = [],
): AnsweredBy {
  const { error, conditions = [], response, effects } = outcome;
  const isGap = effects.gap !== undefined || effects.unsupported !== undefined;
  return {
    endpoint,
    status: isGap ? undefined : response.status,
    error,
    conditions: [...new Set([...passed, ...conditions])].sort(),
    isSeveral: conditions.length > 1,
  };
}

/** The marks of a plan's answers, each found when it is first needed. */
export class AssumptionHeaders {
  /** Whether any answer can have one. */
  readonly any: boolean;
  private readonly plan: Plan;
  private readonly known = new Map<string, readonly string[]>();

  constructor(plan: Plan) {
    this.plan = plan;
    this.any = (plan.assumed?.length ?? 0) > 0;
  }

  /** Name and value of the header; nothing where nothing assumed determines the answer. */
  of(answer: AnsweredBy): readonly string[] {
    if (!this.any) return NOTHING;
    const { endpoint, status, error, conditions, isSeveral, isOfAll } = answer;
    const name = JSON.stringify([endpoint, status, error, conditions, isSeveral, isOfAll]);
    let made = this.known.get(name);
    if (made === undefined) {
      const items = assumedBy(this.plan, answer);
      made = items.length === 0 ? NOTHING : [HEADER, valueOf(items)];
      this.known.set(name, made);
    }
    return made;
  }

  /** The answer with its mark; a first answer that is given again has it already. */
  on(reply: Reply, answer: AnsweredBy): Reply {
    if (!this.any || reply.headers.includes(HEADER)) return reply;
    return { ...reply, headers: [...reply.headers, ...this.of(answer)] };
  }
}
