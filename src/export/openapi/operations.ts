/** Paths: endpoints and streams as Path Item Objects. */
import {
  deprecationOf,
  type Endpoint,
  type PathSegment,
  pathForm,
  pathSegments,
  pathText,
  type Stream,
  statedOf,
} from "../../plan/index.ts";
import type { Json, JsonObject } from "../schemas/json.ts";
import type { World } from "../schemas/world.ts";
import { parametersOf } from "./parameters.ts";
import { requestBodyOf } from "./request-body.ts";
import { responsesOf } from "./responses.ts";
import type { Sections } from "./sections.ts";
import { securityOf } from "./security.ts";

type Path = readonly PathSegment[];

/** The path as OpenAPI has it: a parameter that takes the rest is one like others. */
function keyOf(path: Path): string {
  return pathText(path).replaceAll("...}", "}");
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function words(text: string): string {
  return (text.match(/[A-Za-z0-9]+/g) ?? []).map(capital).join("");
}

/** A name made of method and path alone: `getArticlesBySlug`. */
function plainId(method: string, path: Path): string {
  const pieces = path.map((one) =>
    "literal" in one
      ? words(one.literal)
      : `${words(one.before ?? "")}By${words(one.param)}${words(one.after ?? "")}`,
  );
  return method.toLowerCase() + pieces.join("");
}

/** FNV-1a, 32 bits, in hex. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const unit of text) {
    hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash.toString(16).padStart(8, "0");
}

/** Names of operations: the same for the same method and path, whatever stands beside them. */
function idsOf(all: readonly { readonly method: string; readonly path: Path }[]) {
  const counts = new Map<string, number>();
  for (const { method, path } of all) {
    const id = plainId(method, path);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return (method: string, path: Path): string => {
    const id = plainId(method, path);
    return counts.get(id) === 1 ? id : `${id}_${hashOf(`${method} ${pathText(path)}`)}`;
  };
}

const METHODS = new Set(["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"]);

/** A stream is opened by a GET whose answer does not end. */
function streamOperation(w: World, stream: Stream, path: Path): JsonObject {
  const parameters = path.flatMap((one) =>
    "literal" in one
      ? []
      : [{ name: one.param, in: "path", required: true, schema: { type: "string" } }],
  );
  const resumes = statedOf(stream.resume) !== undefined;
  const last = { name: "Last-Event-ID", in: "header", schema: { type: "string" } };
  const all: Json[] = [...parameters, ...(resumes ? [last] : [])];
  return {
    ...(all.length === 0 ? {} : { parameters: all }),
    responses: {
      "200": {
        description: "OK",
        content: { "text/event-stream": { schema: { type: "string" } } },
      },
    },
    ...securityOf(w, stream.who),
    "x-lacuna-stream": stream.name,
  };
}

function deprecation(w: World, item: string): JsonObject {
  const row = deprecationOf(w.plan.versioning, item);
  return row === undefined ? {} : w.deprecated(row.item);
}

interface Operation {
  readonly method: string;
  readonly path: Path;
  /** `names`: what the parameters of the path are called. */
  readonly write: (names: readonly string[]) => JsonObject;
}

function endpointOperation(
  w: World,
  sections: Sections,
  responses: (endpoint: Endpoint) => JsonObject,
): (endpoint: Endpoint) => Operation {
  return (endpoint) => ({
    method: endpoint.method,
    path: endpoint.path,
    write: (names) => ({
      summary: endpoint.title ?? `${endpoint.method} ${pathText(endpoint.path)}`,
      ...deprecation(w, `${endpoint.method} ${pathText(endpoint.path)}`),
      ...parametersOf(w, endpoint, names),
      ...requestBodyOf(w, endpoint),
      ...responses(endpoint),
      ...securityOf(w, endpoint.who),
      ...sections.of(endpoint.id),
    }),
  });
}

function streamsOf(w: World, sections: Sections): Operation[] {
  return w.plan.streams.flatMap((stream): Operation[] => {
    const stated = statedOf(stream.path);
    if (stated === undefined) return [];
    const path = pathSegments(stated.replace(/^[A-Z]+ /, "")).flatMap((one) => one ?? []);
    const write = (): JsonObject => ({
      summary: stream.name,
      ...deprecation(w, stream.name),
      ...streamOperation(w, stream, path),
      ...sections.of(stream.id),
    });
    return [{ method: "GET", path, write }];
  });
}

/** All paths; parameters are called as the first endpoint with a path's form calls them. */
export function pathsOf(w: World, sections: Sections): JsonObject {
  const operation = endpointOperation(w, sections, responsesOf(w));
  const all = [...w.plan.endpoints.map(operation), ...streamsOf(w, sections)];
  const idOf = idsOf(all);
  const byForm = new Map<string, { readonly path: Path; readonly item: Record<string, Json> }>();
  for (const { method, path, write } of all) {
    const form = pathForm(path).replaceAll("...}", "}");
    const found = byForm.get(form) ?? { path, item: {} };
    byForm.set(form, found);
    const names = found.path.flatMap((one) => ("param" in one ? [one.param] : []));
    const written = { operationId: idOf(method, path), ...write(names) };
    if (METHODS.has(method)) {
      found.item[method.toLowerCase()] ??= written;
      if (found.item[method.toLowerCase()] === written) continue;
    }
    // A method of its own name, or a second endpoint whose path takes the rest.
    const others = (found.item["x-lacuna-operations"] ?? {}) as JsonObject;
    found.item["x-lacuna-operations"] = { ...others, [`${method} ${pathText(path)}`]: written };
  }
  return Object.fromEntries([...byForm.values()].map(({ path, item }) => [keyOf(path), item]));
}
