/** What the events are about that a webhook or a stream carries, and conditions over it. */
import { type Event, type Expression, type ItemId, isStated } from "../../../plan/index.ts";
import type { TextSlot } from "../../../spec/index.ts";
import { BOOLEAN, resolve, type View, withNames } from "../names/expression.ts";
import type { Resolver } from "../names/resolver.ts";
import { hiddenType } from "../names/types.ts";

/** The resources that events sent to this webhook or stream are about. */
export function aboutOf(
  r: Resolver,
  to: "webhook" | "stream",
  name: string,
  events: readonly Event[],
): string[] {
  return [
    ...new Set(
      events
        .filter(
          (one) =>
            isStated(one.sentTo) &&
            one.sentTo.value.some((sent) => sent.to === to && sent.name === name),
        )
        .map((one) => one.about),
    ),
  ].filter((about) => r.objects.has(`row:${about}`));
}

/** The gap of an event of which it is not shown what it is about, or where it is sent. */
export function hiddenAbout(events: readonly Event[]): ItemId | undefined {
  for (const { about, data, sentTo } of events) {
    if (about === "" && data.is === "gap") return data.gap;
    if (sentTo.is === "gap") return sentTo.gap;
  }
  return undefined;
}

/** A condition over `it`, judged for each resource that the events are about. */
export interface Condition {
  readonly first: Expression;
  /** Where they are about several resources. */
  readonly byAbout?: Readonly<Record<string, Expression>>;
}

/** The resources that events are about, and the events. */
export interface About {
  readonly resources: readonly string[];
  readonly events: readonly Event[];
}

/** A condition that must fit each of the resources. */
export function conditionOver(
  r: Resolver,
  slot: TextSlot,
  { resources, events }: About,
  view: View,
): Condition {
  const [about, ...others] = resources;
  const hidden = about === undefined ? hiddenAbout(events) : undefined;
  const seen = (about: string | undefined): View =>
    about !== undefined
      ? withNames(view, [["it", { kind: "row", resource: about }]])
      : hidden === undefined
        ? view
        : withNames(view, [["it", hiddenType(hidden)]]);
  const { expression, checked } = resolve(r, slot, seen(about), BOOLEAN);
  if (about === undefined || others.length === 0 || checked.code === undefined) {
    return { first: expression };
  }
  const more = others.map((one) => [one, resolve(r, slot, seen(one), BOOLEAN).expression] as const);
  return { first: expression, byAbout: Object.fromEntries([[about, expression], ...more]) };
}
