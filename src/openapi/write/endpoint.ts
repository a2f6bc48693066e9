/** One operation as the section of an endpoint, and what of it the language has no words for. */
import type { Parameter, Requirement } from "../model/index.ts";
import {
  isEmpty,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  objectOf,
  textOf,
  without,
} from "./json.ts";
import type { WrittenOperation } from "./operations.ts";
import { COMPONENTS, LISTS, MAPS, SINGLE } from "./schemas.ts";
import { KEPT } from "./sound.ts";
import { blockJson, inlineJson, isCode, NameMaker, plainWords } from "./words.ts";

/** What the endpoints of one document have in common. */
export interface EndpointsAbout {
  /** The media type of every body, where there is one for all. */
  readonly bodyFormat: string | undefined;
  /** The name of the actor for a requirement. */
  actorOf(requirement: Requirement): string;
  /** `file:line:column`. */
  locator(operation: WrittenOperation): string;
  /** Whether a service reads the parameter as the file says. */
  isReadAsWritten(parameter: Parameter, own: JsonObject): boolean;
}

/** `schema `Pet`` for a reference to a named schema, else the schema itself; `undefined`: any. */
function typeOf(schema: Json | undefined): string | undefined {
  if (schema === undefined || (isObject(schema) && isEmpty(schema)) || schema === true) {
    return undefined;
  }
  if (isUnread(schema)) return undefined;
  const ref = isObject(schema) && Object.keys(schema).length === 1 ? textOf(schema["$ref"]) : "";
  const name = ref?.startsWith(COMPONENTS) === true ? nameIn(ref) : undefined;
  if (name !== undefined && isCode(name) && !name.startsWith("{")) return `schema \`${name}\``;
  return `schema \`${inlineJson(isObject(schema) ? inDocument(schema) : { not: {} })}\``;
}

/** Whether a schema is a reference to what is not read. */
export const isUnread = (schema: Json): boolean =>
  isObject(schema) &&
  Object.keys(schema).length === 1 &&
  objectOf(schema[KEPT])["$ref"] !== undefined;

const SCALARS: readonly Json[] = ["string", "integer", "number", "boolean"];
const NOTES = new Set(["title", "description", "format", "example", "examples", "deprecated"]);

/** A schema of a scalar type, and nothing else that is judged, as a type of the language. */
function scalarOf(schema: Json | undefined): { type: string; rest: JsonObject } | undefined {
  const { type, ...rest } = objectOf(schema) as Record<string, Json>;
  const isNoted = Object.keys(rest).every((key) => NOTES.has(key) || key.startsWith("x-"));
  if (type === undefined || !SCALARS.includes(type) || !isNoted) return undefined;
  return rest["x-lacuna-kept"] === undefined ? { type: String(type), rest } : undefined;
}

/** The name of the schema that a reference names whole. */
function nameIn(ref: string): string | undefined {
  const token = ref.slice(COMPONENTS.length);
  if (token.includes("/")) return undefined;
  try {
    return decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return undefined;
  }
}

/** References to named schemas as a document has them: `#/$defs/Pet`. */
export function inDocument(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const moved = (key: string, value: Json): Json => {
    if (key === "$ref" && typeof value === "string" && value.startsWith(COMPONENTS)) {
      return `#/$defs/${value.slice(COMPONENTS.length)}`;
    }
    if (SINGLE.includes(key)) return inDocument(value);
    if (LISTS.includes(key)) return listOf(value).map(inDocument);
    if (!MAPS.includes(key) || !isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inDocument(one)]));
  };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, moved(key, value)]));
}

/** Parts of a path that the language has: text, or one parameter with text around it. */
const SEGMENT = /^[A-Za-z0-9._~!$&'()*+,;=:@-]*(\{[^{}/]+\}[A-Za-z0-9._~!$&'()*+,;=:@-]*)?$/;

