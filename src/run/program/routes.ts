/** Finds the endpoint of a method and path; literal segments win over parameters. */
import { type Endpoint, gapOf, isStated, type Plan } from "../../plan/index.ts";
import { RUN_BOUNDS } from "../evaluate/bounds.ts";
import type { Match } from "../ports/index.ts";

interface Node {
  readonly literals: Map<string, Node>;
  param: Node | undefined;
  /** Method -> index of the endpoint, with the names of its parameters. */
  readonly methods: Map<string, Found>;
}

interface Found {
  readonly endpoint: number;
  readonly names: readonly string[];
}

const SEGMENTS_MAX = RUN_BOUNDS.segments.value;

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
  if (!isStated(basePath)) return [];
  return basePath.value.split("/").filter((one) => one !== "");
}

/** One search: what is looked for, and the nodes of other methods met on the way. */
interface Search {
  readonly method: string;
  readonly segments: readonly string[];
  /** Values of the parameters up to here. */
  readonly values: string[];
  readonly seen: Node[];
}

/** The endpoint at the end of the path, where that with the most literals at the left is first. */
function seek(node: Node, search: Search, at: number): Found | undefined {
  const { method, segments, values } = search;
  const segment = segments[at];
  if (segment === undefined) {
    const { methods } = node;
    const found = methods.get(method) ?? (method === "HEAD" ? methods.get("GET") : undefined);
    if (found === undefined && methods.size > 0) search.seen.push(node);
    return found;
  }
  const literal = node.literals.get(segment);
  const found = literal && seek(literal, search, at + 1);
  // A parameter is never empty: `/articles/` does not name the article ``.
  if (found !== undefined || node.param === undefined || segment === "") return found;
  values.push(segment);
  const below = seek(node.param, search, at + 1);
  if (below === undefined) values.pop();
  return below;
}

function tree(plan: Plan): Node {
  const root = newNode();
  const base = baseOf(plan);
  plan.endpoints.forEach((endpoint: Endpoint, index) => {
    const own = endpoint.path.map((one) => ("literal" in one ? one.literal : undefined));
    const names = endpoint.path.flatMap((one) => ("param" in one ? [one.param] : []));
    const node = grow(root, [...base, ...own]);
    if (!node.methods.has(endpoint.method))
      node.methods.set(endpoint.method, { endpoint: index, names });
  });
  return root;
}

/** Methods that a path answers, HEAD and OPTIONS as HTTP fixes them (RFC 9110 9.3.2, 9.3.7). */
function allowed(nodes: readonly Node[]): readonly string[] {
  const methods = new Set(nodes.flatMap((node) => [...node.methods.keys()]));
  if (methods.has("GET")) methods.add("HEAD");
  methods.add("OPTIONS");
  return [...methods];
}

/** Compiles the routes of a plan. */
export function compileRoutes(plan: Plan): (method: string, rawPath: string) => Match {
  const { basePath } = plan.about;
  if (basePath.is === "gap" && plan.endpoints.length > 0) {
    const { gap } = basePath;
    return () => ({ is: "gap", gap });
  }
  const root = tree(plan);
  const base = baseOf(plan);
  // A stream is opened by GET somewhere below the base path.
  const hidden = plan.streams.map(({ path }) => gapOf(path)).find((gap) => gap !== undefined);
  return (method, rawPath) => {
    const segments = segmentsOf(rawPath);
    if (segments === undefined) return { is: "unknown path" };
    const isBelow = segments.length > base.length && base.every((one, i) => one === segments[i]);
    const seen: Node[] = [];
    const values: string[] = [];
    const found = seek(root, { method, segments, values, seen }, 0);
    if (found !== undefined) {
      const params = new Map<string, string>();
      found.names.forEach((name, i) => params.set(name, values[i] ?? ""));
      return { is: "endpoint", endpoint: found.endpoint, head: method === "HEAD", params };
    }
    const isOpen = isBelow && seen.every(({ methods }) => !methods.has("GET"));
    if (hidden !== undefined && isOpen) return { is: "gap", gap: hidden };
    if (seen.length === 0) return { is: "unknown path" };
    const allow = allowed(seen);
    return method === "OPTIONS" ? { is: "options", allow } : { is: "unknown method", allow };
  };
}
