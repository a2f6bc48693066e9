/** Tells whether no rule is shown, so that each that may stand there may be among them. */
import type { Field, ItemId, Resource } from "./types/index.ts";

/** The gap of a Rules cell that is not shown as a whole; undefined: its rules are shown. */
export function hiddenRules({ id, rules }: Pick<Field, "id" | "rules">): ItemId | undefined {
  const found = rules.find((rule) => rule.kind === "gap" && rule.id === `${id}/rules`);
  return found?.kind === "gap" ? found.gap : undefined;
}

/** Why it is not known by which field rows are named: a type, or a rule, that is not shown. */
export function namelessGap({ fields }: Pick<Resource, "fields">): ItemId | undefined {
  for (const { gap, rules } of fields) {
    if (gap !== undefined) return gap;
    const rule = rules.find(({ kind }) => kind === "gap");
    if (rule?.kind === "gap") return rule.gap;
  }
  return undefined;
}
