/** Takes a rule and where it stands, reports what does not fit; must not know how it was read. */
import type { Type } from "../../expr/index.ts";
import type { Match, Rule, ValueType } from "../../model/index.ts";
import { type Resolver, report, textOf } from "./resolver.ts";

/** What a rule is for. */
interface RulePlace {
  readonly type: ValueType;
  readonly exprType: Type;
  readonly on: "field" | "input" | "body";
}

/** The number in a slot. */
export const number = (match: Match, slot: string): number => Number(textOf(match, slot));

/** The bounds that a rule states: one number is both. */
export function bounds(match: Match): { readonly min?: number; readonly max?: number } {
  const at = (slot: string) => (match.slots[slot] === undefined ? undefined : number(match, slot));
  return { min: at("n") ?? at("min"), max: at("n") ?? at("max") };
}

/** Which types each rule is for; a rule not named here is for every type. */
const FOR: Readonly<Record<string, readonly string[]>> = {
  characters: ["string", "secret", "email", "uri"],
  items: ["list", "map"],
  range: ["integer", "decimal", "number", "timestamp", "date", "duration"],
  matches: ["string", "secret", "email", "uri", "uuid"],
  scheme: ["uri"],
  "different items": ["list"],
  "not empty": ["string", "secret", "list", "map", "email", "uri"],
  "empty becomes null": ["string", "email", "uri", "secret"],
  "empty means absent": ["string", "email", "uri", "secret"],
  trimmed: ["string", "email", "uri"],
  "counts up": ["integer"],
  "kept as": ["secret"],
  random: ["secret", "string"],
  "when gone": ["reference"],
  order: ["list"],
};

const ONLY_FIELDS = new Set([
  "starts",
  "set",
  "counts up",
  "unique",
  "kept as",
  "random",
  "key",
  "when gone",
  "order",
]);

/** Reports a rule that does not fit its place, its type or its own bounds. */
export function judge(r: Resolver, place: RulePlace, rule: Rule, match: Match): void {
  const types = FOR[rule.kind];
  const type = place.type.type.kind;
  // Where the type itself is not known, nothing is known of its rules.
  const isKnown = place.exprType.kind !== "unknown";
  if (types !== undefined && isKnown && !types.includes(type)) {
    report(r, "wrong-rule", match, {
      message: `This rule is not for the type ${type}.`,
      hint: `It is for: ${types.join(", ")}.`,
    });
  }
  if (place.on !== "field" && ONLY_FIELDS.has(rule.kind)) {
    report(r, "wrong-rule", match, {
      message: "This rule is for stored fields, not for inputs.",
      hint: rule.kind === "starts" ? "Write `absent means` for an input." : undefined,
    });
  }
  if (place.on === "field" && rule.kind === "absent means") {
    report(r, "wrong-rule", match, {
      message: "This rule is for inputs, not for stored fields.",
      hint: "Write `starts` for what is stored when nothing is given.",
    });
  }
  const unit = textOf(match, "unit");
  const one =
    bounds(match).min === 1 || (bounds(match).min === undefined && bounds(match).max === 1);
  if (unit !== "" && unit.endsWith("s") === one) {
    report(r, "unknown-rule", match, {
      message: one
        ? `One is written in the singular: 1 ${unit.slice(0, -1)}.`
        : `More than one are written in the plural: ${unit}s.`,
    });
  }
  const range = rule as { min?: number; max?: number };
  if (
    (rule.kind === "characters" || rule.kind === "items") &&
    range.min !== undefined &&
    range.max !== undefined &&
    range.min > range.max
  ) {
    report(r, "empty-range", match, {
      message: `No value is at least ${range.min} and at most ${range.max}.`,
    });
  }
}
