/** What fields a row or part has without anybody giving them. */
import { isDoneBy } from "./rule-kinds.ts";
import type { Field, Rule } from "./types/index.ts";

/** Whether the rule gives a new row or part a value. */
export function ruleFills(rule: Rule): boolean {
  if (!isDoneBy(rule, "making")) return false;
  switch (rule.kind) {
    case "starts":
    case "random":
    case "counts up":
      return true;
    case "set":
      return rule.onCreate || rule.changes.length > 0;
  }
}

/** Whether the service gives the field of a new row or part a value where nobody does. */
export function fillsItself({ rules, type, create }: Field): boolean {
  return rules.some(ruleFills) || (type.type.kind === "id" && create.is === "no");
}
