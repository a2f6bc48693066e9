/** Reads answers. Each of the five kinds is met by name, so that none is taken for another. */
import { never } from "../base/index.ts";
import type { Answer, ItemId } from "./types/index.ts";

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

/** What is stated; undefined where nothing is, for whatever reason: none, free, a gap. */
export function statedOf<T>(answer: Answer<T>): T | undefined {
  return answer.is === "stated" ? answer.value : undefined;
}

/** What an answer states where it states something. */
export type Stated<A extends Answer<unknown>> = Extract<A, { readonly is: "stated" }>["value"];
