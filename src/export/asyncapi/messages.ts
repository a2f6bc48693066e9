/** Messages: what each event carries, to whom it is sent. */
import { type Event, gapOf, isStated, sentPath, statedOf, type Webhook } from "../../plan/index.ts";
import { mediaOf } from "../openapi/media.ts";
import { headersOf } from "../openapi/webhooks.ts";
import type { Json, JsonObject } from "../schemas/json.ts";
import { type Member, objectSchema } from "../schemas/objects.ts";
import type { World } from "../schemas/world.ts";

/** What the data of an event are; undefined: it is not shown. */
function dataSchema(w: World, { data }: Event): JsonObject | undefined {
  if (isStated(data)) return w.ref(data.value.shape);
  return data.is === "gap" ? undefined : { type: "null" };
}

function gapMark(w: World, answer: Event["data"]): JsonObject {
  const gap = gapOf(answer);
  return gap === undefined ? {} : { "x-lacuna-gap": w.gap(gap) };
}

/** The shape that a webhook sends, in which the event's name and data are those of one event. */
function sentSchema(w: World, shape: string, event: Event): JsonObject {
  const data = dataSchema(w, event);
  const fields = w.shapes.get(shape)?.fields ?? [];
  const members = fields.flatMap((field): Member[] => {
    const text = statedOf(field.value)?.text.trim();
    const schema: Json | undefined =
      text === "event" ? { const: event.name } : text === "data" ? data : undefined;
    return schema === undefined ? [] : [{ path: sentPath(field), schema, required: false }];
  });
  if (members.length === 0) return w.ref(shape);
  return { allOf: [w.ref(shape), objectSchema(members, "where needed")] };
}

/** Headers of HTTP as the schema of an object. */
function headerBinding(w: World, hook: Webhook): JsonObject {
  const headers = headersOf(w, hook) as readonly JsonObject[];
  if (headers.length === 0) return {};
  const members = headers.map(
    ({ name, schema, required }): Member => ({
      path: [String(name)],
      schema: schema ?? {},
      required: required === true,
    }),
  );
  const schema = objectSchema(members, "where needed");
  return { bindings: { http: { headers: schema, bindingVersion: "0.3.0" } } };
}

function named(w: World, { id, name, about }: Event): JsonObject {
  const said =
    about === ""
      ? { "x-lacuna-gap": w.gap(`${id}/about`) }
      : { resource: about, line: w.from.lineOf(id) };
  return { name, "x-lacuna-about": said };
}

/** The message of an event that a webhook sends. */
export function webhookMessage(w: World, hook: Webhook, event: Event): JsonObject {
  const sends = statedOf(hook.sends);
  const media = sends && mediaOf(w, w.shapes.get(sends.shape)?.contentType);
  const gap = media !== undefined && "gap" in media ? media.gap : gapOf(hook.sends);
  return {
    ...named(w, event),
    ...(media !== undefined && "type" in media ? { contentType: media.type } : {}),
    ...(sends === undefined ? {} : { payload: sentSchema(w, sends.shape, event) }),
    ...headerBinding(w, hook),
    ...gapMark(w, event.data),
    ...(gap === undefined ? {} : { "x-lacuna-gap": w.gap(gap) }),
  };
}

/** The message of an event without what a webhook puts around it: in a stream, or nowhere. */
export function dataMessage(w: World, event: Event): JsonObject {
  const payload = dataSchema(w, event);
  return {
    ...named(w, event),
    ...(payload === undefined ? {} : { contentType: "application/json", payload }),
    ...gapMark(w, event.data),
  };
}
