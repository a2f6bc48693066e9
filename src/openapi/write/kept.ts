/** What is kept as it stands in a description, with its schemas in the words of OpenAPI 3.1. */
import type { Description } from "../model/index.ts";
import { type MapNode, type Node, textAt } from "../tree/index.ts";
import { type Json, type JsonObject, jsonOf } from "./json.ts";
import type { SchemaWriter } from "./schemas.ts";

/** Members that hold objects by names, which are no members themselves. */
const NAMED = new Set([
  ...["parameters", "headers", "content", "encoding", "links", "callbacks", "responses"],
  ...["requestBodies", "examples", "pathItems", "mediaTypes"],
]);
/** Members whose values are of those who use the interface. */
const VALUES = new Set(["example", "value", "dataValue"]);
const SCHEMAS = new Set(["schema", "itemSchema"]);
/** Objects that are written in the place of references: past that these stay as they are. */
const OBJECTS_MAX = 500_000;
/** References in what references led to. */
const OPEN_MAX = 64;

/** Writes objects that are kept. */
export class KeptWriter {
  private readonly description: Description;
  private readonly schemas: SchemaWriter;
  /** What references led to that is being written: one may lead back to it. */
  private readonly open = new Set<Node>();
  private objects = 0;

  constructor(description: Description, schemas: SchemaWriter) {
    this.description = description;
    this.schemas = schemas;
  }

  /** The object with its schemas written, and what stands in other files in its place. */
  of(node: Node): Json {
    if (node.kind === "scalar") return jsonOf(node, this.description.files);
    if (node.kind === "list") return node.items.map((each) => this.of(each));
    const ref = textAt(node, "$ref");
    if (ref === undefined) return this.members(node);
    const isKept = node.file === 0 && ref.startsWith("#/components/");
    const place = { file: node.file, start: node.start, end: node.end };
    const target = isKept ? undefined : this.description.refs.target(ref, place).node;
    const isLeft = this.objects < OBJECTS_MAX && this.open.size < OPEN_MAX;
    if (target === undefined || !isLeft || this.open.has(target)) {
      return jsonOf(node, this.description.files);
    }
    this.open.add(target);
    const found = this.of(target);
    this.open.delete(target);
    return found;
  }

  private members(node: MapNode): JsonObject {
    const found: Record<string, Json> = {};
    this.objects += 1;
    node.keys.forEach((key, index) => {
      const value = node.values[index] as Node;
      if (SCHEMAS.has(key)) found[key] = this.schemas.of(value);
      else if (VALUES.has(key) || key.startsWith("x-")) {
        found[key] = jsonOf(value, this.description.files);
      } else if (key === "content") found[key] = this.content(value);
      else if (NAMED.has(key) && value.kind === "map") found[key] = this.named(value);
      else found[key] = this.of(value);
    });
    return found;
  }

  /** Bodies by their media types. References to them there are in OpenAPI 3.2 alone. */
  content(node: Node): JsonObject {
    const { refs } = this.description;
    const content = refs.map(node);
    const entries = (content?.keys ?? []).flatMap((type): [string, Json][] => {
      const media = refs.map(content?.get(type));
      return media === undefined ? [] : [[type, this.of(media)]];
    });
    return Object.fromEntries(entries);
  }

  private named(node: MapNode): JsonObject {
    const entries = node.keys.map((name, index): [string, Json] => {
      return [name, this.of(node.values[index] as Node)];
    });
    return Object.fromEntries(entries);
  }

  /** The member `webhooks`, where the file has some. */
  webhooks(): JsonObject {
    const { refs, root, webhooks } = this.description;
    const all = webhooks.length === 0 ? undefined : refs.map(root.get("webhooks"));
    return all === undefined ? {} : { webhooks: this.named(all) };
  }

  /** What `components` holds besides schemas and security schemes. */
  components(): JsonObject {
    const components = this.description.root.get("components");
    if (components?.kind !== "map") return {};
    const found: Record<string, Json> = {};
    components.keys.forEach((key, index) => {
      const value = components.values[index] as Node;
      if (key === "schemas" || key === "securitySchemes") return;
      const isNamed = NAMED.has(key) && value.kind === "map";
      found[key] = isNamed ? this.named(value) : jsonOf(value, this.description.files);
    });
    return found;
  }
}
