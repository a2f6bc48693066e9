/** Operations of every dialect in the words of OpenAPI 3.1, references followed. */
import type { Description, Media, Operation, Parameter } from "../model/index.ts";
import type { MapNode } from "../tree/index.ts";
import { type Json, type JsonObject, jsonOf, objectOf, textOf, without } from "./json.ts";
import type { SchemaWriter } from "./schemas.ts";

/** An operation as OpenAPI 3.1 has it; `parameters` are whole, `$ref`s to schemas alone. */
export interface WrittenOperation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly JsonObject[];
  readonly requestBody?: JsonObject;
  /** By status key. */
  readonly responses: JsonObject;
  /** All else. */
  readonly rest: JsonObject;
  readonly operation: Operation;
}

/** Members of a Swagger parameter or header that are of its schema. */
const SCHEMA_KEYS = [
  ...["type", "format", "items", "default", "maximum", "exclusiveMaximum", "minimum"],
  ...["exclusiveMinimum", "maxLength", "minLength", "pattern", "maxItems", "minItems"],
  ...["uniqueItems", "enum", "multipleOf", "x-nullable", "example"],
];

/** Swagger's ways to write a list in a parameter, in the words of OpenAPI 3. */
const COLLECTIONS: Readonly<Record<string, JsonObject>> = {
  csv: { style: "form", explode: false },
  ssv: { style: "spaceDelimited", explode: false },
  tsv: { "x-collectionFormat": "tsv" },
  pipes: { style: "pipeDelimited", explode: false },
  multi: { style: "form", explode: true },
};

/** Writes the operations of one description. */
export class OperationWriter {
  private readonly description: Description;
  private readonly schemas: SchemaWriter;
  private readonly isSwagger: boolean;

  constructor(description: Description, schemas: SchemaWriter) {
    this.description = description;
    this.schemas = schemas;
    this.isSwagger = description.kind === "swagger";
  }

  of(operation: Operation): WrittenOperation {
    const { method, path, node, parameters, body, item } = operation;
    const apart = ["parameters", "requestBody", "responses", "consumes", "produces", "callbacks"];
    const requestBody = body === undefined ? undefined : this.body(operation);
    const callbacks = this.callbacks(operation);
    const rest = { ...this.inherited(item), ...without(this.json(node), apart) };
    return {
      method,
      path,
      parameters: parameters
        .filter((each) => each.in !== "body" && each.in !== "formData")
        .map((each) => this.parameter(each)),
      ...(requestBody === undefined ? {} : { requestBody }),
      responses: this.responses(operation),
      rest: { ...rest, ...(callbacks === undefined ? {} : { callbacks }) },
      operation,
    };
  }

  private json(node: MapNode): JsonObject {
    return objectOf(jsonOf(node, this.description.files));
  }

  /** What a path states for all its operations. */
  private inherited(item: MapNode): JsonObject {
    const all = this.json(item);
    const found: Record<string, Json> = {};
    for (const key of ["summary", "description", "servers"]) {
      const value = all[key];
      if (value !== undefined) found[key] = value;
    }
    return found;
  }

  /** The parameter with its schema written. */
  parameter(each: Parameter): JsonObject {
    const own = this.json(each.node);
    if (!this.isSwagger) return this.withSchemas(own, each.node);
    const { collectionFormat, type } = own;
    const rest = without(own, [...SCHEMA_KEYS, "collectionFormat"]);
    const style = type === "array" ? COLLECTIONS[textOf(collectionFormat) ?? "csv"] : undefined;
    const fits = each.in === "query" || collectionFormat === "multi";
    return { ...rest, ...(fits ? style : {}), schema: this.swaggerSchema(own, each.node) };
  }

  /** The members of a Swagger parameter that are of its schema. */
  private swaggerSchema(own: JsonObject, node: MapNode): Json {
    const written = this.schemas.of(node);
    const keys = new Set([...SCHEMA_KEYS, "prefixItems"]);
    const schema = Object.fromEntries(
      Object.entries(objectOf(written)).filter(([key]) => keys.has(key)),
    );
    return Object.keys(own).length === 0 ? {} : schema;
  }

  /** An object of OpenAPI 3 in which `schema` and `content` may stand. */
  private withSchemas(own: JsonObject, node: MapNode): JsonObject {
    const result: Record<string, Json> = { ...own };
    const schema = node.get("schema");
    if (schema !== undefined) result["schema"] = this.schemas.of(schema);
    const content = this.description.refs.map(node.get("content"));
    if (content !== undefined) result["content"] = this.contentOf(content);
    return result;
  }

