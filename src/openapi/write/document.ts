/** A description as a document of nine parts: what it states, and every gap where it belongs. */
import type { Description, Requirement } from "../model/index.ts";
import type { Place } from "../tree/index.ts";
import { type AsyncParts, asyncParts, keptOf } from "./asyncapi.ts";
import {
  type EndpointsAbout,
  endpointOf,
  inDocument,
  isUnread,
  type WrittenEndpoint,
} from "./endpoint.ts";
import {
  isEmpty,
  type Json,
  type JsonObject,
  jsonOf,
  objectOf,
  plainOf,
  textOf,
  without,
} from "./json.ts";
import { KeptWriter } from "./kept.ts";
import { keep, OperationWriter, type WrittenOperation, whole as wholeOf } from "./operations.ts";
import { SchemaWriter } from "./schemas.ts";
import { hasNesting, isReadAsWritten } from "./styles.ts";
import { serversOf } from "./swagger.ts";
import { blockJson, headed, isCode, NameMaker, prose } from "./words.ts";

const TITLE_MAX = 120;
const PURPOSE_MAX = 1000;
const NAMES = { openapi: "OpenAPI", swagger: "Swagger", asyncapi: "AsyncAPI" } as const;

/** The document of nine parts for a description of an HTTP interface. */
export function documentOf(description: Description, file: string): string {
  const schemas = new SchemaWriter(description);
  const operations = new OperationWriter(description, schemas);
  const written = description.operations.map((each) => operations.of(each));
  const whole = objectOf(jsonOf(description.root, description.files));
  const info = objectOf(whole["info"]);
  const title = headed(plainOf(info["title"]) ?? "", TITLE_MAX) || "No title";
  const actors = new Actors();
  const format = bodyFormat(written);
  const about: EndpointsAbout = {
    bodyFormat: format,
    actorOf: (requirement) => actors.of(requirement),
    locator: ({ operation }) => locatorOf(description, file, operation.place),
    isReadAsWritten: (parameter, own) => isReadAsWritten(description, parameter, own),
  };
  const endpoints = endpointLines(written, operations.paths(), about);
  const locator = (place: Place): string => locatorOf(description, file, place);
  const parts = asyncParts({ description, schemas, locator });
  const kept = new KeptWriter(description, schemas);
  const components = kept.components();
  const own = { ...whole, ...kept.webhooks() };
  // Writing schemas can find references that lead nowhere: what is not read is listed behind them.
  const resources = resourceLines(description, schemas, file);
  const lines = [
    `# ${title}`,
    "",
    `> Imported from \`${codeOf(file)}\`, ${NAMES[description.kind]} ${description.version}. ` +
      `What that file does not state`,
    "> is recorded as not shown. Blocks `json openapi` keep what this language has no words for.",
    "",
    ...serviceLines(description, { whole: own, info, format, components }, parts),
    ...resources,
    "## States and transitions",
    "",
    "States and transitions: not shown.",
    "",
    ...endpoints.lines,
    ...(parts?.endpoints ?? []),
    ...accessLines(description, actors, file),
    "## Events",
    "",
    ...(parts?.events ?? ["Events, notifications and callbacks: not shown.", ""]),
    ...errorLines(endpoints.states),
    "## Limits",
    "",
    "Rate limits, size limits, time-outs and quotas: not shown.",
    "",
    ...versionLines(info, written.length > 0),
  ];
  return `${lines.join("\n")}`;
}

