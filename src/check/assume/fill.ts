/** Fills `else not shown` and its kin: a form of the document with the same form, which says it. */
import type { Span } from "../../base/index.ts";
import type { Match, SlotValue } from "../../spec/index.ts";
import { type Merge, same } from "./merge.ts";

/** `same`: nothing was missing. `filled`: the form with what the assumption says. */
type Outcome =
  | { readonly is: "same" }
  | { readonly is: "filled"; readonly match: Match; readonly span: Span; readonly gap: Span }
  | { readonly is: "other" };

const SAME: Outcome = { is: "same" };
const OTHER: Outcome = { is: "other" };

type SlotOutcome =
  | { readonly is: "same" | "other" }
  | { readonly is: "filled"; readonly value: SlotValue; readonly span: Span; readonly gap: Span };

/** The stretch of the text that a slot's value takes. */
function spanOf(value: SlotValue): Span | undefined {
  switch (value.kind) {
    case "text":
    case "refusal":
    case "type":
      return value;
    case "condition":
    case "step":
      return value.match;
    case "texts":
      return around(value.items);
    case "assigns":
      return around(value.items.flatMap((item) => [item.name, item.value]));
    case "order":
      return around(value.keys.map((key) => key.by));
    case "states":
      return around(value.items.map((item) => item.name));
  }
}

function around(spans: readonly Span[]): Span | undefined {
  const first = spans[0];
  const last = spans.at(-1);
  if (first === undefined || last === undefined) return undefined;
  return { start: first.start, end: last.end };
}

function alike(merge: Merge, a: SlotValue, b: SlotValue): boolean {
  if (a.kind === "order" && b.kind === "order") {
    const ways = (value: typeof a) => value.keys.map((key) => key.descending).join();
    if (ways(a) !== ways(b)) return false;
  }
  const one = spanOf(a);
  const other = spanOf(b);
  return one !== undefined && other !== undefined && same(merge, one, other);
}

function fillSlot(merge: Merge, stated: SlotValue, assumed: SlotValue): SlotOutcome {
  if (stated.kind === "refusal" && assumed.kind === "refusal") {
    if (stated.gap && !assumed.gap) {
      return { is: "filled", value: assumed, span: assumed, gap: stated };
    }
    return { is: assumed.gap || same(merge, stated, assumed) ? "same" : "other" };
  }
  if (stated.kind === "step" && assumed.kind === "step") {
    const inner = fillMatch(merge, stated.match, assumed.match);
    if (inner.is !== "filled") return inner;
    return { ...inner, value: { kind: "step", match: inner.match } };
  }
  return { is: stated.kind === assumed.kind && alike(merge, stated, assumed) ? "same" : "other" };
}

/**
 * Compares a form of the document with one of the assumptions, slot by slot. A refusal that is not
 * shown, or that the document leaves out, is taken from the assumption.
 */
export function fillMatch(merge: Merge, stated: Match, assumed: Match): Outcome {
  if (stated.form !== assumed.form) return OTHER;
  const slots: Record<string, SlotValue> = { ...stated.slots };
  let span: Span | undefined;
  let gap: Span = stated;
  for (const [name, value] of Object.entries(assumed.slots)) {
    const before = stated.slots[name];
    if (before === undefined) {
      if (value.kind !== "refusal" || value.gap) return OTHER;
      slots[name] = value;
      span ??= value;
      continue;
    }
    const outcome = fillSlot(merge, before, value);
    if (outcome.is === "other") return OTHER;
    if (outcome.is !== "filled") continue;
    slots[name] = outcome.value;
    span ??= outcome.span;
    gap = outcome.gap;
  }
  const left = Object.entries(stated.slots).filter(([name]) => !(name in assumed.slots));
  if (left.some(([, value]) => value.kind !== "refusal")) return OTHER;
  if (span !== undefined) return { is: "filled", match: { ...stated, slots }, span, gap };
  return SAME;
}
