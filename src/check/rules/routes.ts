/** Finds the endpoint that a request of an example goes to; a literal segment wins. */
import {
  type Endpoint,
  isStated,
  nearerFirst,
  type PathParameter,
  type PathSegment,
  paramIn,
  pathSegments,
  segmentText,
} from "../../plan/index.ts";
import type { RuleContext } from "./context.ts";

interface Node {
  readonly literals: Map<string, Node>;
  /** By the text of the segment, the one that is tried first in front. */
  readonly params: { readonly segment: PathParameter; readonly node: Node }[];
  /** By method. */
  readonly ends: Map<string, Endpoint | "stream">;
}

const newNode = (): Node => ({ literals: new Map(), params: [], ends: new Map() });

export interface Routes {
  readonly root: Node;
  readonly base: string;
}

function below(node: Node, segment: PathSegment): Node {
  const next = newNode();
  if ("literal" in segment) {
    const known = node.literals.get(segment.literal);
    if (known === undefined) node.literals.set(segment.literal, next);
    return known ?? next;
  }
  const text = segmentText(segment, "");
  const known = node.params.find((one) => segmentText(one.segment, "") === text);
  if (known !== undefined) return known.node;
  node.params.push({ segment, node: next });
  node.params.sort((x, y) => nearerFirst(x.segment, y.segment));
  return next;
}

const add = (root: Node, path: readonly PathSegment[]): Node => path.reduce(below, root);

function segmentsOf(path: string): string[] {
  return path === "/" || path === "" ? [] : path.slice(1).split("/");
}

/** The paths of all endpoints and streams. */
export function routesOf(c: RuleContext): Routes {
  const root = newNode();
  for (const endpoint of c.service.endpoints) {
    add(root, endpoint.path).ends.set(endpoint.method, endpoint);
  }
  for (const stream of c.service.streams) {
    if (!isStated(stream.path)) continue;
    const [method = "", path = ""] = stream.path.value.split(" ");
    add(
      root,
      pathSegments(path).filter((one) => one !== undefined),
    ).ends.set(method, "stream");
  }
  const { basePath } = c.service.about;
  return { root, base: isStated(basePath) ? basePath.value : "" };
}

/** The nodes at which a path may end, the one that is asked first in front. */
function* nodesAt(node: Node, segments: readonly string[], at: number): Generator<Node> {
  const segment = segments[at];
  if (segment === undefined) {
    if (node.ends.size > 0) yield node;
    return;
  }
  const literal = node.literals.get(segment);
  if (literal !== undefined) yield* nodesAt(literal, segments, at + 1);
  for (const { segment: own, node: next } of node.params) {
    if (own.rest) {
      if (segments.slice(at).every((one) => one !== "")) yield next;
    } else if (paramIn(own, segment) !== undefined) yield* nodesAt(next, segments, at + 1);
  }
}

const SEGMENTS_MAX = 20;

/** What a request goes to: an endpoint, a stream, no such method, or no such path. */
export function routeOf(
  routes: Routes,
  method: string,
  target: string,
): Endpoint | "stream" | "unknown method" | "unknown path" {
  const path = target.split("?", 1)[0] ?? "";
  if (!path.startsWith(routes.base)) return "unknown path";
  const segments = segmentsOf(path.slice(routes.base.length));
  if (segments.length > SEGMENTS_MAX) return "unknown path";
  const asked = method === "HEAD" ? "GET" : method;
  let isKnown = false;
  for (const { ends } of nodesAt(routes.root, segments, 0)) {
    isKnown = true;
    const end = ends.get(asked);
    if (end !== undefined) return end;
  }
  return isKnown ? "unknown method" : "unknown path";
}
