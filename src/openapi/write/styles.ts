/** Whether a parameter is written as this language reads one: else its type has no words. */
import type { Description, Parameter } from "../model/index.ts";
import { type Node, textAt } from "../tree/index.ts";
import { type JsonObject, textOf } from "./json.ts";

/** What the values of a schema are; `many`: of several kinds, or the schema does not say. */
type Shape = "scalar" | "list" | "object" | "many";

const SCALARS = ["string", "integer", "number", "boolean", "file"];

/** Schemas that are looked at for one parameter: more say nothing. */
const LOOKED_AT_MAX = 200;

function shapeOfType(type: string): Shape | undefined {
  if (type === "null") return undefined;
  if (type === "array") return "list";
  if (type === "object") return "object";
  return SCALARS.includes(type) ? "scalar" : "many";
}

/** Words of a member that is one, or a list of them. */
function wordsAt(node: Node, key: string): string[] {
  const one = textAt(node, key);
  if (one !== undefined) return [one];
  const found = node.kind === "map" ? node.get(key) : undefined;
  return found?.kind !== "list"
    ? []
    : found.items.flatMap((each) =>
        each.kind === "scalar" && typeof each.value === "string" ? [each.value] : [],
      );
}

function follow({ refs }: Description, node: Node): Node | undefined {
  const seen = new Set<Node>();
  let at: Node | undefined = node;
  while (at !== undefined && !seen.has(at)) {
    seen.add(at);
    const ref = textAt(at, "$ref");
    if (ref === undefined) return at;
    at = refs.target(ref, { file: at.file, start: at.start, end: at.end }).node;
  }
  return undefined;
}

/** The schemas that a schema is made of. */
function partsOf(node: Node): Node[] {
  if (node.kind !== "map") return [];
  return ["allOf", "anyOf", "oneOf"].flatMap((key) => {
    const found = node.get(key);
    return found?.kind === "list" ? found.items : [];
  });
}

function shapeOf(description: Description, start: Node): Shape {
  const shapes = new Set<Shape>();
  const open = [start];
  const seen = new Set<Node>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const node = follow(description, next);
    if (node === undefined || seen.has(node)) continue;
    if (seen.size === LOOKED_AT_MAX) return "many";
    seen.add(node);
    const types = wordsAt(node, "type").flatMap((each) => shapeOfType(each) ?? []);
    for (const each of types) shapes.add(each);
    const hasMembers = node.kind === "map" && node.get("properties") !== undefined;
    if (types.length === 0 && hasMembers) shapes.add("object");
    else if (types.length === 0) open.push(...partsOf(node));
  }
  const [only] = shapes;
  return shapes.size === 1 && only !== undefined ? only : shapes.size === 0 ? "scalar" : "many";
}

/** A list of values that are no lists or objects themselves. */
function isFlat(description: Description, schema: Node): boolean {
  const node = follow(description, schema);
  const items = node?.kind === "map" ? node.get("items") : undefined;
  return items === undefined || shapeOf(description, items) === "scalar";
}

const DEFAULTS: Readonly<Record<string, string>> = {
  query: "form",
  cookie: "form",
  path: "simple",
  header: "simple",
};

/** Whether Swagger's way to write a list is that of OpenAPI's style, or has none there. */
function isOther(own: JsonObject): boolean {
  const swagger = own["x-lacuna-swagger"] as JsonObject | undefined;
  const format = textOf(swagger?.["collectionFormat"]) ?? "csv";
  return format !== "csv" || own["x-collectionFormat"] !== undefined;
}

/**
 * Whether a service reads the parameter as the file says: one value as its text, a list in the
 * query by its repeated name, in a header by commas. `own`: the parameter in words of OpenAPI 3.
 */
export function isReadAsWritten(
  description: Description,
  { schema, in: place }: Parameter,
  own: JsonObject,
): boolean {
  if (schema === undefined) return true;
  const style = textOf(own["style"]) ?? DEFAULTS[place];
  const shape = shapeOf(description, schema);
  if (shape === "scalar") return style !== "matrix" && style !== "label" && style !== "deepObject";
  if (shape !== "list" || style !== DEFAULTS[place] || isOther(own)) return false;
  if (!isFlat(description, schema)) return false;
  // Only these two have lists here.
  return place === "header" || (place === "query" && own["explode"] !== false);
}

/** Whether members of an object stand under names of their own in some query. */
export function hasNesting({ operations }: Description): boolean {
  return operations.some(({ parameters }) =>
    parameters.some((each) => each.in === "query" && textAt(each.node, "style") === "deepObject"),
  );
}