/** Texts between slashes that are none of a path, or that others take for a parameter. */
const NO_SEGMENT = /^(:|\.\.?$)/;

/** The path with its parameters by names, or undefined where no heading can have it. */
function pathOf(
  path: string,
  names: NameMaker,
): { path: string; renamed: Map<string, string> } | undefined {
  if (!path.startsWith("/")) return undefined;
  const renamed = new Map<string, string>();
  const segments = path.split("/").slice(1);
  if (segments.some((each, at) => each === "" && at < segments.length - 1)) return undefined;
  if (!segments.every((each) => SEGMENT.test(each) && !NO_SEGMENT.test(each))) return undefined;
  let isTwice = false;
  const written = path.replaceAll(/\{([^{}]+)\}/g, (_all, name: string) => {
    if (renamed.has(name)) isTwice = true;
    const own = names.of(name);
    renamed.set(name, own);
    return `{${own}}`;
  });
  return isTwice ? undefined : { path: written, renamed };
}

const METHODS = new Set(["GET", "HEAD", "PUT", "POST", "DELETE", "PATCH", "QUERY"]);

/** Which facets an endpoint states. */
interface Stated {
  readonly request: boolean;
  readonly answer: boolean;
  readonly errorStatus: boolean;
  readonly errorBody: boolean;
}

/** An endpoint as written; `undefined`: the language has no words for its method or path. */
export interface WrittenEndpoint {
  readonly states: Stated;
  /** Method and path with every parameter alike: two endpoints may not share it. */
  readonly route: string;
  readonly lines: readonly string[];
}

/** Writes one endpoint. */
export function endpointOf(
  written: WrittenOperation,
  about: EndpointsAbout,
): WrittenEndpoint | undefined {
  const { method } = written;
  const parameterNames = new NameMaker();
  const placed = METHODS.has(method) ? pathOf(written.path, parameterNames) : undefined;
  if (placed === undefined) return undefined;
  const kept: Record<string, Json> = { ...written.rest };
  if (placed.path !== written.path) kept["x-lacuna-path"] = written.path;
  const summary = textOf(kept["summary"]);
  const title = summary === undefined ? undefined : plainWords(summary);
  if (title !== undefined) delete kept["summary"];
  const inputs = inputLines(written, placed.renamed, { about, kept });
  const body = bodyLines(written, about, kept);
  const answers = answerLines(written, kept);
  const heading = `### \`${method} ${placed.path}\`${title === undefined ? "" : `: ${title}`}`;
  return {
    states: {
      ...answers.states,
      request: inputs.length > 0 || body.some((line) => /^- Body: (?!not shown)/.test(line)),
    },
    route: `${method} ${placed.path.replaceAll(/\{[^{}]*\}/g, "{}")}`,
    lines: [
      heading,
      "",
      `> From \`${about.locator(written)}\`.`,
      "",
      whoLine(written, about, kept),
      ...body,
      "",
      ...inputs,
      ...answers.lines,
      "1. What it does: not shown.",
      "",
      ...answers.examples,
      ...(isEmpty(kept) ? [] : blockJson("json openapi", kept)),
    ],
  };
}

function whoLine(
  { operation }: WrittenOperation,
  about: EndpointsAbout,
  kept: Record<string, Json>,
): string {
  const { security } = operation;
  if (security === undefined) return "- Who: not shown";
  delete kept["security"];
  if (security.length === 0) return "- Who: none";
  kept["security"] = security.map((each) =>
    Object.fromEntries(each.map(({ scheme, scopes }) => [scheme, scopes])),
  );
  const actors = new Set(security.map((each) => `\`${about.actorOf(each)}\``));
  return `- Who: ${[...actors].join(" or ")}`;
}

const PLACES = new Set(["path", "query", "header", "cookie"]);

