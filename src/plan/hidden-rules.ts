/** Tells whether no rule is shown, so that each that may stand there may be among them. */
import type { Field, ItemId } from "./types/index.ts";

/** The gap of a Rules cell that is not shown as a whole; undefined: its rules are shown. */
export function hiddenRules({ id, rules }: Pick<Field, "id" | "rules">): ItemId | undefined {
  const found = rules.find((rule) => rule.kind === "gap" && rule.id === `${id}/rules`);
  return found?.kind === "gap" ? found.gap : undefined;
}
