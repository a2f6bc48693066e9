/** The body of a request as a Request Body Object. */
import { type Endpoint, gapOf, statedOf } from "../../plan/index.ts";
import { bodyOfRequest, readsBody, sendingBy } from "../schemas/bodies.ts";
import type { JsonObject } from "../schemas/json.ts";
import type { World } from "../schemas/world.ts";
import { contentOf, type Media, mediaOf } from "./media.ts";

/** What a nested value is sent by, in forms. */
function encodingOf(w: World, schema: JsonObject | undefined): JsonObject {
  if (statedOf(w.plan.about.nesting) !== "brackets") return {};
  const properties = Object.entries((schema?.["properties"] ?? {}) as JsonObject);
  const nested = properties.filter(([, one]) => {
    const { type, $ref } = (typeof one === "object" ? one : {}) as JsonObject;
    return $ref !== undefined || JSON.stringify(type ?? "").includes("object");
  });
  if (nested.length === 0) return {};
  const encoding = nested.map(([name]) => [name, { style: "deepObject", explode: true }]);
  return { encoding: Object.fromEntries(encoding) };
}

/** `requestBody`, or the mark of the gap in its place; nothing where no body is read. */
export function requestBodyOf(w: World, endpoint: Endpoint): JsonObject {
  const gap = gapOf(endpoint.body);
  if (gap !== undefined) return { "x-lacuna-request-body": { "x-lacuna-gap": w.gap(gap) } };
  if (!readsBody(endpoint)) return {};
  const { format, formatGap } = endpoint;
  const media: Media =
    formatGap !== undefined
      ? { gap: formatGap }
      : format === undefined
        ? mediaOf(w, undefined)
        : { type: format };
  const sending = sendingBy("type" in media ? media.type : undefined);
  const { schema, required } = bodyOfRequest(w, endpoint, sending);
  const content = contentOf(w, [{ media, schema }]);
  const encoding = sending.form === "text" ? encodingOf(w, schema) : {};
  const only = content["content"] as JsonObject | undefined;
  if (only === undefined) return { "x-lacuna-request-body": content };
  const marked = Object.entries(only).map(([type, one]) => [
    type,
    { ...(one as JsonObject), ...encoding },
  ]);
  return {
    requestBody: { content: Object.fromEntries(marked), ...(required ? { required } : {}) },
  };
}