/** The input table; what stands in no cell of it is kept. */
function inputLines(
  { parameters, operation }: WrittenOperation,
  renamed: ReadonlyMap<string, string>,
  { about, kept }: { about: EndpointsAbout; kept: Record<string, Json> },
): string[] {
  const models = new Map(operation.parameters.map((each) => [`${each.in} ${each.name}`, each]));
  const makers = new Map(
    [...PLACES].map((place) => [place, new NameMaker(place === "path" ? renamed.values() : [])]),
  );
  const extra: Record<string, Json> = {};
  const rows: string[] = [];
  for (const parameter of parameters) {
    const name = textOf(parameter["name"]) ?? "";
    const where = textOf(parameter["in"]) ?? "";
    const cell = inputName({ name, where }, renamed, makers);
    if (cell === undefined) {
      extra[`${where} ${name}`] = parameter;
      continue;
    }
    const { schema, required, ...more } = without(parameter, ["name", "in"]);
    const model = models.get(`${where} ${name}`);
    // How a value is written is part of what it is.
    const isRead = model === undefined || about.isReadAsWritten(model, parameter);
    const scalar = isRead ? scalarOf(schema) : undefined;
    const type = scalar?.type ?? (isRead ? typeOf(schema) : undefined);
    if (scalar !== undefined && !isEmpty(scalar.rest)) more["schema"] = scalar.rest;
    if (type === undefined && schema !== undefined) more["schema"] = schema;
    const needed = required === true || where === "path" ? "yes" : "no";
    rows.push(`| ${cell} | ${where} | ${type ?? "not shown"} | ${needed} | none |`);
    if (!isEmpty(more)) extra[`${where} ${name}`] = more;
  }
  if (!isEmpty(extra)) kept["parameters"] = extra;
  if (rows.length === 0) return [];
  return ["| Input | In | Type | Needed | Rules |", "|---|---|---|---|---|", ...rows, ""];
}

/** The Input cell: the name in expressions and the one that is sent; undefined: it has none. */
function inputName(
  { name, where }: { name: string; where: string },
  renamed: ReadonlyMap<string, string>,
  makers: ReadonlyMap<string, NameMaker>,
): string | undefined {
  const maker = makers.get(where);
  if (maker === undefined || !isCode(name)) return undefined;
  if (where === "path") {
    const own = renamed.get(name);
    return own === undefined ? undefined : `\`${own}\``;
  }
  if (where === "header") return /^[A-Za-z][A-Za-z0-9_-]*$/.test(name) ? `\`${name}\`` : undefined;
  const own = maker.of(name);
  return own === name ? `\`${name}\`` : `\`${own}\`, sent as \`${name}\``;
}

