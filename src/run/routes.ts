/** Finds the endpoint of a method and path; literal segments win over parameters. */
import type { Endpoint, Plan } from "../plan/index.ts";
import type { Match } from "./ports.ts";

interface Node {
  readonly literals: Map<string, Node>;
  param: Node | undefined;
  /** Method -> index of the endpoint, with the names of its parameters. */
  readonly methods: Map<string, { readonly endpoint: number; readonly names: readonly string[] }>;
}

const SEGMENTS_MAX = 256;

function newNode(): Node {
  return { literals: new Map(), param: undefined, methods: new Map() };
}

function grow(root: Node, segments: readonly (string | undefined)[]): Node {
  let node = root;
  for (const literal of segments) {
    let next = literal === undefined ? node.param : node.literals.get(literal);
    if (next === undefined) {
      next = newNode();
      if (literal === undefined) node.param = next;
      else node.literals.set(literal, next);
    }
    node = next;
  }
  return node;
}

/** Segments of a path as sent, percent-decoded each (RFC 3986); undefined: it is none. */
function segmentsOf(rawPath: string): readonly string[] | undefined {
  if (!rawPath.startsWith("/")) return undefined;
  const parts = rawPath.slice(1).split("/");
  if (parts.length > SEGMENTS_MAX) return undefined;
  try {
    return rawPath.includes("%") ? parts.map(decodeURIComponent) : parts;
  } catch {
    return undefined;
  }
}

/** Segments of the base path: `/api/v1` is two, none or `/` is none. */
function baseOf(plan: Plan): readonly string[] {
  const { basePath } = plan.about;
  if (basePath.is !== "stated") return [];
  return basePath.value.split("/").filter((one) => one !== "");
}

interface Ending {
  readonly node: Node;
  readonly values: readonly string[];
}

/** All nodes that the path leads to, the one with the most literals at the left first. */
function* walk(node: Node, segments: readonly string[], values: readonly string[]):
  Generator<Ending> {
  const [first, ...rest] = segments;
  if (first === undefined) {
    if (node.methods.size > 0) yield { node, values };
    return;
  }
  const literal = node.literals.get(first);
  if (literal !== undefined) yield* walk(literal, rest, values);
  // A parameter is never empty: `/articles/` does not name the article ``.
  if (node.param !== undefined && first !== "") yield* walk(node.param, rest, [...values, first]);
}

function tree(plan: Plan): Node {
  const root = newNode();
  const base = baseOf(plan);
  plan.endpoints.forEach((endpoint: Endpoint, index) => {
    const own = endpoint.path.map((one) => ("literal" in one ? one.literal : undefined));
    const names = endpoint.path.flatMap((one) => ("param" in one ? [one.param] : []));
    const node = grow(root, [...base, ...own]);
    if (!node.methods.has(endpoint.method)) node.methods.set(endpoint.method, { endpoint: index,
      names });
  });
  return root;
}

/** Methods that a path answers, HEAD and OPTIONS as HTTP fixes them (RFC 9110 9.3.2, 9.3.7). */
function allowed(endings: readonly Ending[]): readonly string[] {
  const methods = new Set(endings.flatMap(({ node }) => [...node.methods.keys()]));
  if (methods.has("GET")) methods.add("HEAD");
  methods.add("OPTIONS");
  return [...methods];
}

/** Compiles the routes of a plan. */
export function compileRoutes(plan: Plan): (method: string, rawPath: string) => Match {
  const root = tree(plan);
  return (method, rawPath) => {
    const segments = segmentsOf(rawPath);
    if (segments === undefined) return { is: "unknown path" };
    const seen: Ending[] = [];
    for (const ending of walk(root, segments, [])) {
      const { methods } = ending.node;
      const found = methods.get(method) ?? (method === "HEAD" ? methods.get("GET") : undefined);
      if (found !== undefined) {
        const params = new Map(found.names.map((name, i) => [name, ending.values[i] ?? ""]));
        return { is: "endpoint", endpoint: found.endpoint, head: method === "HEAD", params };
      }
      seen.push(ending);
    }
    if (seen.length === 0) return { is: "unknown path" };
    const allow = allowed(seen);
    return method === "OPTIONS" ? { is: "options", allow } : { is: "unknown method", allow };
  };
}
