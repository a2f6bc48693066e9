/** What the resolvers of a machine share: where it stands, and what its cells see. */
import type { State, Trigger } from "../../../plan/index.ts";
import type { SectionNode } from "../../../spec/index.ts";
import type { Collected } from "../names/collect.ts";
import { commonNames, withService } from "../names/common.ts";
import { type View, withNames } from "../names/expression.ts";
import type { Resolver } from "../names/resolver.ts";

/** The states of a machine whose list of them is not shown: any name may be one. */
export const HIDDEN: readonly State[] = [];

/** A machine being resolved. */
export interface Place {
  readonly r: Resolver;
  readonly names: Collected;
  readonly section: SectionNode;
  readonly resource: string;
  readonly states: readonly State[];
}

/** What its cells and bullets see. */
export function viewOf(place: Place, refused: boolean): View {
  const view = withNames(withService(place.r, commonNames(place.r)), [
    ["it", { kind: "row", resource: place.resource }],
  ]);
  return refused ? withNames(view, [["error", { kind: "object", name: "error" }]]) : view;
}

/** What When and Then see: what has caused the transition, where there is something to see. */
export function causedView(place: Place, on: Trigger): View {
  // What causes it is not shown: it may be what has something to say.
  if (on.is === "gap") return { ...viewOf(place, false), open: on.gap };
  if (on.is !== "call") return viewOf(place, on.is === "refused");
  return withNames(viewOf(place, false), [
    ["said", { kind: "object", name: `said:${on.call}:${on.word}` }],
  ]);
}
