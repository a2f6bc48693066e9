/** Finds the endpoint of a method and path; literal segments win over parameters. */
import {
  type Endpoint,
  gapOf,
  isStated,
  nearerFirst,
  type PathParameter,
  type PathSegment,
  type Plan,
  paramIn,
  segmentText,
} from "../../plan/index.ts";
import { RUN_BOUNDS } from "../evaluate/bounds.ts";
import type { Match } from "../ports/index.ts";

interface Node {
  readonly literals: Map<string, Node>;
  /** The one that is tried first in front. */
  readonly params: Param[];
  /** Method -> index of the endpoint, with the names of its parameters. */
  readonly methods: Map<string, Found>;
}

interface Param {
  readonly segment: PathParameter;
  readonly node: Node;
}

interface Found {
  readonly endpoint: number;
  readonly names: readonly string[];
}

const SEGMENTS_MAX = RUN_BOUNDS.segments.value;

function newNode(): Node {
  return { literals: new Map(), params: [], methods: new Map() };
}

function below(node: Node, segment: PathSegment): Node {
  const next = newNode();
  if ("literal" in segment) {
    const known = node.literals.get(segment.literal);
    if (known === undefined) node.literals.set(segment.literal, next);
    return known ?? next;
  }
  const known = node.params.find((one) => isSame(one.segment, segment));
  if (known !== undefined) return known.node;
  node.params.push({ segment, node: next });
  node.params.sort((x, y) => nearerFirst(x.segment, y.segment));
  return next;
}

const isSame = (one: PathSegment, other: PathSegment): boolean =>
  segmentText(one, "") === segmentText(other, "");

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
  const { method, segments } = search;
  const segment = segments[at];
  if (segment === undefined) {
    const { methods } = node;
    const found = methods.get(method) ?? (method === "HEAD" ? methods.get("GET") : undefined);
    if (found === undefined && methods.size > 0) search.seen.push(node);
    return found;
  }
  const literal = node.literals.get(segment);
  const found = literal && seek(literal, search, at + 1);
  return found ?? seekParam(node, search, at);
}

function seekParam({ params }: Node, search: Search, at: number): Found | undefined {
  const { segments, values } = search;
  for (const { segment, node } of params) {
    const end = segment.rest ? segments.length : at + 1;
    const rest = segments.slice(at, end);
    // A parameter is never empty: `/articles/` does not name the article ``.
    const isWhole = rest.every((one) => one !== "");
    const value = segment.rest ? rest.join("/") : paramIn(segment, rest[0] ?? "");
    if (!isWhole || value === undefined) continue;
    values.push(value);
    const found = seek(node, search, end);
    if (found !== undefined) return found;
    values.pop();
  }
  return undefined;
}

function tree(plan: Plan): Node {
  const root = newNode();
  const base = baseOf(plan);
  plan.endpoints.forEach((endpoint: Endpoint, index) => {
    const names = endpoint.path.flatMap((one) => ("param" in one ? [one.param] : []));
    const node = [...base.map((literal) => ({ literal })), ...endpoint.path].reduce(below, root);
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
