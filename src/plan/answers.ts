/** Reads answers. Each of the five kinds is met by name, so that none is taken for another. */
import { never } from "../base/index.ts";
import type { Answer, ItemId } from "./types/index.ts";

/** What an answer states where it states something. */
export type Stated<A extends { readonly is: string }> =
  Extract<A, { readonly is: "stated" }> extends { readonly value: infer T } ? T : never;

/**
 * What is stated; undefined where nothing is. It is for where none, free, a gap and a question that
 * is not asked come to the same, because a gap that matters is met elsewhere.
 */
export function statedOf<T>(answer: Answer<T> | undefined): T | undefined {
  return answer?.is === "stated" ? answer.value : undefined;
}

/** Whether something is stated; as with `statedOf`, all other answers come to the same. */
export function isStated<A extends { readonly is: string }>(
  answer: A | undefined,
): answer is Extract<A, { readonly is: "stated" }> {
  return answer?.is === "stated";
}

/** The gap that stands where nothing is said, of an answer or anything else that can be one. */
export function gapOf(
  said: { readonly is: "gap"; readonly gap: ItemId } | { readonly is: string } | undefined,
): ItemId | undefined {
  return said?.is === "gap" && "gap" in said ? said.gap : undefined;
}

/** The item that answers, or the gap; undefined where nothing asks. */
export function itemOf(answer: Answer<unknown>): ItemId | undefined {
  switch (answer.is) {
    case "stated":
    case "none":
    case "free":
      return answer.id;
    case "gap":
      return answer.gap;
    case "not asked":
      return undefined;
    default:
      return never(answer);
  }
}
