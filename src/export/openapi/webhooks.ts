/** Webhooks: what the service sends to others, as Path Item Objects. */
import { gapOf, isStated, statedOf, type Webhook } from "../../plan/index.ts";
import { type Json, type JsonObject, laidOver, membersOf } from "../schemas/json.ts";
import type { World } from "../schemas/world.ts";
import { headerSchema } from "./answer-bodies.ts";
import { contentOf, mediaOf } from "./media.ts";
import type { Sections } from "./sections.ts";

const TEXT: JsonObject = { type: "string" };
const STANDARD = ["webhook-id", "webhook-timestamp", "webhook-signature"];

/** The headers of each attempt, as Parameter Objects. */
export function headersOf(w: World, { signature, headers }: Webhook): Json[] {
  const signed = statedOf(signature)?.form === "Standard Webhooks v1" ? STANDARD : [];
  const own = (headers ?? []).map(({ name, value }): JsonObject => {
    const gap = gapOf(value);
    const schema =
      gap === undefined
        ? isStated(value)
          ? headerSchema(w, value.value)
          : TEXT
        : { "x-lacuna-gap": w.gap(gap) };
    return { name, in: "header", schema };
  });
  return [...signed.map((name) => ({ name, in: "header", required: true, schema: TEXT })), ...own];
}

/** What is not shown of a webhook and of the events that may be sent to it. */
function gapsOf(w: World, hook: Webhook): JsonObject {
  const { receivers, address, signature, delivered, attempts, afterLast, guarantee, order } = hook;
  const own = [receivers, address, signature, delivered, attempts, afterLast, guarantee, order];
  const events = w.plan.events.flatMap(({ data, sentTo }) => [data, sentTo]);
  return w.gapsAmong([...own, ...events].flatMap((one) => gapOf(one) ?? []));
}

function operationOf(w: World, hook: Webhook): JsonObject {
  const events = w.plan.events.filter(({ sentTo }) =>
    statedOf(sentTo)?.some(({ to, name }) => to === "webhook" && name === hook.name),
  );
  const names = events.map(({ name }) => name);
  const sends = statedOf(hook.sends);
  if (sends === undefined) return {};
  const headers = headersOf(w, hook);
  const media = mediaOf(w, w.shapes.get(sends.shape)?.contentType);
  const content = contentOf(w, [{ media, schema: w.ref(sends.shape) }]);
  const isSent = content["content"] !== undefined;
  const delivered = statedOf(hook.delivered);
  return {
    [sends.method.toLowerCase()]: {
      operationId: `webhook.${hook.name}`,
      summary: names.length === 0 ? hook.name : names.join(", "),
      security: [],
      ...(headers.length === 0 ? {} : { parameters: headers }),
      ...(isSent
        ? { requestBody: { ...content, required: true } }
        : { "x-lacuna-request-body": content }),
      ...(delivered === undefined ? {} : { responses: { "2XX": { description: "delivered" } } }),
      "x-lacuna-events": names,
    },
  };
}

/** All webhooks by their names; undefined where there are none. */
export function webhooksOf(w: World, sections: Sections): JsonObject | undefined {
  return membersOf(
    w.plan.webhooks.map((hook) => {
      const gap = gapOf(hook.sends);
      const mark = gap === undefined ? {} : { "x-lacuna-gap": w.gap(gap) };
      const own = laidOver(
        { ...operationOf(w, hook), ...mark, ...gapsOf(w, hook) },
        w.kept.of(hook.id),
      );
      return [hook.name, { ...own, ...sections.of(hook.id) }];
    }),
  );
}
