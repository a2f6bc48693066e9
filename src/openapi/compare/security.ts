/** Compares who is let in: alternatives of security with their scopes, and the schemes. */
import type { ChangeName } from "../../language/index.ts";
import type { Requirement } from "../model/index.ts";
import { listAt, type MapNode, type Node, textAt } from "../tree/index.ts";
import { add, both } from "./facts.ts";
import type { Compare, Context, Graph, Pair } from "./graph.ts";
import { asMap, ofDeprecated, ofWords, placesOf } from "./values.ts";
import { shown, type World } from "./world.ts";

interface Two<T> {
  readonly before: T;
  readonly now: T;
}

type Requirements = readonly Requirement[] | undefined;

/** Compares security. */
export class Security {
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  /** The pair of two lists of alternatives; they may be the file's own. */
  pair(
    graph: Graph,
    lists: Two<Node | undefined>,
    said: Two<Requirements>,
    context: Context,
  ): Pair {
    const nodes = (node: Node | undefined): Node[] => (node === undefined ? [] : [node]);
    const sides = { before: nodes(lists.before), now: nodes(lists.now) };
    return graph.pair(sides, this.compare, context, { lists, said });
  }

  private readonly compare: Compare<{ lists: Two<Node | undefined>; said: Two<Requirements> }> = (
    pair,
    graph,
    { lists, said },
  ) => {
    const whole = {
      ...(lists.before && { before: lists.before }),
      ...(lists.now && { now: lists.now }),
    };
    const [was, is] = [isOpen(said.before), isOpen(said.now)];
    const [old, own] = [byNames(said.before), byNames(said.now)];
    if (was !== is) {
      const what = [...(is ? old : own).keys()].join(", ");
      add(pair, both(is ? "caller not asked for" : "caller asked for"), { what }, whole);
    }
    const isNone = old.size === 0 || own.size === 0;
    for (const [names, requirement] of own) {
      const before = old.get(names);
      if (before !== undefined) ofScopes(pair, before, requirement);
      else if (!isNone) {
        const now = requirement[0]?.place;
        add(
          pair,
          both("alternative of security added"),
          { what: names },
          whole,
          now ? { now } : {},
        );
      }
      for (const { scheme } of requirement) this.linkScheme(pair, graph, scheme);
    }
    for (const [names, requirement] of old) {
      if (own.has(names) || isNone) continue;
      const before = requirement[0]?.place;
      add(
        pair,
        both("alternative of security removed"),
        { what: names },
        whole,
        before ? { before } : {},
      );
    }
  };

  private linkScheme(pair: Pair, graph: Graph, name: string): void {
    const found = this.scheme(graph, name);
    if (found !== undefined) graph.link(pair, found);
  }

  /** The pair of two schemes of a name. */
  scheme(graph: Graph, name: string): Pair | undefined {
    const [before, now] = [this.world.before, this.world.now].map(({ schemes }) =>
      schemes.get(name),
    );
    if (before === undefined || now === undefined) return undefined;
    const sides = { before: [before.node], now: [now.node] };
    return graph.pair(sides, compareSchemes, { label: name, area: "security" });
  }
}

/** Whether requests without credentials are let in. */
function isOpen(all: Requirements): boolean {
  return all === undefined || all.length === 0 || all.some((each) => each.length === 0);
}

function byNames(all: Requirements): Map<string, Requirement> {
  const named = (all ?? []).filter((each) => each.length > 0);
  const key = (each: Requirement): string =>
    each
      .map(({ scheme }) => scheme)
      .toSorted()
      .join(" and ");
  return new Map(named.map((each) => [key(each), each]));
}

function ofScopes(pair: Pair, before: Requirement, now: Requirement): void {
  for (const { scheme, scopes, place } of now) {
    const old = before.find((each) => each.scheme === scheme);
    const places = { ...(old && { before: old.place }), now: place };
    const known = new Set(old?.scopes);
    for (const scope of scopes) {
      if (known.delete(scope)) continue;
      add(pair, both("scope now needed"), { what: `${scheme}: ${scope}`, ...places });
    }
    for (const scope of known) {
      add(pair, both("scope no longer needed"), { what: `${scheme}: ${scope}`, ...places });
    }
  }
}

