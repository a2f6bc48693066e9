/** The media types of bodies. */
import type { Answer, ItemId } from "../../plan/index.ts";
import { isObject, type Json, type JsonObject } from "../schemas/json.ts";
import type { World } from "../schemas/world.ts";

/** The media type that is answered, or the gap in its place. */
export type Media = { readonly type: string } | { readonly gap: ItemId };

/** What `answer` says of the media type; without one what is said of all bodies. */
export function mediaOf({ plan }: World, answer: Answer<string> | undefined): Media {
  const said = answer ?? plan.about.bodyFormat;
  switch (said.is) {
    case "stated":
      return { type: said.value };
    case "gap":
      return { gap: said.gap };
    case "none":
      return { gap: said.id };
    case "free":
      return { type: "application/json" };
    case "not asked":
      return { gap: "service/body format" };
  }
}

function isMark(schema: Json): schema is JsonObject {
  return isObject(schema) && Object.keys(schema).join() === "x-lacuna-gap";
}

/** Bodies by media type; `schema` undefined: one of which nothing is known but its media type. */
export function contentOf(
  w: World,
  bodies: readonly { readonly media: Media; readonly schema: Json | undefined }[],
): JsonObject {
  const byType = new Map<string, Map<string, Json>>();
  const hidden: JsonObject[] = [];
  for (const { media, schema } of bodies) {
    if ("gap" in media) {
      hidden.push({ "x-lacuna-gap": w.gap(media.gap), schema });
      continue;
    }
    const all = byType.get(media.type) ?? new Map<string, Json>();
    byType.set(media.type, all);
    if (schema !== undefined) all.set(JSON.stringify(schema), schema);
  }
  const content = [...byType].map(([type, schemas]): [string, JsonObject] => {
    const all = [...schemas.values()];
    const [only] = all;
    if (only === undefined) return [type, {}];
    // What is not shown is no schema, not even one that takes every value.
    if (all.length === 1 && isMark(only)) return [type, only];
    return [type, { schema: all.length === 1 ? only : { anyOf: all } }];
  });
  return {
    ...(content.length === 0 ? {} : { content: Object.fromEntries(content) }),
    ...(hidden.length === 0 ? {} : { "x-lacuna-bodies": hidden }),
  };
}
