/**
 * A file as the published schema of its version lets it be. Descriptions that are imported state
 * what no object of OpenAPI 3.1 has: members of older versions, and what never was right. All of it
 * stays, under `x-lacuna-kept` of the object in which it stood.
 */
import { isObject, type Json, type JsonObject } from "../../schemas/json.ts";
import { ownName } from "../../schemas/world.ts";
import { bodies } from "./bodies.ts";
import {
  at,
  externalDocs,
  general,
  info,
  type Objects,
  security,
  securityScheme,
  since32,
  type Version,
} from "./objects.ts";
import { type Fit, flag, judged, list, map, object, schema, text } from "./values.ts";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
/** A method that has no member of its own: RFC 9110, section 9.1. */
const METHOD = new RegExp(
  `^(?!(${[...METHODS, "query"].join("|").toUpperCase()})$)[0-9A-Za-z!#$%&'*+.^_\`|~-]+$`,
);
const NAME = /^[a-zA-Z0-9._-]+$/;
const STATUS = /^([1-5]([0-9]{2}|XX)|default)$/;

/** Responses, of which there is one at least. */
function responses(objects: Objects): Fit {
  const all = object({ members: {}, others: [STATUS, at(objects, "response")] });
  return (value) => {
    const found = all(value);
    const has = isObject(found.value) && Object.keys(found.value).some((one) => STATUS.test(one));
    return has ? found : { isWhole: false };
  };
}

function operations(objects: Objects, version: Version): Objects {
  const operation = at(objects, "operation");
  const own = Object.fromEntries(METHODS.map((one) => [one, operation]));
  const parameters = list(at(objects, "parameter"));
  const said = { summary: text, description: text };
  const { servers } = objects as { servers: Fit };
  return {
    callback: object({ members: {}, others: [/^/, at(objects, "path")], refers: true }),
    operation: object({
      members: {
        ...{ ...said, tags: list(text), externalDocs, operationId: text, parameters },
        ...{ requestBody: at(objects, "requestBody"), responses: responses(objects) },
        ...{ callbacks: map(at(objects, "callback")), deprecated: flag, security, servers },
      },
    }),
    path: object({
      members: {
        ...{ $ref: text, ...said, servers, parameters, ...own },
        ...since32(version, {
          query: operation,
          additionalOperations: map(operation, METHOD),
        }),
      },
    }),
  };
}

function components(objects: Objects, version: Version): Fit {
  const named = (fit: Fit): Fit => map(fit, NAME);
  return object({
    members: {
      schemas: named(schema),
      responses: named(at(objects, "response")),
      parameters: named(at(objects, "parameter")),
      examples: named(at(objects, "example")),
      requestBodies: named(at(objects, "requestBody")),
      headers: named(at(objects, "header")),
      securitySchemes: named(securityScheme(version)),
      links: named(at(objects, "link")),
      callbacks: named(at(objects, "callback")),
      pathItems: named(at(objects, "path")),
      ...since32(version, { mediaTypes: named(at(objects, "media")) }),
    },
  });
}

function fileOf(version: Version): Fit {
  const objects: Objects = general(version);
  Object.assign(objects, bodies(objects, version));
  Object.assign(objects, operations(objects, version));
  const { servers, tags } = objects as { servers: Fit; tags: Fit };
  return object({
    members: {
      ...{ openapi: text, info, jsonSchemaDialect: text, servers, security, tags, externalDocs },
      paths: object({ members: {}, others: [/^\//, at(objects, "path")] }),
      webhooks: map(at(objects, "path")),
      components: components(objects, version),
      ...since32(version, { $self: judged((one) => typeof one === "string" && !/#/.test(one)) }),
    },
  });
}

const files: Readonly<Record<Version, Fit>> = { "3.1": fileOf("3.1"), "3.2": fileOf("3.2") };

const SCHEMAS = "#/components/schemas/";

/** What is escaped wrongly leads nowhere, as it is. */
function unescaped(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

/** A reference to a schema by the name that it has among the components. */
function led(ref: string): string {
  const [token = "", ...path] = ref.slice(SCHEMAS.length).split("/");
  const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
  return [`${SCHEMAS}${ownName(unescaped(name))}`, ...path].join("/");
}

/** References to schemas as these are called in the file; what is kept has them as they were. */
function relinked(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(relinked);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, one]): [string, Json | undefined] => {
    if (one === undefined) return [name, one];
    const isOwn = name === "$ref" && typeof one === "string" && one.startsWith(SCHEMAS);
    return [name, isOwn ? led(one) : relinked(one)];
  });
  return Object.fromEntries(members);
}

/** Whether a schema is called otherwise than in the file that it comes from. */
function isRenamed({ components }: JsonObject): boolean {
  const schemas = isObject(components) ? components["schemas"] : undefined;
  return (
    isObject(schemas) &&
    Object.values(schemas).some((one) => isObject(one) && one["x-lacuna-name"] !== undefined)
  );
}

/** The file with what may not stand where it stood under `x-lacuna-kept` there. */
export function fitted(file: JsonObject, version: Version): JsonObject {
  const { value } = files[version](file);
  if (!isObject(value)) return file;
  return isRenamed(value) ? (relinked(value) as JsonObject) : value;
}
