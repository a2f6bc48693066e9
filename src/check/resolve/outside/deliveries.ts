/** Resolves webhooks and streams. */
import type { Event, Stream, Webhook } from "../../../plan/index.ts";
import type { Collected } from "../names/collect.ts";
import { type Resolver, sectionsOf } from "../names/resolver.ts";
import { resolveStream } from "./streams.ts";
import { resolveWebhook } from "./webhooks.ts";

/** `always`: names of actors without credentials. */
export function resolveDeliveries(
  r: Resolver,
  names: Collected,
  events: readonly Event[],
  always: ReadonlySet<string>,
): { webhooks: Webhook[]; streams: Stream[] } {
  return {
    webhooks: sectionsOf(r, "webhook").map((section) =>
      resolveWebhook({ r, names, section }, events),
    ),
    streams: sectionsOf(r, "stream").map((section) =>
      resolveStream({ r, names, section }, events, always),
    ),
  };
}
