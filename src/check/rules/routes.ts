/** Finds the endpoint that a request of an example goes to; a literal segment wins. */
import { type Endpoint, isStated } from "../../plan/index.ts";
import type { RuleContext } from "./context.ts";

interface Node {
  readonly literals: Map<string, Node>;
  param?: Node;
  /** By method. */
  readonly ends: Map<string, Endpoint | "stream">;
}

const newNode = (): Node => ({ literals: new Map(), ends: new Map() });

export interface Routes {
  readonly root: Node;
  readonly base: string;
}

function add(root: Node, segments: readonly ({ literal: string } | { param: string })[]): Node {
  let node = root;
  for (const segment of segments) {
    let next = "param" in segment ? node.param : node.literals.get(segment.literal);
    if (next === undefined) {
      next = newNode();
      if ("param" in segment) node.param = next;
      else node.literals.set(segment.literal, next);
    }
    node = next;
  }
  return node;
}

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
      segmentsOf(path).map((text) => (text.startsWith("{") ? { param: text } : { literal: text })),
    ).ends.set(method, "stream");
  }
  const { basePath } = c.service.about;
  return { root, base: isStated(basePath) ? basePath.value : "" };
}

function findNode(node: Node, segments: readonly string[], at: number): Node | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.ends.size > 0 ? node : undefined;
  const literal = node.literals.get(segment);
  return (
    (literal && findNode(literal, segments, at + 1)) ??
    (node.param === undefined || segment === ""
      ? undefined
      : findNode(node.param, segments, at + 1))
  );
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
  const node = segments.length > SEGMENTS_MAX ? undefined : findNode(routes.root, segments, 0);
  if (node === undefined) return "unknown path";
  return node.ends.get(method === "HEAD" ? "GET" : method) ?? "unknown method";
}
