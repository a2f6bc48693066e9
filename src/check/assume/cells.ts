/** Fills a cell of a table from the cell of the assumptions under the same title. */
import type { Span } from "../../base/index.ts";
import type { ItemId } from "../../plan/index.ts";
import {
  type CellNode,
  type Match,
  type TextSlot,
  unfolded,
  type WrittenCell,
} from "../../spec/index.ts";
import { fillMatch } from "./fill.ts";
import { type Merge, same } from "./merge.ts";

type CellOutcome =
  | { readonly is: "same" }
  | {
      readonly is: "filled";
      readonly cell: WrittenCell;
      readonly fills: readonly { readonly span: Span; readonly gap?: Span }[];
      /** The whole cell is that of the assumptions. */
      readonly whole: boolean;
    }
  | { readonly is: "contradicts"; readonly span: Span; readonly stated: Span }
  | { readonly is: "unused"; readonly span: Span };

/** Which question of a field a rule answers, by the subject of a gap beside rules. */
const SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  starts: ["starts", "set ", "counts up", "random"],
  "order of items": ["order "],
  "how it is kept": ["kept "],
  "when it is deleted": ["gone "],
};

function subjectOf(rule: Match): string | undefined {
  return Object.keys(SUBJECTS).find((subject) =>
    SUBJECTS[subject]?.some((start) => rule.form === start.trim() || rule.form.startsWith(start)),
  );
}

/** Rules and gaps of a cell in the order in which they stand. */
type Item = { readonly rule: Match } | { readonly gap: TextSlot };

const placeOf = (item: Item): Span => ("rule" in item ? item.rule : item.gap);

function itemsOf(cell: WrittenCell): Item[] {
  const items: Item[] = [
    ...cell.matches.map((rule) => ({ rule })),
    ...cell.gaps.map((gap) => ({ gap })),
  ];
  return items.sort((a, b) => placeOf(a).start - placeOf(b).start);
}

interface RuleFill {
  readonly merge: Merge;
  readonly rowId: ItemId;
  readonly items: Item[];
  /** Gap -> the rules that take its place. */
  readonly instead: Map<TextSlot, Match[]>;
  readonly added: Match[];
  readonly fills: { span: Span; gap?: Span }[];
  /** Subjects, in lower case, that the assumption says to be open still. */
  readonly kept: ReadonlySet<string>;
}

function gapFor(at: RuleFill, rule: Match): TextSlot | undefined {
  const subject = subjectOf(rule);
  const gaps = at.items.flatMap((item) => ("gap" in item ? [item.gap] : []));
  const isOpen = (gap: TextSlot) => !at.kept.has(gap.text.toLowerCase());
  if (subject !== undefined) return gaps.find((gap) => gap.text.toLowerCase() === subject);
  return gaps.find((gap) => isOpen(gap) && !(gap.text.toLowerCase() in SUBJECTS));
}

/** Puts one rule of the assumptions in its place; gives what is wrong with it. */
function placeRule(at: RuleFill, rule: Match): CellOutcome | undefined {
  for (const [i, item] of at.items.entries()) {
    if (!("rule" in item)) continue;
    const outcome = fillMatch(at.merge, item.rule, rule);
    if (outcome.is === "same") return undefined;
    if (outcome.is !== "filled") continue;
    at.items[i] = { rule: outcome.match };
    at.fills.push({ span: outcome.span, gap: outcome.gap });
    return undefined;
  }
  const gap = gapFor(at, rule);
  if (gap !== undefined) {
    const rules = at.instead.get(gap) ?? [];
    at.instead.set(gap, [...rules, rule]);
    at.fills.push({ span: rule, gap });
    return undefined;
  }
  const subject = subjectOf(rule);
  if (subject !== undefined && at.merge.open.silent.has(`${at.rowId}/${subject}`)) {
    at.added.push(rule);
    at.fills.push({ span: rule });
    return undefined;
  }
  const rival = at.items.find((item) => "rule" in item && item.rule.form === rule.form);
  return rival === undefined
    ? { is: "unused", span: rule }
    : { is: "contradicts", span: rule, stated: placeOf(rival) };
}

/** Gaps without an own question are answered together by the rules that answer none. */
function isAnswered(at: RuleFill, gap: TextSlot): boolean {
  if (at.instead.has(gap)) return true;
  const subject = gap.text.toLowerCase();
  if (subject in SUBJECTS || at.kept.has(subject)) return false;
  return [...at.instead.keys()].some((other) => !(other.text.toLowerCase() in SUBJECTS));
}

function fillRules(
  merge: Merge,
  rowId: ItemId,
  stated: WrittenCell,
  assumed: WrittenCell,
): CellOutcome {
  const at: RuleFill = {
    merge,
    rowId,
    items: itemsOf(stated),
    instead: new Map(),
    added: [],
    fills: [],
    kept: new Set(assumed.gaps.map((gap) => gap.text.toLowerCase())),
  };
  for (const rule of assumed.matches) {
    const wrong = placeRule(at, rule);
    if (wrong !== undefined) return wrong;
  }
  if (at.fills.length === 0) return { is: "same" };
  const matches = at.items.flatMap((item) =>
    "rule" in item ? [item.rule] : (at.instead.get(item.gap) ?? []),
  );
  const gaps = stated.gaps.filter((gap) => !isAnswered(at, gap));
  const all = [...matches, ...at.added];
  const cell: WrittenCell = { ...stated, status: "stated", matches: all, gaps };
  return { is: "filled", cell, fills: at.fills, whole: false };
}

/**
 * Fills a cell. `rules`: it is one of rules; `rowId` names its row. A cell of the assumptions that
 * is not shown says nothing.
 */
export function fillCell(
  merge: Merge,
  ofDocument: CellNode,
  ofAssumptions: CellNode,
  { rules, rowId }: { readonly rules: boolean; readonly rowId: ItemId },
): CellOutcome {
  const stated = unfolded(ofDocument);
  const assumed = unfolded(ofAssumptions);
  if (assumed.status === "not shown") return { is: "same" };
  if (stated.status === "not shown") {
    const fills = [{ span: assumed, gap: stated }];
    return { is: "filled", cell: assumed, fills, whole: true };
  }
  if (same(merge, stated, assumed)) return { is: "same" };
  const other: CellOutcome = { is: "contradicts", span: assumed, stated };
  if (assumed.status !== "stated") return other;
  if (rules) return fillRules(merge, rowId, stated, assumed);
  if (stated.status !== "stated" || stated.matches.length !== assumed.matches.length) return other;
  const fills: { span: Span; gap: Span }[] = [];
  const matches: Match[] = [];
  for (const [i, match] of stated.matches.entries()) {
    const outcome = fillMatch(merge, match, assumed.matches[i] as Match);
    if (outcome.is === "other") return other;
    matches.push(outcome.is === "filled" ? outcome.match : match);
    if (outcome.is === "filled") fills.push({ span: outcome.span, gap: outcome.gap });
  }
  if (fills.length === 0) return { is: "same" };
  return { is: "filled", cell: { ...stated, matches }, fills, whole: false };
}
