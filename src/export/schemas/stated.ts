/** The schemas that a document states, as they stand there; references lead to where they are. */
import { isStated, type Schema } from "../../plan/index.ts";
import { exactNumber, type Json, type JsonObject } from "./json.ts";
import { ownName, type World } from "./world.ts";

type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown;

const exact: Reviver = (_, value, context) =>
  typeof value === "number" ? exactNumber(context?.source ?? String(value)) : value;

/** What holds values, not schemas. */
const VALUES: ReadonlySet<string> = new Set(["const", "enum", "default", "examples", "example"]);
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

function relocated(w: World, value: Json): Json {
  if (Array.isArray(value)) return value.map((one: Json) => relocated(w, one));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as JsonObject).map(([name, one = null]): [string, Json] => {
    if (name === "$ref" && typeof one === "string") return [name, moved(w, one)];
    return [name, VALUES.has(name) ? one : relocated(w, one)];
  });
  return Object.fromEntries(entries);
}

function objectOf(w: World, { schema }: Schema): JsonObject {
  if (!isStated(schema)) return schema.is === "gap" ? { "x-lacuna-gap": w.gap(schema.gap) } : {};
  const value = JSON.parse(
    schema.value,
    exact as (name: string, value: unknown) => unknown,
  ) as Json;
  if (value === false) return { not: {} };
  return value === true ? {} : (relocated(w, value) as JsonObject);
}

/** The schema of a value of the type `schema`. */
export function schemaOf(w: World, name: string): JsonObject {
  const found = w.plan.schemas?.find((one) => one.name === name);
  if (found === undefined) return {};
  return name.startsWith("{") ? objectOf(w, found) : { $ref: w.referTo(keyOf(w, name)) };
}

/** The schemas that have headings, by what they are called. */
export function statedSchemas(w: World): [string, JsonObject][] {
  const named = (w.plan.schemas ?? []).filter(({ name }) => !name.startsWith("{"));
  return named.map((one) => [keyOf(w, one.name), objectOf(w, one)]);
}
