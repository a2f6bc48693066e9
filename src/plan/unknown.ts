/** Tells which gap keeps a limit from being judged. */
import { gapOf } from "./answers.ts";
import type { ItemId, Limit, Plan } from "./types/index.ts";

/**
 * The first cell of a limit that is not shown and that tells what is counted, among whose, how
 * much of it may be, or when it no longer counts; undefined: all are known. Per and Window do not
 * matter where what is counted leaves one choice (bytes and the time of one request), nor does
 * Window where rows that are there are counted.
 */
export function unknownOf({ counts, per, amount, window }: Limit): ItemId | undefined {
  const gap = (...of: readonly Limit[keyof Pick<Limit, "per" | "amount" | "window">][]) =>
    of.flatMap((one) => gapOf(one) ?? [])[0];
  switch (counts.is) {
    case "gap":
      return counts.gap;
    case "requests":
    case "sum":
      return gap(per, amount, window);
    case "rows kept":
      return gap(per, amount);
    case "body bytes":
    case "header bytes":
    case "path bytes":
    case "request time":
      return gap(amount);
    default:
      return counts satisfies never;
  }
}

/**
 * What keeps a limit from being judged that may be any request's, because it is not shown what it
 * counts, or how long an answer may take.
 */
export function unknownToAll({ limits }: Pick<Plan, "limits">): ItemId | undefined {
  return limits
    .filter(({ counts }) => counts.is === "gap" || counts.is === "request time")
    .flatMap((limit) => unknownOf(limit) ?? [])[0];
}