/** Flows by the names that OpenAPI 3 has. */
const FLOWS: Readonly<Record<string, string>> = {
  application: "clientCredentials",
  accessCode: "authorizationCode",
};

/** What a scheme says, by name; Swagger's in the words of OpenAPI 3. */
function saidOf(scheme: MapNode): Map<string, string> {
  const said = new Map<string, string>();
  const take = (name: string, value: string | undefined): void => {
    if (value !== undefined) said.set(name, value);
  };
  const isBasic = textAt(scheme, "type") === "basic";
  take("type", isBasic ? "http" : textAt(scheme, "type"));
  take("scheme", isBasic ? "basic" : textAt(scheme, "scheme")?.toLowerCase());
  for (const key of ["in", "name", "bearerFormat", "openIdConnectUrl", "oauth2MetadataUrl"]) {
    take(key, textAt(scheme, key));
  }
  for (const [name, flow] of flowsOf(scheme)) {
    said.set(name, "stated");
    for (const key of ["authorizationUrl", "tokenUrl", "refreshUrl", "deviceAuthorizationUrl"]) {
      take(`${name} ${key}`, textAt(flow, key));
    }
  }
  return said;
}

function flowsOf(scheme: MapNode): (readonly [string, MapNode])[] {
  const own = textAt(scheme, "flow");
  if (own !== undefined) return [[FLOWS[own] ?? own, scheme]];
  const flows = asMap(scheme.get("flows"));
  return (flows?.keys ?? []).flatMap((name, at) => {
    const flow = asMap(flows?.values[at]);
    return flow === undefined || name.startsWith("x-") ? [] : [[name, flow] as const];
  });
}

const SENT: ReadonlySet<string> = new Set(["type", "in", "name", "scheme"]);

const compareSchemes: Compare = (pair) => {
  const [before, now] = [asMap(pair.before[0]), asMap(pair.now[0])];
  if (before === undefined || now === undefined) return;
  const maps = { before, now };
  const [old, own] = [saidOf(before), saidOf(now)];
  for (const name of new Set([...old.keys(), ...own.keys()])) {
    const [was, is] = [old.get(name), own.get(name)];
    if (was === is) continue;
    const kind: ChangeName = SENT.has(name)
      ? "way credentials are sent changed"
      : "credential changed";
    const words = { what: name, was: was ?? "none", is: is ?? "none" };
    add(pair, both(kind), words, placesOf(maps, name.includes(" ") ? "flows" : name));
  }
  ofSchemeScopes(pair, maps);
  ofDeprecated(pair, maps);
  ofWords(pair, maps, ["description"]);
};

function ofSchemeScopes(pair: Pair, maps: Two<MapNode>): void {
  const scopes = (map: MapNode): Map<string, Node> =>
    new Map(
      flowsOf(map).flatMap(([flow, node]) => {
        const all = asMap(node.get("scopes"));
        return (all?.keys ?? []).map((name, at) => [`${flow} ${name}`, all?.values[at] as Node]);
      }),
    );
  const [old, own] = [scopes(maps.before), scopes(maps.now)];
  for (const [name, now] of own) {
    const before = old.get(name);
    if (before === undefined) add(pair, both("scope added to a scheme"), { what: name, now });
    else if (shown(before) !== shown(now)) {
      add(pair, both("wording changed"), { what: name, before, now });
    }
  }
  for (const [name, before] of old) {
    if (!own.has(name)) add(pair, both("scope removed from a scheme"), { what: name, before });
  }
}

/** The list of alternatives that holds for an operation. */
export function securityList(operation: MapNode, root: MapNode): Node | undefined {
  return listAt(operation, "security") ?? listAt(root, "security");
}
