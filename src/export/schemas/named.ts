/** The schemas that have names: of resources, parts, views and shapes. */
import type { ItemId } from "../../plan/index.ts";
import type { JsonObject } from "./json.ts";
import { partSchema, shapeSchema, shownSchema } from "./objects.ts";
import { statedSchemas } from "./stated.ts";
import { ownName, schemaName, type World } from "./world.ts";

/** As answers have them. `more` gives what else stands at the schema of an item. */
export function namedSchemas(
  w: World,
  more: (id: ItemId) => JsonObject = () => ({}),
): [string, JsonObject][] {
  const { resources, partTypes, shapes } = w.plan;
  return [
    ...[...resources, ...partTypes].map((one): [string, JsonObject] => [
      ownName(one.name),
      { ...shownSchema(w, one), ...more(one.id) },
    ]),
    ...shapes.map((one): [string, JsonObject] => [
      ownName(one.name),
      { ...shapeSchema(w, one), ...more(one.id) },
    ]),
    ...statedSchemas(w, more),
  ];
}

/** Schemas of what is sent that something refers to, and of what these refer to. */
export function variantSchemas(w: World): [string, JsonObject][] {
  const found = new Map<string, JsonObject>();
  for (let open = w.take(); open.length > 0; open = w.take()) {
    for (const variant of open) {
      const part = w.parts.get(variant.name);
      const key = schemaName(variant);
      if (part === undefined || variant.mode === "read" || found.has(key)) continue;
      found.set(key, partSchema(w, part, { ...variant, mode: variant.mode }));
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}