  private contentOf(content: MapNode): JsonObject {
    const { refs } = this.description;
    const found: Record<string, Json> = {};
    content.keys.forEach((type, index) => {
      const media = refs.map(content.values[index]);
      if (media !== undefined) found[type] = this.media(media);
    });
    return found;
  }

  private media(node: MapNode): JsonObject {
    const result: Record<string, Json> = { ...this.json(node) };
    for (const key of ["schema", "itemSchema"]) {
      const schema = node.get(key);
      if (schema !== undefined) result[key] = this.schemas.of(schema);
    }
    return result;
  }

  private body({ body }: Operation): JsonObject {
    if (!this.isSwagger) {
      return body?.node === undefined ? {} : this.withSchemas(this.json(body.node), body.node);
    }
    const form = body?.form ?? [];
    const content: Record<string, Json> = {};
    const schema = body?.node === undefined ? this.form(form) : this.mediaSchema(body.content);
    for (const { type } of body?.content ?? []) content[type ?? NO_TYPE] = { schema };
    const description = body?.node === undefined ? undefined : this.json(body.node)["description"];
    const result: Record<string, Json> = { content };
    if (description !== undefined) result["description"] = description;
    if (body?.required === true) result["required"] = true;
    return result;
  }

  private mediaSchema(content: readonly Media[]): Json {
    const schema = content[0]?.schema;
    return schema === undefined ? {} : this.schemas.of(schema);
  }

  /** The form parameters of Swagger as one schema. */
  private form(parameters: readonly Parameter[]): JsonObject {
    const properties: Record<string, Json> = {};
    for (const { name, node } of parameters) {
      const own = this.json(node);
      const { description } = own;
      const schema = objectOf(this.swaggerSchema(own, node));
      properties[name] = description === undefined ? schema : { ...schema, description };
    }
    const required = parameters.filter((each) => each.required).map((each) => each.name);
    return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
  }

  private responses(operation: Operation): JsonObject {
    const found: Record<string, Json> = {};
    for (const { status, node, headers, content, links } of operation.responses) {
      const own = this.json(node);
      const apart = ["schema", "headers", "content", "examples", "links"];
      const result: Record<string, Json> = without(own, apart);
      result["description"] ??= "";
      if (headers.length > 0) {
        result["headers"] = Object.fromEntries(
          headers.map((each) => [each.name, this.header(each.node)]),
        );
      }
      const bodies = this.isSwagger ? this.swaggerBodies(own, content) : this.bodies(node);
      if (bodies !== undefined) result["content"] = bodies;
      if (links.length > 0) {
        result["links"] = Object.fromEntries(
          links.map((each) => [each.name, this.json(each.node)]),
        );
      }
      found[status] = result;
    }
    return found;
  }

  private bodies(node: MapNode): JsonObject | undefined {
    const content = this.description.refs.map(node.get("content"));
    return content === undefined ? undefined : this.contentOf(content);
  }

  private swaggerBodies(own: JsonObject, content: readonly Media[]): JsonObject | undefined {
    if (content.length === 0) return undefined;
    const examples = objectOf(own["examples"]);
    return Object.fromEntries(
      content.map(({ type, schema }) => {
        const example = type === undefined ? undefined : examples[type];
        const written = { schema: schema === undefined ? {} : this.schemas.of(schema) };
        return [type ?? NO_TYPE, example === undefined ? written : { ...written, example }];
      }),
    );
  }

  private header(node: MapNode): JsonObject {
    const own = this.json(node);
    if (!this.isSwagger) return this.withSchemas(own, node);
    const rest = without(own, [...SCHEMA_KEYS, "collectionFormat"]);
    return { ...rest, schema: this.swaggerSchema(own, node) };
  }

  private callbacks({ callbacks }: Operation): JsonObject | undefined {
    if (callbacks.length === 0) return undefined;
    return Object.fromEntries(
      callbacks.map(({ name, operations }) => {
        const paths: Record<string, Record<string, Json>> = {};
        for (const each of operations) {
          const item = (paths[each.path] ??= {});
          item[each.method.toLowerCase()] = whole(this.of(each));
        }
        return [name, paths];
      }),
    );
  }
}

/** Stands where Swagger states no media type. */
const NO_TYPE = "*/*";

/** The operation object of OpenAPI 3.1. */
export function whole({ parameters, requestBody, responses, rest }: WrittenOperation): JsonObject {
  return {
    ...rest,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses,
  };
}
