/** All that a document says of values, as one JSON Schema (2020-12). */
import { gapOf, isStated, pathText } from "../../plan/index.ts";
import { bodySchema } from "../schemas/bodies.ts";
import { fileText, type JsonObject } from "../schemas/json.ts";
import { namedSchemas, variantSchemas } from "../schemas/named.ts";
import { World } from "../schemas/world.ts";
import type { Exporter } from "../types.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Writes the document as JSON: schemas by name, and of each endpoint the body that it reads. */
export const jsonschema: Exporter = (from) => {
  const w = new World(from, "#/$defs/");
  const bodies = w.plan.endpoints.flatMap((endpoint): [string, JsonObject][] => {
    const schema = bodySchema(w, endpoint);
    const name = `${endpoint.method} ${pathText(endpoint.path)}`;
    return schema === undefined ? [] : [[name, schema]];
  });
  const named = namedSchemas(w);
  const errors = w.plan.errors.flatMap(({ name, body }): [string, JsonObject][] => {
    const gap = gapOf(body);
    if (gap !== undefined) return [[`error ${name}`, { "x-lacuna-gap": w.gap(gap) }]];
    return isStated(body) ? [[`error ${name}`, w.ref(body.value)]] : [];
  });
  return fileText({
    $schema: DIALECT,
    title: w.plan.title,
    $defs: Object.fromEntries([...named, ...errors, ...bodies, ...variantSchemas(w)]),
  });
};
