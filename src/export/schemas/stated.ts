/** The schemas that a document states, as they stand there; references lead to where they are. */
import { gapOf, type ItemId, isStated, type Schema } from "../../plan/index.ts";
import {
  exactJson,
  isObject,
  isRight,
  type Json,
  type JsonObject,
  laidOver,
  unfolded,
} from "./json.ts";
import { ownName, type World } from "./world.ts";

/** Keywords with one schema, with a list of schemas, and with schemas by names. */
const ONE: ReadonlySet<string> = new Set([
  ...["items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"],
  ...["unevaluatedItems", "unevaluatedProperties", "contentSchema"],
]);
const LIST: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const NAMED: ReadonlySet<string> = new Set([
  ...["properties", "patternProperties", "dependentSchemas", "$defs"],
  "definitions",
]);

const HERE = "#/$defs/";

/** What a schema is called among those of resources, parts, views and shapes. */
function keyOf(w: World, name: string): string {
  const isTaken = w.resources.has(name) || w.parts.has(name) || w.shapes.has(name);
  return `${ownName(name)}${isTaken ? ".schema" : ""}`;
}

function moved(w: World, text: string): string {
  if (!text.startsWith(HERE)) return text;
  const [token = "", ...path] = text.slice(HERE.length).split("/");
  const name = decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
  return [w.referTo(keyOf(w, name)), ...path].join("/");
}

function keyword(w: World, name: string, value: Json | undefined): Json | undefined {
  if ((name === "$ref" || name === "$dynamicRef") && typeof value === "string") {
    return moved(w, value);
  }
  if (ONE.has(name) && value !== undefined) return relocated(w, value);
  if (LIST.has(name) && Array.isArray(value)) {
    return (value as readonly Json[]).map((one) => relocated(w, one));
  }
  if (!NAMED.has(name) || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, one && relocated(w, one)]),
  );
}

/** The schema with references to where schemas stand in the file. */
function relocated(w: World, schema: Json): Json {
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, keyword(w, name, value)]),
  );
}

function objectOf(w: World, { schema }: Schema): JsonObject {
  const gap = gapOf(schema);
  if (gap !== undefined) return { "x-lacuna-gap": w.gap(gap) };
  if (!isStated(schema)) return { "x-lacuna-type": "json" };
  const value = exactJson(schema.value);
  // It nests deeper than a file may that others read: its text stands for it.
  if (value === undefined) return { "x-lacuna-schema": schema.value };
  if (value === false) return { not: {} };
  return isObject(value)
    ? (relocated(w, w.isRestoring ? unfolded(value, isRight) : value) as JsonObject)
    : { "x-lacuna-type": "json" };
}

/** The schema of a value of the type `schema`. */
export function schemaOf(w: World, name: string): JsonObject {
  const found = w.schemas.get(name);
  if (found === undefined) return { "x-lacuna-type": "json" };
  return name.startsWith("{") ? objectOf(w, found) : { $ref: w.referTo(keyOf(w, name)) };
}

/** The schemas that have headings, by what they are called. */
export function statedSchemas(w: World, more: (id: ItemId) => JsonObject): [string, JsonObject][] {
  const named = [...w.schemas.values()].filter(({ name }) => !name.startsWith("{"));
  return named.map((one) => {
    const key = keyOf(w, one.name);
    const mark = key === one.name ? {} : { "x-lacuna-name": one.name };
    const kept = w.isRestoring ? w.kept.of(one.id) : {};
    return [key, { ...mark, ...laidOver(objectOf(w, one), kept), ...more(one.id) }];
  });
}
