/** Takes what a user writes for an endpoint, gives the endpoint of the service that it names. */
import type { Endpoint, Service } from "../../plan/index.ts";

/** The endpoint as the document writes it: `GET /todos/{id}`. */
export function nameOf(endpoint: Endpoint): string {
  const path = endpoint.path.map((part) => ("literal" in part ? part.literal : `{${part.param}}`));
  return `${endpoint.method} /${path.join("/")}`;
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
  if (endpoint.path.length !== path.length) return -1;
  const fits = endpoint.path.every((part, i) => !("literal" in part) || part.literal === path[i]);
  return fits ? endpoint.path.filter((part) => "literal" in part).length : -1;
}

/** Method and path as the document has them, or as a client sends them: `GET /v1/todos/17`. */
export function findEndpoint(service: Service, wanted: string): Endpoint | undefined {
  const { endpoints, about } = service;
  const [word = "", ...rest] = wanted.trim().split(/\s+/);
  const method = word.toUpperCase();
  const name = `${method} ${rest.join(" ")}`;
  const written =
    endpoints.find((each) => nameOf(each) === name) ??
    endpoints.find((each) => plain(nameOf(each)) === plain(name));
  if (written !== undefined) return written;
  const path = segments(rest.join(" "));
  const base = about.basePath.is === "stated" ? segments(about.basePath.value) : [];
  const own = base.every((part, i) => path[i] === part) ? path.slice(base.length) : path;
  let found: Endpoint | undefined;
  let most = -1;
  for (const each of endpoints) {
    const count = each.method === method ? literals(each, own) : -1;
    if (count > most) [found, most] = [each, count];
  }
  return found;
}
