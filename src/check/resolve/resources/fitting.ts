/** Takes a rule and where it stands, reports what does not fit; must not know how it was read. */
import type { Type } from "../../../expr/index.ts";
import {
  ANY_CASE,
  type Rule,
  type RuleKind,
  type RulePlaceName,
  ruleKinds,
  rulePlaces,
  type ValueType,
} from "../../../plan/index.ts";
import type { Match } from "../../../spec/index.ts";
import { type Resolver, report, textOf } from "../names/resolver.ts";

/** What a rule is for. */
interface RulePlace {
  readonly type: ValueType;
  readonly exprType: Type;
  readonly on: RulePlaceName;
}

/** The number in a slot. */
export const number = (match: Match, slot: string): number => Number(textOf(match, slot));

/** The bounds that a rule states: one number is both. */
export function bounds(match: Match): { readonly min?: number; readonly max?: number } {
  const at = (slot: string) => (match.slots[slot] === undefined ? undefined : number(match, slot));
  return { min: at("n") ?? at("min"), max: at("n") ?? at("max") };
}

/** Whether a rule of this kind is for values of the type. */
function fits(kind: RuleKind, type: ValueType): boolean {
  const { types, items } = kind;
  const { type: base } = type;
  if (types === "all" || types.includes(base.kind)) return true;
  return items === true && (base.kind === "list" || base.kind === "map") && fits(kind, base.of);
}

/** The places where rules of the kind may stand, in words. */
function placesOf({ places }: RuleKind): string {
  const names = Object.keys(places) as RulePlaceName[];
  return names
    .filter((name) => places[name] === true)
    .map((name) => rulePlaces[name])
    .join(" or ");
}

/** Reports a rule that does not fit its place, its type or its own bounds. */
export function judge(r: Resolver, place: RulePlace, rule: Rule, match: Match): void {
  const kind: RuleKind = ruleKinds[rule.kind];
  const type = place.type.type.kind;
  // Where the type itself is not known, nothing is known of its rules.
  const isKnown = place.exprType.kind !== "unknown";
  if (kind.types !== "all" && isKnown && !fits(kind, place.type)) {
    const also = kind.items === true ? ", and lists and maps of them" : "";
    report(r, "wrong-rule", match, {
      message: `This rule is not for the type ${type}.`,
      hint: `It is for: ${kind.types.join(", ")}${also}.`,
    });
  }
  if (rule.kind === "random" && type === "uuid" && rule.form !== "uuid") {
    report(r, "wrong-rule", match, {
      message: "This rule makes no UUID.",
      hint: "Write `random UUID`.",
    });
  }
  if (rule.kind === "unique" && rule.anyCase && isKnown && !ANY_CASE.includes(type)) {
    report(r, "wrong-rule", match, {
      message: `\`in any case\` is not for the type ${type}.`,
      hint: `It is for: ${ANY_CASE.join(", ")}.`,
    });
  }
  const stands = kind.places[place.on];
  if (stands !== true) {
    report(r, "wrong-rule", match, {
      message:
        `This rule does not stand at ${rulePlaces[place.on]}; ` + `it stands at ${placesOf(kind)}.`,
      hint: stands,
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
