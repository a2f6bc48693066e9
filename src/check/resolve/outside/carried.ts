/** What the messages with each shape are about, and who receives them. */
import { type Event, gapOf, isStated, statedOf, type Webhook } from "../../../plan/index.ts";
import type { Resolver } from "../names/resolver.ts";
import type { Carried } from "../resources/message-views.ts";
import { aboutOf, hiddenAbout } from "./about.ts";

/** Shape -> what its messages carry. */
export function carriedBy(
  r: Resolver,
  events: readonly Event[],
  webhooks: readonly Webhook[],
): ReadonlyMap<string, Carried> {
  const sending = webhooks.filter(({ sends }) => isStated(sends));
  return new Map(
    [...Map.groupBy(sending, ({ sends }) => statedOf(sends)?.shape ?? "")].map(([shape, by]) => {
      const abouts = by.flatMap(({ name }) => aboutOf(r, "webhook", name, events));
      const receivers = by.flatMap((one) => statedOf(one.receivers)?.resource ?? []);
      const unknown = by.map((one) => gapOf(one.receivers)).find((gap) => gap !== undefined);
      const gap = unknown ?? (abouts.length === 0 ? hiddenAbout(events) : undefined);
      return [
        shape,
        { abouts: [...new Set(abouts)], receivers: [...new Set(receivers)], gap },
      ] as const;
    }),
  );
}
