/** Parameters, bodies and answers of Swagger 2.0 in the words of OpenAPI 3.1. */
import type { Description, Media, Operation, Parameter } from "../model/index.ts";
import type { MapNode } from "../tree/index.ts";
import {
  isEmpty,
  type Json,
  type JsonObject,
  jsonOf,
  listOf,
  objectOf,
  textOf,
  without,
} from "./json.ts";
import type { SchemaWriter } from "./schemas.ts";
import { KEPT } from "./sound.ts";

/** Stands where no media type is stated. */
const NO_TYPE = "*/*";

/** Members of a parameter or header that are of its schema. */
const SCHEMA_KEYS = [
  ...["type", "format", "items", "default", "maximum", "exclusiveMaximum", "minimum"],
  ...["exclusiveMinimum", "maxLength", "minLength", "pattern", "maxItems", "minItems"],
  ...["uniqueItems", "enum", "multipleOf", "x-nullable", "example"],
];
const APART = [...SCHEMA_KEYS, "collectionFormat"];

/** Ways to write a list in a query or a form, in the words of OpenAPI 3. */
const COLLECTIONS: Readonly<Record<string, JsonObject>> = {
  csv: { style: "form", explode: false },
  ssv: { style: "spaceDelimited", explode: false },
  pipes: { style: "pipeDelimited", explode: false },
  multi: { style: "form", explode: true },
};

/** What is stated and OpenAPI 3 has no member for. */
const keptOf = (own: JsonObject): JsonObject => (isEmpty(own) ? {} : { "x-lacuna-swagger": own });

/** How a list stands in its place. */
function collected({ collectionFormat, type }: JsonObject, isQuery: boolean): JsonObject {
  const format = textOf(collectionFormat) ?? "csv";
  if (isQuery && type === "array" && Object.hasOwn(COLLECTIONS, format)) {
    return COLLECTIONS[format] ?? {};
  }
  return keptOf(collectionFormat === undefined ? {} : { collectionFormat });
}

/** Host, base path and schemes as servers; undefined where neither of the first is stated. */
export function serversOf(
  { host, basePath, schemes }: JsonObject,
  own: Json | undefined = schemes,
): Json | undefined {
  const [name, base] = [textOf(host), (textOf(basePath) ?? "").replace(/\/+$/, "")];
  if (name === undefined) return base === "" ? undefined : [{ url: base }];
  const words = listOf(own).flatMap((one) => textOf(one) ?? []);
  // Without a scheme it is the one that the description came by: Swagger 2.0, Swagger Object.
  const starts = words.length === 0 ? [""] : words.map((one) => `${one}:`);
  return starts.map((start) => ({ url: `${start}//${name}${base}` }));
}

/** Writes what is Swagger's own. */
export class SwaggerWriter {
  private readonly description: Description;
  private readonly schemas: SchemaWriter;
  private readonly host: JsonObject;

  constructor(description: Description, schemas: SchemaWriter) {
    this.description = description;
    this.schemas = schemas;
    const { root } = description;
    const said = ["host", "basePath", "schemes"].flatMap((name) => {
      const value = root.get(name);
      return value === undefined ? [] : [[name, jsonOf(value, description.files)] as const];
    });
    this.host = Object.fromEntries(said);
  }

  private json(node: MapNode): JsonObject {
    return objectOf(jsonOf(node, this.description.files));
  }

  parameter({ node, in: place }: Parameter): JsonObject {
    const own = this.json(node);
    const style = collected(own, place === "query");
    return { ...without(own, APART), ...style, schema: this.schema(own, node) };
  }

  header(node: MapNode): JsonObject {
    const own = this.json(node);
    return { ...without(own, APART), ...collected(own, false), schema: this.schema(own, node) };
  }

