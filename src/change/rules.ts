/** Compares the rules of two fields by the values that were kept under the first ones. */
import { never } from "../base/index.ts";
import { freeNames } from "../expr/index.ts";
import { type Rule, statedOf } from "../plan/index.ts";
import { type Relation, worst } from "./relation.ts";
import { isSame } from "./same.ts";

/**
 * What a kind of rule says of a value that is kept. `what it may be`: it may not fit a new rule.
 * `its form`: it is kept in another form, or names the row. `nothing`: it is for what is made.
 */
const SAYS: Readonly<Record<Rule["kind"], "what it may be" | "its form" | "nothing">> = {
  characters: "what it may be",
  items: "what it may be",
  range: "what it may be",
  matches: "what it may be",
  scheme: "what it may be",
  "different items": "what it may be",
  "at least one member": "what it may be",
  "not empty": "what it may be",
  "empty becomes null": "what it may be",
  "empty means absent": "what it may be",
  trimmed: "what it may be",
  holds: "what it may be",
  "counts up": "what it may be",
  unique: "what it may be",
  "absent means": "nothing",
  starts: "nothing",
  set: "nothing",
  random: "nothing",
  "when gone": "nothing",
  gap: "nothing",
  "kept as": "its form",
  order: "its form",
  key: "its form",
};

/** What the rule says, without its place in the document and without what a refusal answers. */
function saying(rule: Rule): string {
  switch (rule.kind) {
    case "characters":
    case "items":
      return `${rule.kind} ${rule.min ?? ""} ${rule.max ?? ""}`;
    case "matches":
      return `${rule.kind} ${rule.pattern}`;
    case "scheme":
      return JSON.stringify([rule.kind, rule.schemes.toSorted()]);
    case "counts up":
      return JSON.stringify([rule.kind, rule.from, rule.within.toSorted(), rule.onEveryChange]);
    case "unique":
      return JSON.stringify([rule.kind, rule.within.toSorted(), rule.anyCase]);
    case "kept as":
      return JSON.stringify([rule.kind, rule.hash]);
    case "order":
      return JSON.stringify([rule.kind, rule.order.is, statedOf(rule.order)]);
    case "different items":
    case "at least one member":
    case "not empty":
    case "empty becomes null":
    case "empty means absent":
    case "trimmed":
    case "absent means":
    case "starts":
    case "set":
    case "random":
    case "when gone":
    case "gap":
    case "key":
    case "range":
    case "holds":
      return rule.kind;
    default:
      return never(rule);
  }
}

/** Whether all values that the first rule lets in are let in by the second. */
function isLooser(before: Rule, now: Rule): boolean {
  if (before.kind !== now.kind) return false;
  if (now.kind === "characters" || now.kind === "items") {
    const { min = 0, max = Infinity } = before as typeof now;
    return (now.min ?? 0) <= min && (now.max ?? Infinity) >= max;
  }
  if (now.kind === "scheme") {
    return (before as typeof now).schemes.every((one) => now.schemes.includes(one));
  }
  if (now.kind === "range") {
    const { min, max } = before as typeof now;
    return isSame([min, max], [now.min, now.max]);
  }
  if (now.kind === "unique" && !now.anyCase) {
    const { anyCase: _, ...exact } = before as typeof now;
    return saying(exact) === saying(now);
  }
  if (now.kind === "holds") return isSame((before as typeof now).condition, now.condition);
  return saying(before) === saying(now);
}

interface Ruled {
  readonly rules: readonly Rule[];
}

/** Whether nothing of the rule is about a value that is kept, whatever its kind is about. */
function saysNothing(rule: Rule): boolean {
  if (SAYS[rule.kind] === "nothing") return true;
  // It is about who gives the value.
  if (rule.kind === "holds") return freeNames(rule.condition.code).has("caller");
  return false;
}

/** Whether a value is kept as its hash, of which nobody can tell what it may be. */
function isHashed({ rules }: Ruled): boolean {
  return rules.some((one) => one.kind === "kept as" && one.hash.kind !== "plain");
}

/** Whether the rule is about the value alone, and about no row. */
export function isOfValue({ kind }: Rule): boolean {
  return kind !== "unique" && kind !== "counts up" && kind !== "holds";
}

/** A rule of which something is to be said of what is kept, in either document. */
export interface RuleChange {
  readonly relation: Relation;
  readonly before?: Rule;
  readonly now?: Rule;
}

/** The rules that differ, and what that means for the values of a field that are kept. */
export function ruleChanges(before: Ruled, now: Ruled): readonly RuleChange[] {
  const found: RuleChange[] = [];
  for (const rule of now.rules) {
    const old = before.rules.find((one) => one.kind === rule.kind && isLooser(one, rule));
    if (old !== undefined || saysNothing(rule)) continue;
    const isForm = SAYS[rule.kind] === "its form" || (isHashed(now) && rule.kind !== "unique");
    const relation = isForm ? "other" : "narrower";
    const same = before.rules.find((one) => one.kind === rule.kind);
    found.push({ relation, now: rule, ...(same === undefined ? {} : { before: same }) });
  }
  for (const rule of before.rules) {
    if (saysNothing(rule)) continue;
    if (now.rules.some((one) => one.kind === rule.kind)) continue;
    const relation = SAYS[rule.kind] === "its form" ? "other" : "wider";
    found.push({ relation, before: rule });
  }
  return found;
}

/** How values that were kept under some rules are read where others stand. */
export function ofRules(before: Ruled, now: Ruled): Relation {
  return worst(ruleChanges(before, now).map(({ relation }) => relation));
}
