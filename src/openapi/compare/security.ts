/** Compares who is let in: alternatives of security with their scopes, and the schemes. */
import type { ChangeName } from "../../language/index.ts";
import type { Requirement } from "../model/index.ts";
import { listAt, type MapNode, type Node, type Place, textAt } from "../tree/index.ts";
import { add, both } from "./facts.ts";
import { type Compare, type Context, entry, type Graph, type Pair } from "./graph.ts";
import { asMap, ofDeprecated, ofWords, placesOf } from "./values.ts";
import { type Side, shown, type World } from "./world.ts";

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
    const alike = matched(this.world, old, own);
    for (const [names, requirement] of own) {
      const before = alike.get(requirement);
      if (before !== undefined) this.ofBoth(pair, graph, before, requirement);
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
    }
    const taken = new Set(alike.values());
    for (const [names, requirement] of old) {
      if (taken.has(requirement) || isNone) continue;
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

  /** Two alternatives that are the same one: schemes more or less, scopes, the schemes. */
  private ofBoth(pair: Pair, graph: Graph, before: Requirement, now: Requirement): void {
    const alike = schemesOf(this.world, before, now);
    const taken = new Set(alike.values());
    for (const old of before) {
      if (taken.has(old)) continue;
      const told = { what: old.scheme, before: old.place, ...at(now, "now") };
      add(pair, both("scheme no longer needed"), told);
    }
    for (const own of now) {
      const old = alike.get(own);
      if (old === undefined) {
        const told = { what: own.scheme, ...at(before, "before"), now: own.place };
        add(pair, both("scheme now needed"), told);
        continue;
      }
      ofScopes(pair, old, own);
      const found = this.scheme(graph, own.scheme, old.scheme);
      if (found !== undefined) graph.link(pair, found);
    }
  }

  /** The pair of two schemes. */
  scheme(graph: Graph, name: string, was = name): Pair | undefined {
    const { before, now } = this.world;
    const [old, own] = [before.schemes.get(was), now.schemes.get(name)];
    if (old === undefined || own === undefined) return undefined;
    const sides = { before: [old.node], now: [own.node] };
    return graph.pair(sides, compareSchemes, { label: name, area: "security" });
  }
}

type Needed = Requirement[number];

/** For each scheme of an alternative the one that it was: by its name, else by its type. */
function schemesOf(world: World, before: Requirement, now: Requirement): Map<Needed, Needed> {
  const found = new Map<Needed, Needed>();
  const open = new Set(before);
  const likenesses = [
    (_side: Side, { scheme }: Needed): string => scheme,
    (side: Side, { scheme }: Needed): string => typeOf(side, scheme),
  ];
  for (const like of likenesses) {
    const left = new Map<string, Needed[]>();
    for (const each of open) entry(left, like(world.before, each), () => [] as Needed[]).push(each);
    for (const own of now) {
      if (found.has(own)) continue;
      const old = left.get(like(world.now, own))?.shift();
      if (old === undefined) continue;
      open.delete(old);
      found.set(own, old);
    }
  }
  return found;
}

const typeOf = (side: Side, scheme: string): string =>
  textAt(side.schemes.get(scheme)?.node, "type") ?? `not stated: ${scheme}`;

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

type Alternatives = ReadonlyMap<string, Requirement>;

/** For each alternative the one that it was: of the same schemes, of their types, of some. */
function matched(
  world: World,
  before: Alternatives,
  now: Alternatives,
): Map<Requirement, Requirement> {
  const found = new Map<Requirement, Requirement>();
  const open = new Set(before.values());
  const take = (own: Requirement, old: Requirement | undefined): void => {
    if (old === undefined || found.has(own)) return;
    open.delete(old);
    found.set(own, old);
  };
  for (const [names, own] of now) take(own, before.get(names));
  const types = (side: Side, each: Requirement): string =>
    each
      .map(({ scheme }) => typeOf(side, scheme))
      .toSorted()
      .join(" ");
  const byTypes = new Map<string, Requirement[]>();
  for (const each of open) {
    entry(byTypes, types(world.before, each), () => [] as Requirement[]).push(each);
  }
  for (const own of now.values()) {
    if (!found.has(own)) take(own, byTypes.get(types(world.now, own))?.shift());
  }
  const byScheme = new Map<string, Requirement[]>();
  for (const each of open) {
    for (const { scheme } of each) entry(byScheme, scheme, () => [] as Requirement[]).push(each);
  }
  for (const all of byScheme.values()) all.reverse();
  for (const own of now.values()) {
    for (const { scheme } of own) {
      const all = byScheme.get(scheme) ?? [];
      while (all.length > 0 && !open.has(all.at(-1) as Requirement)) all.pop();
      take(own, all.at(-1));
    }
  }
  return found;
}

function ofScopes(pair: Pair, before: Needed, now: Needed): void {
  const places = { before: before.place, now: now.place };
  const known = new Set(before.scopes);
  for (const scope of now.scopes) {
    if (known.delete(scope)) continue;
    add(pair, both("scope now needed"), { what: `${now.scheme}: ${scope}`, ...places });
  }
  for (const scope of known) {
    add(pair, both("scope no longer needed"), { what: `${now.scheme}: ${scope}`, ...places });
  }
}

function at(requirement: Requirement, side: "before" | "now"): { before?: Place; now?: Place } {
  const place = requirement[0]?.place;
  return place === undefined ? {} : { [side]: place };
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
