/** Compares the rules of a field or an input: stricter, looser, or otherwise. */
import type { Code } from "../expr/index.ts";
import type { Rule } from "../plan/index.ts";
import { type Change, type Compare, type On, tell, tellAdded, tellGone } from "./found.ts";
import { moved, paired } from "./pairs.ts";
import { refusal } from "./refusals.ts";
import { isSame } from "./same.ts";

type Kind = Change["kind"];

/** What a rule does: `judges` what comes in, or one kind of change tells of it. */
const DOES: Readonly<Record<Rule["kind"], "judges" | Kind>> = {
  characters: "judges",
  items: "judges",
  range: "judges",
  matches: "judges",
  scheme: "judges",
  "different items": "judges",
  "at least one member": "judges",
  "not empty": "judges",
  holds: "judges",
  unique: "judges",
  "empty becomes null": "rule changed",
  "empty means absent": "rule changed",
  trimmed: "rule changed",
  "absent means": "value given by the service changed",
  starts: "value given by the service changed",
  set: "value given by the service changed",
  random: "value given by the service changed",
  "counts up": "value given by the service changed",
  "when gone": "deletion changed",
  "kept as": "form of kept values changed",
  key: "resource changed",
  order: "order of a list changed",
  gap: "gap recorded",
};

type Tighter = "stricter" | "looser" | "other";

type Unique = Extract<Rule, { kind: "unique" }>;

interface Bounds {
  readonly min: number;
  readonly max: number;
}

function ofBounds(before: Bounds, now: Bounds): Tighter {
  if (now.min >= before.min && now.max <= before.max) return "stricter";
  return now.min <= before.min && now.max >= before.max ? "looser" : "other";
}

/** The number that a bound is; undefined: it is no plain number. */
function numberOf(code: Code | undefined, open: number): number {
  if (code === undefined) return open;
  if (code.op !== "literal" || typeof code.value !== "string") return Number.NaN;
  return /^-?\d/.test(code.value) && !/\d-\d/.test(code.value) ? Number(code.value) : Number.NaN;
}

function ofSets(before: readonly string[], now: readonly string[]): Tighter {
  if (now.every((one) => before.includes(one))) return "stricter";
  return before.every((one) => now.includes(one)) ? "looser" : "other";
}

/** Within fewer fields, and in any case, more rows may not have the same value. */
function ofUnique(before: Unique, now: Unique): Tighter {
  const within = ofSets(before.within, now.within);
  if (before.anyCase === now.anyCase) return within;
  const byCase = now.anyCase ? "stricter" : "looser";
  const isAlike = isSame(before.within.toSorted(), now.within.toSorted());
  return isAlike || within === byCase ? byCase : "other";
}

/** Whether the second of two rules of a kind lets less in. */
function tighter(before: Rule, now: Rule): Tighter {
  switch (now.kind) {
    case "characters":
    case "items": {
      const { min = 0, max = Infinity } = before as typeof now;
      return ofBounds({ min, max }, { min: now.min ?? 0, max: now.max ?? Infinity });
    }
    case "range": {
      const bounds = ({ min, max }: typeof now): Bounds => {
        return { min: numberOf(min, -Infinity), max: numberOf(max, Infinity) };
      };
      return ofBounds(bounds(before as typeof now), bounds(now));
    }
    case "scheme":
      return ofSets((before as typeof now).schemes, now.schemes);
    case "unique":
      return ofUnique(before as typeof now, now);
    case "matches":
    case "holds":
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
    case "counts up":
    case "when gone":
    case "kept as":
    case "key":
    case "order":
    case "gap":
      return "other";
    default:
      return now satisfies never;
  }
}

const KINDS: Readonly<Record<Tighter, Kind>> = {
  stricter: "rule made stricter",
  looser: "rule made looser",
  other: "rule changed",
};

/** Sets inside a rule in one order. */
function plain(rule: Rule): Rule {
  if (rule.kind === "unique") return { ...rule, within: rule.within.toSorted() };
  if (rule.kind === "scheme") return { ...rule, schemes: rule.schemes.toSorted() };
  return rule;
}

/** The rule without what is answered when it is broken. */
function bare(rule: Rule): Rule {
  if (!("otherwise" in rule)) return plain(rule);
  const { otherwise: _, ...rest } = rule;
  return plain(rest as Rule);
}

function ruleChanged(before: Rule, now: Rule, on: On): void {
  if (!isSame(bare(before), bare(now))) {
    const does = DOES[now.kind];
    const what = now.kind;
    if (before.kind === "order" && now.kind === "order") {
      tellOrder(before, now, on);
    } else tell(on, does === "judges" ? KINDS[tighter(before, now)] : does, { what });
  }
  const of = (rule: Rule): Parameters<typeof refusal>[0] =>
    "otherwise" in rule ? rule.otherwise : undefined;
  refusal(of(before), of(now), on);
}

function tellOrder(
  before: Extract<Rule, { kind: "order" }>,
  now: Extract<Rule, { kind: "order" }>,
  on: On,
): void {
  const [was, is] = [before.order, now.order];
  if (was.is === "gap" && is.is === "gap") return;
  if (is.is === "gap") return tell(on, "gap recorded", { now: is.gap });
  if (was.is === "gap") return tell(on, "gap filled", { before: was.gap });
  tell(on, "order of a list changed");
}

function gapIn(rule: Rule): string | undefined {
  if (rule.kind === "gap") return rule.gap;
  return rule.kind === "order" && rule.order.is === "gap" ? rule.order.gap : undefined;
}

function ruleGone(rule: Rule, on: On): void {
  const gap = gapIn(rule);
  if (gap !== undefined) return tellGone(on, "gap filled", gap);
  const does = DOES[rule.kind];
  tellGone(on, does === "judges" ? "rule made looser" : does, rule.id, { what: rule.kind });
}

function ruleAdded(rule: Rule, on: On): void {
  const gap = gapIn(rule);
  if (gap !== undefined) return tellAdded(on, "gap recorded", gap);
  const does = DOES[rule.kind];
  tellAdded(on, does === "judges" ? "rule made stricter" : does, rule.id, { what: rule.kind });
}

/** Of several conditions those that are the same go together first. */
function worded(rule: Rule): string {
  if (rule.kind === "gap") return kindOf(rule);
  return `${rule.kind} ${rule.kind === "holds" ? rule.condition.text : ""}`;
}

/** What it is that is not shown, for a gap: the last word of its name. */
function kindOf(rule: Rule): string {
  if (rule.kind !== "gap") return rule.kind;
  return `gap ${rule.gap.slice(rule.gap.lastIndexOf("/"))}`;
}

/** Compares the rules by their kinds; what judges is judged in their order. */
export const ruleList: Compare<readonly Rule[]> = (before, now, on) => {
  const pairs = paired(before, now, worded, kindOf);
  for (const rule of pairs.gone) ruleGone(rule, { ...on, now: on.now });
  for (const rule of pairs.added) ruleAdded(rule, on);
  for (const [old, rule] of pairs.both) {
    ruleChanged(old, rule, { ...on, before: old.id, now: rule.id });
  }
  const judging = (rules: readonly Rule[]): Rule[] => rules.filter(isOrdered);
  const judged = paired(judging(before), judging(now), worded, kindOf);
  for (const [old, rule] of moved(judging(before), judged)) {
    tell({ ...on, before: old.id, now: rule.id }, "order of checks changed", { what: rule.kind });
  }
};

/** Whether it matters which other rules stand before it. */
function isOrdered({ kind }: Rule): boolean {
  return DOES[kind] === "judges" || DOES[kind] === "rule changed";
}