const JSON_TYPE = /^application\/([A-Za-z0-9.!#$&^_-]+\+)?json$/;

/** The Body bullet and the Body format; what they do not say is kept. */
function bodyLines(
  { requestBody, method }: WrittenOperation,
  about: EndpointsAbout,
  kept: Record<string, Json>,
): string[] {
  if (requestBody === undefined) {
    return ["POST", "PUT", "PATCH"].includes(method) ? ["- Body: not shown"] : [];
  }
  const { content, ...more } = requestBody as Record<string, Json>;
  const media = Object.entries(objectOf(content));
  const [type, only] = media.length === 1 ? (media[0] as [string, Json]) : [undefined, undefined];
  const schema = objectOf(only)["schema"];
  const written = type !== undefined && JSON_TYPE.test(type) ? typeOf(schema) : undefined;
  if (written === undefined || type === undefined || more["required"] !== true) {
    kept["requestBody"] = requestBody;
    return ["- Body: not shown"];
  }
  delete more["required"];
  const rest = without(objectOf(only), ["schema"]);
  if (!isEmpty(rest)) more["content"] = { [type]: rest };
  if (!isEmpty(more)) kept["requestBody"] = more;
  const format = type === about.bodyFormat ? [] : [`- Body format: \`${type}\``];
  return [`- Body: ${written}`, ...format];
}

/** `200` → `200`, `4XX` → `4xx`, `default` → `any other`. */
function answerOf(status: string): string | undefined {
  if (status === "default") return "any other";
  if (/^[1-5]XX$/i.test(status)) return status.toLowerCase();
  return /^[2-5]\d\d$/.test(status) ? status : undefined;
}

/** The table of answers and examples of them; what they do not say is kept. */
function answerLines(
  { responses, operation }: WrittenOperation,
  kept: Record<string, Json>,
): { lines: string[]; examples: string[]; states: Omit<Stated, "request"> } {
  const rows: string[] = [];
  const examples: string[] = [];
  const extra: Record<string, Json> = {};
  // Swagger may leave open which media types its operations produce.
  const isTyped = !operation.responses.some(({ content: [first] }) => first && !first.type);
  const states = { answer: false, errorBody: false, errorStatus: false };
  for (const [status, each] of Object.entries(responses)) {
    const answer = answerOf(status);
    const response = objectOf(each);
    if (answer === undefined) {
      extra[status] = each;
      continue;
    }
    if (/^[45]/.test(answer)) states.errorStatus = true;
    const { description, content, ...more } = response as Record<string, Json>;
    const words = plainWords(textOf(description) ?? "");
    if (words === undefined && description !== undefined) more["description"] = description;
    const meaning = words ?? "none";
    const media = Object.entries(objectOf(content));
    const own: Record<string, Json> = {};
    for (const [type, one] of media) {
      const { schema, ...rest } = objectOf(one) as Record<string, Json>;
      const written = typeOf(schema);
      if (written === undefined && schema !== undefined) rest["schema"] = schema;
      const cell = isTyped && isCode(type) ? `\`${type}\`` : "not shown";
      if (cell === "not shown" && schema !== undefined) rest["schema"] = schema;
      rows.push(`| ${answer} | ${cell} | ${written ?? "not shown"} | ${meaning} |`);
      if (!isEmpty(rest)) own[type] = rest;
      if (written !== undefined && /^(2|any)/.test(answer)) states.answer = true;
      if (written !== undefined && /^([45]|any)/.test(answer)) states.errorBody = true;
      if (/^[2-5]\d\d$/.test(status)) examples.push(...exampleLines([status, type], objectOf(one)));
    }
    if (media.length === 0)
      rows.push(
        `| ${answer} | ` +
          `${NO_BODY.has(status) ? "none" : "not shown"} | ` +
          `${NO_BODY.has(status) ? "none" : "not shown"} | ${meaning} |`,
      );
    if (!isEmpty(own)) more["content"] = own;
    if (!isEmpty(more)) extra[status] = more;
  }
  // What is listed need not be all that comes: OpenAPI 3.1.1, Responses Object.
  if (responses["default"] === undefined) rows.push("| any other | not shown | not shown | none |");
  if (!isEmpty(extra)) kept["responses"] = extra;
  const head = ["| Answer | Media type | Body | Meaning |", "|---|---|---|---|"];
  return { lines: rows.length === 0 ? [] : [...head, ...rows, ""], examples, states };
}

/** Statuses whose answers have no body: RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5. */
const NO_BODY = new Set(["204", "205", "304"]);

/** The examples of one media type of an answer. */
function exampleLines([status, type]: readonly [string, string], media: JsonObject): string[] {
  if (!JSON_TYPE.test(type)) return [];
  const found: [name: string, value: Json][] = [];
  if (media["example"] !== undefined) found.push(["", media["example"]]);
  for (const [name, each] of Object.entries(objectOf(media["examples"]))) {
    const value = objectOf(each)["value"];
    if (value !== undefined) found.push([name, value]);
  }
  return found.flatMap(([name, value]) => {
    const words = name.replaceAll(/[^A-Za-z0-9._-]+/g, "-");
    return blockJson(`json example ${status} ${type} ${words}`.trim(), value);
  });
}