const codeOf = (text: string): string => text.replaceAll(/[`|\s]+/g, "_");

function locatorOf(
  { files }: Description,
  file: string,
  place: { file: number; start: number },
): string {
  const { line, column } = files.positionOf(place.file, place.start);
  const name = place.file === 0 ? file : (files.all[place.file]?.name ?? file);
  return `${codeOf(name)}:${line}:${column}`;
}

/** One JSON media type, where all bodies of requests and answers that are JSON have it. */
function bodyFormat(written: readonly WrittenOperation[]): string | undefined {
  const types = new Set<string>();
  for (const { requestBody, responses } of written) {
    const bodies = [requestBody, ...Object.values(responses)];
    for (const each of bodies) {
      for (const type of Object.keys(objectOf(objectOf(each)["content"]))) types.add(type);
    }
  }
  const [only] = types;
  return types.size === 1 && only !== undefined && /^application\/(\S+\+)?json$/.test(only)
    ? only
    : undefined;
}

/** The path that stands before every path; `undefined`: the file does not say, or says several. */
function basePath({ kind }: Description, whole: JsonObject): string | undefined {
  const path = (url: string): string | undefined => {
    if (/[{}?#]/.test(url)) return undefined;
    const found = /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/[^/]*)?(\/[^?#]*)?$/i.exec(url);
    return found === null ? undefined : (found[1] ?? "").replace(/\/+$/, "");
  };
  if (kind === "swagger") return path(textOf(whole["basePath"]) ?? "");
  const servers = whole["servers"];
  if (servers === undefined) return "";
  const all = (Array.isArray(servers) ? (servers as readonly Json[]) : []).map((each) =>
    path(textOf(objectOf(each)["url"]) ?? "{"),
  );
  const [first] = all;
  return all.length === 0 ? "" : all.every((each) => each === first) ? first : undefined;
}

const APART = ["paths", "components", "definitions", "securityDefinitions", "openapi", "swagger"];

/** References with members beside them, and what is not read, each with its place. */
function listedOf(description: Description): JsonObject {
  const { refs, files } = description;
  const at = (place: Place): string => locatorOf(description, files.all[0]?.name ?? "", place);
  const besides = [...refs.accompanied].map((node) => ({
    at: at(node),
    ...objectOf(jsonOf(node, files)),
  }));
  const problems = description.problems().toSorted((a, b) => a.place.start - b.place.start);
  const unread = problems.map(({ place, message }) => ({
    at: at(place),
    says: message.replaceAll("`", "'"),
  }));
  return {
    ...(besides.length === 0 ? {} : { "x-lacuna-beside-refs": besides }),
    ...(unread.length === 0 ? {} : { "x-lacuna-not-read": unread }),
  };
}

/** Members of the whole file that no section says. */
function rootOf(
  description: Description,
  whole: JsonObject,
  components: JsonObject,
): Record<string, Json> {
  const own: Record<string, Json> = { ...without(whole, APART), ...listedOf(description) };
  if (!isEmpty(components)) own["components"] = components;
  if (description.kind !== "swagger") return own;
  const servers = serversOf(whole);
  const rest = without(own, ["host", "basePath", "schemes"]);
  return servers === undefined ? own : { ...rest, servers };
}

interface About {
  readonly whole: JsonObject;
  readonly info: JsonObject;
  readonly format: string | undefined;
  /** Without schemas and schemes. */
  readonly components: JsonObject;
}

