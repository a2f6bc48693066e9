/** Takes what a user writes for an endpoint, gives the endpoint of the service that it names. */
import {
  type Endpoint,
  isStated,
  type Nowhere,
  paramIn,
  pathText,
  type Service,
} from "../../plan/index.ts";

/** The endpoint as the document writes it: `GET /todos/{id}`. */
export function nameOf(endpoint: Endpoint): string {
  return `${endpoint.method} ${pathText(endpoint.path)}`;
}

const plain = (name: string): string =>
  name
    .trim()
    .replace(/\s+/g, " ")
    .replaceAll(/\{[^}]*\}/g, "{}")
    .replace(/(?<=\S)\/$/, "");

const segments = (path: string): string[] =>
  path
    .replace(/[?#].*$/, "")
    .split("/")
    .filter((part) => part !== "");

/** Written segments that are the endpoint's own; -1: the path is another. */
function literals(endpoint: Endpoint, path: readonly string[]): number {
  const own = endpoint.path.filter((one) => !("literal" in one && one.literal === ""));
  const rest = own.at(-1);
  const hasRest = rest !== undefined && "rest" in rest;
  if (hasRest ? own.length > path.length : own.length !== path.length) return -1;
  const fits = own.every((part, i) => {
    if ("literal" in part) return part.literal === path[i];
    return part.rest || paramIn(part, path[i] ?? "") !== undefined;
  });
  return fits ? own.filter((part) => "literal" in part).length : -1;
}

/** Why a request, method and path, belongs to no endpoint; undefined: it is no request. */
export function nowhereOf(service: Service, wanted: string): Nowhere | undefined {
  const [word = "", ...rest] = wanted.trim().split(/\s+/);
  // RFC 9112 section 3.2.4: the asterisk is a target of OPTIONS alone.
  const isOptions = word.toUpperCase() === "OPTIONS";
  if (isOptions && rest.join(" ") === "*") return { is: "options of all", endpoints: [] };
  if (rest[0]?.startsWith("/") !== true) return undefined;
  const path = rest.join(" ");
  const have = (own: readonly string[] | undefined): readonly Endpoint[] =>
    own === undefined ? [] : service.endpoints.filter((one) => literals(one, own) >= 0);
  const sent = have(ownPath(service, path));
  // The document writes its paths without the base path.
  const endpoints = sent.length > 0 ? sent : have(segments(path));
  if (endpoints.length === 0) return { is: "unknown path", endpoints };
  return { is: isOptions ? "options" : "unknown method", endpoints };
}

/** Segments behind the base path; undefined: the path does not begin with it. */
function ownPath({ about }: Service, text: string): string[] | undefined {
  const path = segments(text);
  const base = isStated(about.basePath) ? segments(about.basePath.value) : [];
  return base.every((part, i) => path[i] === part) ? path.slice(base.length) : undefined;
}

/** Method and path as the document has them, or as a client sends them: `GET /v1/todos/17`. */
export function findEndpoint(service: Service, wanted: string): Endpoint | undefined {
  const { endpoints } = service;
  const [word = "", ...rest] = wanted.trim().split(/\s+/);
  const asked = word.toUpperCase();
  // HEAD is answered as GET, without the body (RFC 9110 section 9.3.2).
  const method = asked === "HEAD" ? "GET" : asked;
  const name = `${method} ${rest.join(" ")}`;
  const written =
    endpoints.find((each) => nameOf(each) === name) ??
    endpoints.find((each) => plain(nameOf(each)) === plain(name));
  if (written !== undefined) return written;
  const own = ownPath(service, rest.join(" ")) ?? segments(rest.join(" "));
  let found: Endpoint | undefined;
  let most = -1;
  for (const each of endpoints) {
    const count = each.method === method ? literals(each, own) : -1;
    if (count > most) [found, most] = [each, count];
  }
  return found;
}
