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