function serviceLines(
  description: Description,
  { whole, info, format, components }: About,
  parts: AsyncParts | undefined,
): string[] {
  const purpose = prose(textOf(info["description"]) ?? textOf(info["summary"]) ?? "", PURPOSE_MAX);
  const base = basePath(description, whole);
  const isPath = base !== undefined && /^(\/[A-Za-z0-9._~!$&'()*+,;=:@-]+)+$/.test(base);
  const bullet = base === "" ? "none" : isPath ? `\`${base}\`` : "not shown";
  const own = rootOf(description, whole, components);
  const kept = parts === undefined ? own : keptOf(whole);
  const hasEndpoints = description.operations.length > 0;
  return [
    "## What the service does",
    "",
    purpose === "" ? "Purpose: not shown." : purpose,
    "",
    ...(hasEndpoints
      ? [
          `- Base path: ${bullet}`,
          `- Body format: ${format === undefined ? "not shown" : `\`${format}\``}`,
          ...(hasNesting(description) ? ["- Nested names: not shown"] : []),
          "- Cross-origin: not shown",
        ]
      : ["Behaviour: not shown."]),
    "",
    ...(parts?.service ?? []),
    ...(isEmpty(kept) ? [] : blockJson("json openapi", kept)),
  ];
}

/** A keyword of JSON Schema that keeps values out besides their type. */
const CONSTRAINT =
  /"(required|enum|const|pattern|multipleOf|unique\w+|m(in|ax)\w+|exclusiveM(in|ax)imum)"\s*:/;

function resourceLines(description: Description, schemas: SchemaWriter, file: string): string[] {
  const all = schemas.all();
  const sections = all.flatMap(({ name, value, place, isFound }) => {
    const nameless = isFound ? ", where it has no name" : "";
    return [
      `### \`${name}\`, a schema`,
      "",
      `> From \`${locatorOf(description, file, place)}\`${nameless}.`,
      "",
      ...(value === undefined || isUnread(value)
        ? [
            "- Schema: not shown",
            "",
            ...(value === undefined ? [] : blockJson("json openapi", value)),
          ]
        : blockJson("json schema", inDocument(value))),
    ];
  });
  const text = sections.join("\n");
  const silent = [
    "Resources",
    ...(/"properties"\s*:/.test(text) ? [] : ["fields"]),
    ...(sections.length > 0 && /^\{\n/m.test(text) ? [] : ["types"]),
    ...(CONSTRAINT.test(text) ? [] : ["constraints"]),
  ];
  return ["## Resources and their fields", "", `${silent.join(", ")}: not shown.`, "", ...sections];
}

type States = readonly WrittenEndpoint["states"][];

const NO_ENDPOINTS = "Methods, paths, request payloads and response payloads: not shown.";

function endpointLines(
  written: readonly WrittenOperation[],
  items: JsonObject,
  about: EndpointsAbout,
): { lines: string[]; states: States } {
  const states: WrittenEndpoint["states"][] = [];
  const routes = new Set<string>();
  const shapes = new Map<string, string>();
  const lines: string[] = [];
  const kept: Record<string, Json> = { ...items };
  for (const each of written) {
    const endpoint = endpointOf(each, about);
    // Two paths that differ in the names of their parameters alone are one to a client.
    const [, shape = ""] = endpoint?.route.split(" ") ?? [];
    const isOther = endpoint !== undefined && (shapes.get(shape) ?? each.path) !== each.path;
    if (endpoint === undefined || routes.has(endpoint.route) || isOther) {
      const item = { ...objectOf(kept[each.path]) };
      keep(item, each.method, { ...wholeOf(each), ...securityOf(each) });
      kept[each.path] = item;
      continue;
    }
    shapes.set(shape, each.path);
    routes.add(endpoint.route);
    states.push(endpoint.states);
    lines.push(...endpoint.lines);
  }
  const block = isEmpty(kept) ? [] : blockJson("json openapi", { paths: kept });
  if (states.length === 0) {
    return { lines: ["## Endpoints", "", NO_ENDPOINTS, "", ...block], states };
  }
  const silent = [
    ...(states.some(({ request }) => request) ? [] : ["Request payloads: not shown.", ""]),
    ...(states.some(({ answer }) => answer) ? [] : ["Response payloads: not shown.", ""]),
  ];
  const order = ["### Every endpoint", "", "Order of checks: not shown.", ""];
  return { lines: ["## Endpoints", "", ...silent, ...block, ...order, ...lines], states };
}

/** Who may ask, as the operation itself would say it: it may stand at the file alone. */
function securityOf({ operation: { security } }: WrittenOperation): JsonObject {
  if (security === undefined) return {};
  const all = security.map((one) => one.map(({ scheme, scopes }) => [scheme, scopes] as const));
  return { security: all.map((one) => Object.fromEntries(one)) };
}

/** Who may ask: an actor for each requirement that operations state. */
class Actors {
  private readonly names = new NameMaker();
  private readonly known = new Map<string, string>();

  of(requirement: Requirement): string {
    const key = requirement
      .map(({ scheme, scopes }) => [scheme, ...scopes].join(" "))
      .toSorted()
      .join(" + ");
    const name = this.known.get(key) ?? this.names.of(key === "" ? "anyone" : key.slice(0, 200));
    this.known.set(key, name);
    return name;
  }

  rows(): string[] {
    return [...this.known].map(
      ([key, name]) => `| \`${name}\` | ${key === "" ? "always" : "not shown"} |`,
    );
  }
}

function accessLines(description: Description, actors: Actors, file: string): string[] {
  const rows = actors.rows();
  const table = rows.length === 0 ? [] : ["| Actor | Holds when |", "|---|---|", ...rows, ""];
  const { securitySchemes, files } = description;
  if (securitySchemes.length === 0) {
    const facets = "Authentication scheme, credentials, headers and token handling";
    return ["## Authentication", "", `${facets}: not shown.`, "", ...table];
  }
  const names = new NameMaker();
  const sections = securitySchemes.flatMap(({ name, node, place }) => {
    const own = names.of(name);
    const scheme = modernScheme(objectOf(jsonOf(node, files)));
    const said = own === name ? scheme : { ...scheme, "x-lacuna-name": name };
    return [
      `### \`${own}\`, a scheme`,
      "",
      `> From \`${locatorOf(description, file, place)}\`.`,
      "",
      `- Sent in: ${sentIn(scheme)}`,
      `- Credential: ${isBasic(scheme) ? "user name and password" : "not shown"}`,
      "- Caller: not shown",
      "- Revocation: not shown",
      "",
      // A file in AsyncAPI is kept in one piece, with schemes that OpenAPI does not know.
      ...(description.async === undefined ? blockJson("json openapi", said) : []),
    ];
  });
  return ["## Authentication", "", ...table, ...sections];
}

/** Swagger's schemes in the words of OpenAPI 3. */
function modernScheme(scheme: JsonObject): JsonObject {
  if (scheme["type"] === "basic") return { ...scheme, type: "http", scheme: "basic" };
  const flow = textOf(scheme["flow"]);
  if (scheme["type"] !== "oauth2" || flow === undefined) return scheme;
  const { authorizationUrl, tokenUrl, scopes = {} } = scheme;
  const name = { accessCode: "authorizationCode", application: "clientCredentials" }[flow] ?? flow;
  const own: Record<string, Json> = { scopes };
  if (authorizationUrl !== undefined) own["authorizationUrl"] = authorizationUrl;
  if (tokenUrl !== undefined) own["tokenUrl"] = tokenUrl;
  const rest = without(scheme, ["flow", "authorizationUrl", "tokenUrl", "scopes"]);
  return { ...rest, flows: { [name]: own } };
}

const isBasic = (scheme: JsonObject): boolean =>
  scheme["type"] === "http" && textOf(scheme["scheme"])?.toLowerCase() === "basic";

/** Where the credential is sent, as the bullet has it. */
function sentIn(scheme: JsonObject): string {
  if (isBasic(scheme)) return "HTTP Basic";
  if (scheme["type"] === "http" && textOf(scheme["scheme"])?.toLowerCase() === "bearer") {
    return "header `Authorization`, form `Bearer {credential}`";
  }
  const name = textOf(scheme["name"]) ?? "";
  const isKey = scheme["type"] === "apiKey" || scheme["type"] === "httpApiKey";
  if (!isKey || !isCode(name)) return "not shown";
  if (scheme["in"] === "header") return `header \`${name}\`, form \`{credential}\``;
  if (scheme["in"] === "query") return `query parameter \`${name}\``;
  return scheme["in"] === "cookie" ? `cookie \`${name}\`` : "not shown";
}

function errorLines(states: States): string[] {
  const facets = [
    "Error codes",
    ...(states.some(({ errorStatus }) => errorStatus) ? [] : ["status codes"]),
    ...(states.some(({ errorBody }) => errorBody) ? [] : ["error payloads"]),
  ];
  const table = ["| Failure | Error |", "|---|---|", "| every other failure | not shown |", ""];
  return [
    "## Errors",
    "",
    `${facets.join(", ")}: not shown.`,
    "",
    ...(states.length === 0 ? [] : [...table, "- Failures reported: not shown", ""]),
  ];
}

function versionLines(info: JsonObject, hasEndpoints: boolean): string[] {
  const version = plainOf(info["version"]) ?? "";
  const isStated = isCode(version);
  if (!isStated && !hasEndpoints) {
    return ["## Versioning", "", "Versioning scheme and compatibility rules: not shown.", ""];
  }
  return [
    "## Versioning",
    "",
    `- This version: ${isStated ? `\`${version}\`` : "not shown"}`,
    "- Chosen by: not shown",
    "",
    "Compatibility rules: not shown.",
    "",
  ];
}
