/** Compares the addresses at which a service is. */
import { listAt, type MapNode, type Node, type Place, textAt } from "../tree/index.ts";
import { add, both } from "./facts.ts";
import type { Compare, Context, Graph, Pair } from "./graph.ts";
import { asMap, ofMember } from "./values.ts";
import { type Side, shown } from "./world.ts";

interface Address {
  readonly place: Place;
  /** The server object; Swagger has none. */
  readonly node?: MapNode;
}

interface Two<T> {
  readonly before: T;
  readonly now: T;
}

/** The pair of two objects that may have servers. */
export function serversPair(
  graph: Graph,
  owners: Two<MapNode>,
  sides: Two<Side>,
  context: Context,
): Pair {
  const nodes = { before: [owners.before], now: [owners.now] };
  return graph.pair(nodes, compareServers, context, { owners, sides });
}

/** Whether an object states servers of its own. */
export function hasServers(node: MapNode): boolean {
  return node.indexOf("servers") >= 0 || node.indexOf("schemes") >= 0;
}

const compareServers: Compare<{ owners: Two<MapNode>; sides: Two<Side> }> = (
  pair,
  _graph,
  { owners, sides },
) => {
  const [old, own] = [addresses(owners.before, sides.before), addresses(owners.now, sides.now)];
  for (const [url, { place, node }] of own) {
    const before = old.get(url);
    if (before === undefined) add(pair, both("server added"), { what: url, now: place });
    else if (node !== undefined && before.node !== undefined) {
      const maps = { before: before.node, now: node };
      ofMember(pair, maps, "variables", both("annotation changed"));
      ofMember(pair, maps, "description", both("wording changed"));
    }
  }
  for (const [url, { place }] of old) {
    if (!own.has(url)) add(pair, both("server removed"), { what: url, before: place });
  }
};

function addresses(owner: MapNode, side: Side): Map<string, Address> {
  if (side.description.kind === "swagger") return swaggerAddresses(owner);
  const list = listAt(owner, "servers");
  const found = (list?.items ?? []).flatMap((item) => {
    const node = asMap(item);
    const url = textAt(node, "url");
    return node === undefined || url === undefined
      ? []
      : [[plain(url), { node, place: node.keyPlace("url") }] as const];
  });
  // OpenAPI 3: without servers there is one at `/`.
  if (found.length === 0) return new Map([["/", { place: start(owner) }]]);
  return new Map(found);
}

const plain = (url: string): string => url.replace(/(?<=.)\/$/, "");

const start = ({ file, start: at }: MapNode): Place => ({ file, start: at, end: at + 1 });

function swaggerAddresses(root: MapNode): Map<string, Address> {
  const host = textAt(root, "host") ?? "";
  const path = textAt(root, "basePath") ?? "/";
  const schemes = listAt(root, "schemes");
  const key = ["host", "basePath", "schemes"].find((each) => root.indexOf(each) >= 0);
  const place = key === undefined ? start(root) : root.keyPlace(key);
  if (host === "") return new Map([[plain(path), { place }]]);
  const named = (each: Node): string => shown(each).replaceAll('"', "");
  const all = schemes === undefined ? ["https"] : schemes.items.map(named);
  return new Map(all.map((scheme) => [plain(`${scheme}://${host}${path}`), { place }]));
}
