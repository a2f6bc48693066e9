/** What the resolvers of step sentences share: the sentence, its slots, the rows it names. */
import { formatWithArticle, type Type } from "../../../expr/index.ts";
import type { ItemId, Refusal } from "../../../plan/index.ts";
import type { AssignSlot, Match, TextSlot } from "../../../spec/index.ts";
import {
  type RefusalPlace,
  refusalSlot,
  resolveRefusal,
  type View,
  withNames,
} from "../names/expression.ts";
import { isAmong, type Resolver, report, slotOf, textOf, unknownName } from "../names/resolver.ts";
import { type Flow, hiddenBehind, type Stepped } from "./flow.ts";

/** A step form being resolved. */
export interface At {
  readonly r: Resolver;
  readonly flow: Flow;
  readonly match: Match;
  readonly id: string;
}

/** A slot that holds text. */
export const slot = (at: At, name: string): TextSlot => slotOf(at.match, name) as TextSlot;
/** The text of a slot; empty where it has none. */
export const text = (at: At, name: string): string => textOf(at.match, name);

/** Where values and refusals of the step stand, and what they see. */
export function placeOf({ id, flow }: At): RefusalPlace {
  return { id, section: flow.section, view: flow.view };
}

/** The refusal behind `else`; undefined where the sentence has none. */
export function tail(at: At): Refusal | undefined {
  const value = refusalSlot(at.match, "tail");
  if (value === undefined) return undefined;
  return resolveRefusal(at.r, value, placeOf(at));
}

/** The pairs `name` = `e` of a slot; none where it has none. */
export function assigns(at: At, name = "with"): readonly AssignSlot[] {
  const value = at.match.slots[name];
  return value?.kind === "assigns" ? value.items : [];
}

/** The gap that hides what a name stands for; undefined where it is known. */
function hiddenAt({ flow }: At, name: TextSlot): ItemId | undefined {
  const type = flow.view.names.get(name.text);
  if (type === undefined) return flow.view.open;
  return type.kind === "unknown" ? type.gap : undefined;
}

/** A step over a name whose meaning is not shown: who comes to it meets that gap. */
export function hiddenStep(at: At, name: TextSlot): Stepped | undefined {
  const gap = hiddenAt(at, name);
  if (gap === undefined) return undefined;
  return { step: { id: at.id, kind: "gap", gap }, flow: hiddenBehind(at.flow, gap) };
}

/** The row type of a name, or undefined with a finding. */
export function rowNamed(at: At, name: TextSlot): string | undefined {
  const type = at.flow.view.names.get(name.text);
  if (hiddenAt(at, name) !== undefined) return undefined;
  if (type === undefined) {
    unknownName(at.r, name, "name", at.flow.view.names.keys());
    return undefined;
  }
  if (
    type.kind === "nullable" &&
    at.flow.view.facts.notNull.has(name.text) &&
    type.of.kind === "row"
  )
    return type.of.resource;
  // Where a step before it is not shown, that one may have looked.
  if (type.kind === "nullable" && at.flow.view.open !== undefined && type.of.kind === "row") {
    return type.of.resource;
  }
  if (type.kind === "nullable") {
    report(at.r, "unguarded", name, {
      message: `\`${name.text}\` may be null.`,
      hint: `Guard it: When \`${name.text} != null\`, ...`,
    });
    return undefined;
  }
  if (type.kind === "row") return type.resource;
  if (type.kind !== "unknown")
    report(at.r, "wrong-type", name, {
      message: `\`${name.text}\` is no row.`,
      hint:
        type.kind === "object"
          ? "A part is set as a whole, by the field that holds it, with every member."
          : `It is ${formatWithArticle(type)}; name a row that a step before has found or made.`,
    });
  return undefined;
}

/** Whether the name is a resource; reports it where it is not. */
export function resourceOf(at: At, name: TextSlot): boolean {
  return isAmong(at.r, name, "resource", at.flow.names.resources);
}

/** The type of a row of the resource. */
export function rowType(resource: string): Type {
  return { kind: "row", resource };
}

/** What the sentence sees, and `it`: a row of the resource. */
export function withIt(at: At, resource: string): View {
  return withNames(at.flow.view, [["it", rowType(resource)]]);
}
