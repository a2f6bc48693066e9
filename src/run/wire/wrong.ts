/** What a reader gives instead of a value: the failure condition that it met. */
import type { ItemId, Refusal, ValueCondition } from "../../plan/index.ts";

/** Made once for each condition, so that a refused value costs nothing; never a value itself. */
export class Wrong {
  readonly condition: ValueCondition | "refused" | "told";
  /** The answer that the rule itself states, or the gap met. */
  readonly refusal?: Refusal;

  constructor(condition: ValueCondition | "refused" | "told", refusal?: Refusal) {
    this.condition = condition;
    this.refusal = refusal;
  }
}

export const WRONG_TYPE = new Wrong("wrong type");
export const TOO_LARGE = new Wrong("too large");
export const TOO_SMALL = new Wrong("too small");
export const ABSENT = new Wrong("absent");
export const NULL = new Wrong("null");
export const EMPTY = new Wrong("empty");

/** What is given instead of a value about which something is not shown. */
export function unknown(gap: ItemId): Wrong {
  return new Wrong("refused", { is: "gap", gap });
}

/** What is wrong lies further inside and has been recorded there. */
export const TOLD = new Wrong("told");
