/** What a shape in Events sees: the message that it is the body of, and what that is about. */
import type { ItemId } from "../../../plan/index.ts";
import type { Collected } from "../names/collect.ts";
import { commonNames, withService } from "../names/common.ts";
import { type View, withNames } from "../names/expression.ts";
import type { Resolver } from "../names/resolver.ts";
import { hiddenType } from "../names/types.ts";

/** What the messages with one shape are about, and who receives them. */
export interface Carried {
  /** Resources that the events are about. */
  readonly abouts: readonly string[];
  /** Resources that the receivers are of. */
  readonly receivers: readonly string[];
  /** Where it is not shown what else they are about, or who else receives. */
  readonly gap?: ItemId | undefined;
}

interface MessageViews {
  readonly view: View;
  /** The view by the resource that an event is about, where there are several. */
  readonly others: ReadonlyMap<string, View>;
}

const ADVICE = new Map([
  [
    "it",
    "no event with a resource under About is sent with this shape: name its webhook under Sent to",
  ],
  [
    "receiver",
    "webhooks whose receivers are of one resource send a shape that reads it: write one for each",
  ],
]);

/** The views of a shape; `carried` undefined: no webhook sends it. */
export function messageViews(
  r: Resolver,
  { events }: Collected,
  carried: Carried = { abouts: [], receivers: [] },
): MessageViews {
  const { abouts, receivers, gap } = carried;
  const [receiver, ...more] = receivers;
  const common = { ...withService(r, commonNames(r, "none")), advice: ADVICE };
  const told = withNames(common, [
    ["event", { kind: "string", oneOf: events }],
    ["event_id", { kind: "string" }],
    ["data", { kind: "json" }],
    ["sent", { kind: "timestamp" }],
    ["delivery", { kind: "string" }],
    ...(gap === undefined ? [] : [["it", hiddenType(gap)] as const]),
    ...(gap === undefined ? [] : [["receiver", hiddenType(gap)] as const]),
  ]);
  const base =
    receiver === undefined || more.length > 0
      ? told
      : withNames(told, [["receiver", { kind: "row", resource: receiver }]]);
  const about = (resource: string): View => withNames(base, [["it", { kind: "row", resource }]]);
  const [first] = abouts;
  return {
    view: first === undefined ? base : about(first),
    others: new Map(abouts.length < 2 ? [] : abouts.map((one) => [one, about(one)])),
  };
}
