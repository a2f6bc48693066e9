/** Compares what is answered where something is refused. */
import type { Refusal } from "../plan/index.ts";
import { type Compare, tell, tellGap, wordsOf } from "./found.ts";
import { isSame } from "./same.ts";

/** Undefined: it is not refused there, or what breaks it is a fault. */
export const refusal: Compare<Refusal | undefined> = (before, now, on) => {
  if (isSame(before, now, on.names) || tellGap(before, now, on)) return;
  const words = (key: "was" | "is", one: Refusal | undefined): { was?: string; is?: string } => {
    const said = wordsOf(one);
    return said === undefined ? {} : { [key]: said };
  };
  tell(on, "refusal changed", {
    ...(before?.is === "error" ? { before: before.id } : {}),
    ...(now?.is === "error" ? { now: now.id } : {}),
    ...words("was", before),
    ...words("is", now),
  });
};
