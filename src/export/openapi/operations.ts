/** Paths: endpoints and streams as Path Item Objects. */
import {
  deprecationOf,
  type Endpoint,
  endpointOfStream,
  type PathSegment,
  pathForm,
  pathSegments,
  pathText,
  type Stream,
  statedOf,
} from "../../plan/index.ts";
import { isObject, type Json, type JsonObject } from "../schemas/json.ts";
import { ownName, type World } from "../schemas/world.ts";
import type { ExportOptions } from "../types.ts";
import { operationWith, PATH, responsesWith } from "./merge.ts";
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
function streamOperation(stream: Stream, path: Path): JsonObject {
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
    "x-lacuna-stream": stream.name,
  };
}

function deprecation(w: World, item: string): JsonObject {
  const row = deprecationOf(w.plan.versioning, item);
  return row === undefined ? {} : w.deprecated(row.item);
}

/** What operations are written with. */
export interface Writing {
  readonly w: World;
  readonly sections: Sections;
  readonly version: ExportOptions["openapi"];
}

interface Operation {
  readonly method: string;
  readonly path: Path;
  /** The path as a file has it that the document was imported from. */
  readonly imported?: string | undefined;
  /** `names`: what the parameters of the path are called. */
  readonly write: (names: readonly string[]) => JsonObject;
}

/** The answer that opens a stream. */
const OPENED: JsonObject = {
  description: "OK",
  content: { "text/event-stream": { schema: { type: "string" } } },
};

function endpointOperation(
  { w, sections }: Writing,
  { shared, responses }: Answering,
): (endpoint: Endpoint) => Operation {
  return (endpoint) => {
    const { id, method, path, title } = endpoint;
    const over = w.kept.of(id);
    const imported = over[PATH];
    const write = (names: readonly string[]): JsonObject => {
      const own = {
        summary: title ?? `${method} ${pathText(path)}`,
        ...deprecation(w, `${method} ${pathText(path)}`),
        ...parametersOf(w, endpoint, names),
        ...requestBodyOf(w, endpoint),
        ...responses.of(endpoint),
        ...securityOf(w, endpoint.who),
      };
      const whole = operationWith(own, over);
      const examples = w.kept.examplesOf(id);
      const answers = isObject(whole["responses"]) ? whole["responses"] : {};
      const format = statedOf(w.plan.about.bodyFormat);
      return {
        ...whole,
        ...shared.in({ responses: responsesWith(answers, examples, format) }),
        ...sections.of(id),
      };
    };
    return { method, path, write, ...(typeof imported === "string" ? { imported } : {}) };
  };
}

/** What the answers of all operations are made with. */
interface Answering {
  readonly shared: Shared;
  readonly responses: ReturnType<typeof responsesOf>;
}

/** What opening a stream may be answered with. */
function streamAnswers(stream: Stream, { shared, responses }: Answering): JsonObject {
  const [endpoint] = endpointOfStream(stream);
  if (endpoint === undefined) return { responses: { "200": OPENED } };
  const { responses: others, ...gaps } = responses.of(endpoint);
  const all = isObject(others) ? others : {};
  return { ...shared.in({ responses: { ...all, "200": OPENED } }), ...gaps };
}

function streamsOf({ w, sections }: Writing, answering: Answering): Operation[] {
  return w.plan.streams.flatMap((stream): Operation[] => {
    const stated = statedOf(stream.path);
    if (stated === undefined) return [];
    const path = pathSegments(stated.replace(/^[A-Z]+ /, "")).flatMap((one) => one ?? []);
    const write = (): JsonObject => ({
      summary: stream.name,
      ...deprecation(w, stream.name),
      ...streamOperation(stream, path),
      ...streamAnswers(stream, answering),
      ...securityOf(w, stream.who),
      ...sections.of(stream.id),
    });
    return [{ method: "GET", path, write }];
  });
}

/** Names of the parameters of a path as OpenAPI writes it. */
function namesIn(path: string): string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name ?? "");
}

/** The member that holds operations of a method which a Path Item Object does not name. */
function methodMember(method: string, version: ExportOptions["openapi"]): string | undefined {
  if (METHODS.has(method)) return method.toLowerCase();
  return version === "3.2" && method === "QUERY" ? "query" : undefined;
}

/** Responses that stand among the components, each where an operation has it as it is there. */
class Shared {
  readonly #names = new Map<string, string>();
  readonly #used = new Map<string, JsonObject>();

  add(name: string, response: JsonObject): void {
    this.#names.set(JSON.stringify(response), name);
  }

  /** The same with references. */
  in({ responses }: { readonly responses: JsonObject }): JsonObject {
    const all = Object.entries(responses).map(([status, one]): [string, Json | undefined] => {
      const name = this.#names.get(JSON.stringify(one));
      if (name === undefined || !isObject(one)) return [status, one];
      this.#used.set(name, one);
      return [status, { $ref: `#/components/responses/${name}` }];
    });
    return all.length === 0 ? {} : { responses: Object.fromEntries(all) };
  }

  /** Those that something refers to, by their names. */
  get used(): JsonObject {
    return Object.fromEntries([...this.#used].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

interface Paths {
  readonly paths: JsonObject;
  /** What they refer to among the components. */
  readonly responses: JsonObject;
}

/** All paths; parameters are called as the first endpoint with a path's form calls them. */
export function pathsOf(writing: Writing): Paths {
  const shared = new Shared();
  const responses = responsesOf(writing.w);
  for (const [name, one] of responses.errors) shared.add(ownName(name), one);
  const answering = { shared, responses };
  const operation = endpointOperation(writing, answering);
  const all = [...writing.w.plan.endpoints.map(operation), ...streamsOf(writing, answering)];
  const idOf = idsOf(all);
  const byForm = new Map<string, { readonly key: string; readonly item: Record<string, Json> }>();
  for (const { method, path, imported, write } of all) {
    const form = pathForm(path).replaceAll("...}", "}");
    const found = byForm.get(form) ?? { key: imported ?? keyOf(path), item: {} };
    byForm.set(form, found);
    const written = { operationId: idOf(method, path), ...write(namesIn(found.key)) };
    const member = methodMember(method, writing.version);
    if (member !== undefined) {
      found.item[member] ??= written;
      if (found.item[member] === written) continue;
    }
    // A method of its own name, or a second endpoint whose path takes the rest.
    const others = (found.item["x-lacuna-operations"] ?? {}) as JsonObject;
    found.item["x-lacuna-operations"] = { ...others, [`${method} ${pathText(path)}`]: written };
  }
  const paths = Object.fromEntries([...byForm.values()].map(({ key, item }) => [key, item]));
  return { paths, responses: shared.used };
}
