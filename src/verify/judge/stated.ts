/** What a document states of an outcome. */
import { type ItemId, isStated, type Plan, statedOf } from "../../plan/index.ts";
import type { Response } from "../../run/index.ts";
import type { Answer } from "../world/message.ts";
import type { Ran } from "../world/world.ts";

/**
 * The response without what the service may choose as it likes: a tag of the answer, and all of the
 * answer to a preflight but what it permits.
 */
export function statedIn(
  { endpoint, outcome: { response }, crossing }: Ran,
  answer: Answer,
): Response {
  if (crossing?.isPreflight) return { status: answer.status, headers: [], body: answer.body };
  if (endpoint?.answerTag === undefined || !isStated(endpoint.answerTag)) return response;
  const headers = response.headers.filter(([name]) => name.toLowerCase() !== "etag");
  return { ...response, headers };
}

/** Why the document does not say what is answered; undefined: it does. */
export function unstatedOf({
  outcome: { effects },
}: Ran): { readonly why: string; readonly gap?: ItemId } | undefined {
  if (effects.gap !== undefined) {
    return { why: effects.gap.sentence, gap: effects.gap.id };
  }
  if (effects.unsupported !== undefined || effects.asking !== undefined) {
    return { why: "it hangs on what code outside says" };
  }
  return undefined;
}

/** How timestamps are written, by the document; undefined: it is free or not shown. */
export function precisionOf({ about: { precision } }: Plan): bigint {
  const stated = statedOf(precision);
  if (stated === "seconds") return 1_000_000n;
  return stated === "milliseconds" ? 1_000n : 1n;
}
