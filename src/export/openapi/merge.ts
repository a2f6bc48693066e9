/** What is kept for an operation or a file, laid over what the document says of it. */
import { isObject, type Json, type JsonObject, laidOver } from "../schemas/json.ts";
import type { AnswerExample } from "../schemas/kept.ts";
import { statusName } from "./statuses.ts";

/** Where the path stands as a file has it that was imported. */
export const PATH = "x-lacuna-path";

function keyOf({ in: place, name }: JsonObject): string {
  return `${String(place)} ${String(name)}`;
}

/** `over` is a list, which stands instead, or has members for parameters: `query limit`. */
function parametersWith(own: Json | undefined, over: Json): Json {
  if (!isObject(over)) return over;
  const all = (Array.isArray(own) ? (own as readonly Json[]) : []).filter(isObject);
  const known = new Set(all.map(keyOf));
  const changed = all.map((one) => {
    const more = over[keyOf(one)];
    if (!isObject(more)) return one;
    // A parameter has a schema, or a body of one media type.
    const { schema, content, style, explode, ...bare } = one;
    return laidOver(more["content"] === undefined ? one : bare, more);
  });
  const added = Object.entries(over).flatMap(([key, one]): Json[] => {
    if (known.has(key) || !isObject(one)) return [];
    const at = key.indexOf(" ");
    return [{ name: key.slice(at + 1), in: key.slice(0, at), ...one }];
  });
  return [...changed, ...added];
}

/** The media type of a body as a file has it that was imported, where the language has no word. */
const MEDIA = "x-lacuna-media";

/** A response whose bodies without a media type stand under those that are kept for them. */
function typed(response: Json | undefined): Json | undefined {
  if (!isObject(response)) return response;
  const { "x-lacuna-bodies": hidden, content, ...rest } = response;
  if (!Array.isArray(hidden) || !isObject(content)) return response;
  const open = [...(hidden as readonly Json[])];
  const entries = Object.entries(content).map(([type, body]): [string, Json | undefined] => {
    if (!isObject(body) || body[MEDIA] === undefined) return [type, body];
    const { [MEDIA]: _, ...own } = body;
    const found = open.shift();
    if (!isObject(found)) return [type, own];
    const { schema } = found;
    const isShown = isObject(schema) && schema["x-lacuna-gap"] === undefined;
    return [type, isShown ? { schema, ...own } : { ...found, ...own, schema: own["schema"] }];
  });
  const left = open.length === 0 ? {} : { "x-lacuna-bodies": open };
  return { ...rest, content: Object.fromEntries(entries), ...left };
}

function withTypes(operation: JsonObject): JsonObject {
  const { responses } = operation;
  if (!isObject(responses)) return operation;
  const all = Object.entries(responses).map(([status, one]) => [status, typed(one)]);
  return { ...operation, responses: Object.fromEntries(all) };
}

/** An operation with what is kept for it. */
export function operationWith(own: JsonObject, kept: JsonObject): JsonObject {
  const { parameters, [PATH]: _path, ...over } = kept;
  // What a request is made of is kept where the language has no words for it.
  const { "x-lacuna-request-body": hidden, ...stated } = own;
  const base = over["requestBody"] === undefined ? own : stated;
  const whole = withTypes(laidOver(base, over));
  return parameters === undefined
    ? whole
    : { ...whole, parameters: parametersWith(own["parameters"], parameters) };
}

/** Responses with examples of their bodies, where these have a place. */
export function responsesWith(
  responses: JsonObject,
  examples: readonly AnswerExample[],
  general: string | undefined,
): JsonObject {
  const byBody = new Map<string, AnswerExample[]>();
  for (const example of examples) {
    const { status, media = general } = example;
    const family = `${status.slice(0, 1)}XX`;
    const key = [status, family, "default"].find((one) => Object.hasOwn(responses, one)) ?? status;
    if (media === undefined) continue;
    const place = JSON.stringify([key, media]);
    byBody.set(place, [...(byBody.get(place) ?? []), example]);
  }
  let found = responses;
  for (const [place, all] of byBody) {
    const [key, media] = JSON.parse(place) as [string, string];
    const response = objectOf(found[key]) ?? { description: statusName(Number(key)) };
    const content = objectOf(response["content"]) ?? {};
    const body = objectOf(content[media]) ?? {};
    // What is kept has them in full.
    if (body["example"] !== undefined || body["examples"] !== undefined) continue;
    const more = { ...content, [media]: { ...body, ...exampleMembers(all) } };
    found = { ...found, [key]: { ...response, content: more } };
  }
  return found;
}

const objectOf = (value: Json | undefined): JsonObject | undefined =>
  isObject(value) ? value : undefined;

/** One without a name stands alone; of several each has a name. */
function exampleMembers(all: readonly AnswerExample[]): JsonObject {
  const [only] = all;
  if (all.length === 1 && only !== undefined && only.name === undefined) {
    return { example: only.value };
  }
  const entries = all.map(({ name, value }, i) => [name ?? `example ${i + 1}`, { value }]);
  return { examples: Object.fromEntries(entries) };
}

const ROOT = new Set([
  ...["info", "jsonSchemaDialect", "servers", "paths", "webhooks", "components", "security"],
  ...["tags", "externalDocs"],
]);

/** Title and version are texts, or the document's own words of them stand. */
function titled(info: Json): JsonObject {
  const members = Object.entries(objectOf(info) ?? {});
  const isSaid = (name: string): boolean => name === "title" || name === "version";
  return Object.fromEntries(
    members.filter(([name, one]) => !isSaid(name) || typeof one === "string"),
  );
}

/** The file with what is kept for it; members that OpenAPI has not stand under a name apart. */
export function fileWith(own: JsonObject, kept: JsonObject, version: string): JsonObject {
  const known: Record<string, Json | undefined> = {};
  const other: Record<string, Json | undefined> = {};
  for (const [name, value] of Object.entries(kept)) {
    const isSelf = name === "$self" && version === "3.2";
    if (ROOT.has(name) || isSelf || name.startsWith("x-")) known[name] = value;
    else other[name] = value;
  }
  const { info } = known;
  if (info !== undefined) {
    const said = titled(info);
    known["info"] = said;
    if (!isObject(info) || Object.keys(said).length < Object.keys(info).length)
      other["info"] = info;
  }
  const apart = Object.keys(other).length === 0 ? {} : { "x-lacuna-kept": other };
  const { "x-lacuna-servers": hidden, ...stated } = own;
  return { ...laidOver(known["servers"] === undefined ? own : stated, known), ...apart };
}
