/** Operations of every dialect in the words of OpenAPI 3.1, references followed. */
import {
  type Description,
  type Media,
  methodsOf,
  type Operation,
  type Parameter,
} from "../model/index.ts";
import type { MapNode, Node } from "../tree/index.ts";
import { isEmpty, type Json, type JsonObject, jsonOf, objectOf, textOf, without } from "./json.ts";
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
  /** Members of a path that stand at its operations. */
  private readonly ofOperations: readonly string[];

  constructor(description: Description, schemas: SchemaWriter) {
    this.description = description;
    this.schemas = schemas;
    this.isSwagger = description.kind === "swagger";
    const isLater = description.version.startsWith("3.2");
    this.ofOperations = [
      ...[...methodsOf(description), "parameters", "$ref"],
      ...(isLater ? ["additionalOperations"] : []),
    ];
  }

  of(operation: Operation): WrittenOperation {
    const { method, path, node, parameters, body } = operation;
    const apart = ["parameters", "requestBody", "responses", "consumes", "produces", "callbacks"];
    const requestBody = body === undefined ? undefined : this.body(operation);
    const callbacks = this.callbacks(operation);
    const own = this.json(node);
    const rest = { ...without(own, apart), ...this.unsaid(operation, own) };
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

  /** Media types that a Swagger operation states of bodies that it does not have. */
  private unsaid({ body, responses }: Operation, own: JsonObject): JsonObject {
    if (!this.isSwagger) return {};
    const isAnswered = responses.some(({ content }) => content.length > 0);
    const said = [
      ...(body === undefined ? [] : ["consumes"]),
      ...(isAnswered ? ["produces"] : []),
      ...Object.keys(own).filter((name) => name !== "consumes" && name !== "produces"),
    ];
    return keptOf(without(own, said));
  }

  /** What paths, callbacks or webhooks state beside their operations, by path. */
  items(owner: MapNode | undefined): Record<string, Json> {
    const found: Record<string, Json> = {};
    owner?.keys.forEach((name, index) => {
      const value = owner.values[index] as Node;
      const item = this.description.refs.map(value);
      if (name.startsWith("x-")) found[name] = jsonOf(value, this.description.files);
      else if (item !== undefined) {
        const own = without(this.json(item), this.ofOperations);
        const later = Object.entries(own).filter(([member]) => LATER.has(member));
        const stated = without(own, [...LATER]);
        if (later.length > 0) stated["x-lacuna-ignored"] = Object.fromEntries(later);
        if (!isEmpty(stated)) found[name] = stated;
      }
    });
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
    const said = fits && style !== undefined ? style : unstyled(own);
    return { ...rest, ...said, schema: this.swaggerSchema(own, each.node) };
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
    const result: Record<string, Json> = { content };
    if (body?.required === true) result["required"] = true;
    if (body?.node === undefined) return result;
    const { description, schema: _, in: _in, required: _required, ...own } = this.json(body.node);
    const extensions = Object.entries(own).filter(([name]) => name.startsWith("x-"));
    const others = Object.entries(own).filter(([name]) => !name.startsWith("x-"));
    if (description !== undefined) result["description"] = description;
    return { ...result, ...Object.fromEntries(extensions), ...keptOf(Object.fromEntries(others)) };
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
      const apart = [...SCHEMA_KEYS, "collectionFormat", "name", "in", "required"];
      const rest = { ...without(own, apart), ...unstyled(own) };
      properties[name] = { ...objectOf(this.swaggerSchema(own, node)), ...rest };
    }
    const required = parameters.filter((each) => each.required).map((each) => each.name);
    return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
  }

  private responses(operation: Operation): JsonObject {
    const found: Record<string, Json> = {};
    const all = this.description.refs.map(operation.node.get("responses"));
    for (const [name, value] of Object.entries(all === undefined ? {} : this.json(all))) {
      if (name.startsWith("x-")) found[name] = value;
    }
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
      if (this.isSwagger) Object.assign(result, this.unsaidExamples(own, bodies));
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

  /** Examples of media types that the operation does not produce. */
  private unsaidExamples(own: JsonObject, bodies: JsonObject | undefined): JsonObject {
    const left = without(objectOf(own["examples"]), Object.keys(bodies ?? {}));
    return keptOf(isEmpty(left) ? {} : { examples: left });
  }

  private header(node: MapNode): JsonObject {
    const own = this.json(node);
    if (!this.isSwagger) return this.withSchemas(own, node);
    const rest = without(own, [...SCHEMA_KEYS, "collectionFormat"]);
    return { ...rest, ...unstyled(own), schema: this.swaggerSchema(own, node) };
  }

  private callbacks({ node, callbacks }: Operation): JsonObject | undefined {
    if (callbacks.length === 0) return undefined;
    const { refs } = this.description;
    const all = refs.map(node.get("callbacks"));
    return Object.fromEntries(
      callbacks.map(({ name, operations }) => {
        const paths = this.items(refs.map(all?.get(name)));
        for (const each of operations) {
          const item = { ...objectOf(paths[each.path]) };
          keep(item, each.method, whole(this.of(each)));
          paths[each.path] = item;
        }
        return [name, paths];
      }),
    );
  }
}

const OWN_MEMBERS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/** Names that are operations in a later version than the file's. */
const LATER: ReadonlySet<string> = new Set([...OWN_MEMBERS, "additionalOperations"]);

/** Puts an operation into a path: as its own member, or among `additionalOperations` (3.2). */
export function keep(item: Record<string, Json>, method: string, operation: JsonObject): void {
  const own = method.toLowerCase();
  if (OWN_MEMBERS.includes(own)) item[own] = operation;
  else {
    const others = objectOf(item["additionalOperations"]);
    item["additionalOperations"] = { ...others, [method]: operation };
  }
}

/** What Swagger states and OpenAPI 3 has no member for. */
const keptOf = (own: JsonObject): JsonObject => (isEmpty(own) ? {} : { "x-lacuna-swagger": own });

/** A way to write a list that stands where OpenAPI 3 has no style for it. */
function unstyled({ collectionFormat }: JsonObject): JsonObject {
  return keptOf(collectionFormat === undefined ? {} : { collectionFormat });
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