  /** The members of a parameter that are of its schema. */
  private schema(own: JsonObject, node: MapNode): Json {
    const written = objectOf(this.schemas.of(node));
    const keys = new Set([...SCHEMA_KEYS, "prefixItems"]);
    const ofSchema = (all: JsonObject): JsonObject =>
      Object.fromEntries(Object.entries(all).filter(([key]) => keys.has(key)));
    const kept = ofSchema(objectOf(written[KEPT]));
    const schema = { ...ofSchema(written), ...(isEmpty(kept) ? {} : { [KEPT]: kept }) };
    return Object.keys(own).length === 0 ? {} : schema;
  }

  body({ body }: Operation): JsonObject {
    const own = body?.node === undefined ? {} : this.json(body.node);
    const { description, schema: _, in: _in, required: _required, ...rest } = own;
    const media = body?.node === undefined ? this.form(body?.form ?? []) : this.media(body.content);
    const types = (body?.content ?? []).map(({ type }) => type ?? NO_TYPE);
    const isExtension = ([name]: [string, Json]): boolean => name.startsWith("x-");
    const others = Object.entries(rest).filter((one) => !isExtension(one));
    return {
      content: Object.fromEntries(types.map((type) => [type, media])),
      ...(description === undefined ? {} : { description }),
      ...(body?.required === true ? { required: true } : {}),
      ...Object.fromEntries(Object.entries(rest).filter(isExtension)),
      ...keptOf(Object.fromEntries(others)),
    };
  }

  private media(content: readonly Media[]): JsonObject {
    const schema = content[0]?.schema;
    return { schema: schema === undefined ? {} : this.schemas.of(schema) };
  }

  /** The form parameters as one schema, and how lists stand among them. */
  private form(parameters: readonly Parameter[]): JsonObject {
    const properties: Record<string, Json> = {};
    const encoding: Record<string, Json> = {};
    for (const { name, node } of parameters) {
      const own = this.json(node);
      const said = without(own, [...APART, "name", "in", "required", "allowEmptyValue"]);
      const { allowEmptyValue } = own;
      properties[name] = {
        ...objectOf(this.schema(own, node)),
        ...said,
        ...keptOf(allowEmptyValue === undefined ? {} : { allowEmptyValue }),
      };
      const style = collected(own, true);
      if (!isEmpty(style)) encoding[name] = style;
    }
    const required = parameters.filter((each) => each.required).map((each) => each.name);
    const schema = { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
    return isEmpty(encoding) ? { schema } : { schema, encoding };
  }

  /** The bodies of an answer, and examples that are of no such body. */
  bodies(own: JsonObject, content: readonly Media[]): JsonObject {
    const examples = objectOf(own["examples"]);
    const bodies = content.map(({ type, schema }): [string, Json] => {
      const example = type === undefined ? undefined : examples[type];
      const written = { schema: schema === undefined ? {} : this.schemas.of(schema) };
      return [type ?? NO_TYPE, example === undefined ? written : { ...written, example }];
    });
    const rest = without(
      examples,
      content.flatMap(({ type }) => type ?? []),
    );
    return {
      ...(bodies.length === 0 ? {} : { content: Object.fromEntries(bodies) }),
      ...keptOf(isEmpty(rest) ? {} : { examples: rest }),
    };
  }

  /** What of an operation OpenAPI 3 says in other words, or in none. */
  rest(own: JsonObject, { body, responses }: Operation): JsonObject {
    const { schemes, consumes, produces } = own;
    const rest = without(own, ["schemes", "consumes", "produces"]);
    const kept: Record<string, Json> = {};
    const isSent = responses.some(({ content }) => content.length > 0);
    // Media types are said with bodies: where there is none, they stand apart.
    if (consumes !== undefined && body === undefined) kept["consumes"] = consumes;
    if (produces !== undefined && !isSent) kept["produces"] = produces;
    const isHosted = schemes !== undefined && this.host["host"] !== undefined;
    const servers = isHosted ? serversOf(this.host, schemes) : undefined;
    if (schemes !== undefined && servers === undefined) kept["schemes"] = schemes;
    if (servers !== undefined) rest["servers"] = servers;
    return { ...rest, ...keptOf(kept) };
  }
}
