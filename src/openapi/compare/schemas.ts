/** Compares two schemas, and asks for the comparison of those below them. */
import type { MapNode, Node } from "../tree/index.ts";
import { compareChoices, match } from "./choices.ts";
import { add, RULES, spotOf, type Views } from "./facts.ts";
import type { Compare, Context, Graph, Pair, Sides, Way } from "./graph.ts";
import { compareKeywords, mappingOf } from "./keywords.ts";
import { MemberComparison } from "./members.ts";
import { relationOf, typesOf, typeWords } from "./value-types.ts";
import { type Making, type Said, Views as ViewMaker } from "./view.ts";
import { isSameText, isSameValue, shown, type World } from "./world.ts";

/** Keywords that hold a schema; one that is missing, `true` and `{}` let everything in. */
const BELOW: Readonly<Record<string, string>> = {
  items: "[]",
  additionalItems: "[more]",
  unevaluatedItems: "[more]",
  contains: "[any]",
  additionalProperties: ".*",
  unevaluatedProperties: ".*",
  propertyNames: ".(names)",
  contentSchema: ".(content)",
  then: "",
  else: "",
};

/** Keywords that hold schemas by name or by position. */
const MANY: ReadonlySet<string> = new Set(["patternProperties", "dependentSchemas", "prefixItems"]);

/** Keywords that are compared as a whole: what they hold lets in what it does not describe. */
const WHOLE: ReadonlySet<string> = new Set(["not", "if", "dependentRequired", "dependencies"]);

const TYPES = {
  wider: { in: "type of an input widened", out: "type of an answer widened" },
  narrower: { in: "type of an input narrowed", out: "type of an answer narrowed" },
  other: { in: "type of an input changed", out: "type of an answer changed" },
} as const;

/** Members of a Swagger parameter or header that are no keywords of its schema. */
const NOT_OF_SCHEMA: ReadonlySet<string> = new Set(
  "name in required description collectionFormat allowEmptyValue style explode x-example".split(
    " ",
  ),
);

/** Compares schemas of two files. */
export class Schemas {
  private readonly world: World;
  private readonly members: MemberComparison;
  private readonly views: { readonly before: ViewMaker; readonly now: ViewMaker };

  constructor(world: World) {
    this.world = world;
    this.members = new MemberComparison(world);
    this.views = { before: new ViewMaker(world.before), now: new ViewMaker(world.now) };
  }

  /** The pair of two schemas; a name of its own where it has one. */
  pair(graph: Graph, sides: Sides, context: Context): Pair {
    return this.pairBy(this.compare, graph, sides, context);
  }

  /** The same for parameters and headers of Swagger, which are their own schemas. */
  ofParameter(graph: Graph, sides: Sides, context: Context): Pair {
    return this.pairBy(this.compareParameter, graph, sides, context);
  }

  private pairBy(compare: Compare, graph: Graph, sides: Sides, context: Context): Pair {
    const { world } = this;
    const before = sides.before.map((each) => world.before.resolve(each));
    const now = sides.now.map((each) => world.now.resolve(each));
    const name = now.length === 1 ? world.now.names.get(now[0] as Node) : undefined;
    const own: Context = name === undefined ? context : { label: name, area: "schemas" };
    return graph.pair({ before, now }, compare, own);
  }

  private readonly compare: Compare = (pair, graph) => this.compareBoth(pair, graph, () => false);

  private readonly compareParameter: Compare = (pair, graph) =>
    this.compareBoth(pair, graph, (key) => NOT_OF_SCHEMA.has(key));

  private compareBoth(pair: Pair, graph: Graph, isOther: (key: string) => boolean): void {
    const [a, b] = [pair.before[0], pair.now[0]];
    const isOne = pair.before.length === 1 && pair.now.length === 1;
    if (isOne && a !== undefined && b !== undefined && isSameText(this.world, a, b)) return;
    const views = this.viewsOf(pair);
    if (views.before.isNever !== views.now.isNever) {
      const kinds = views.now.isNever ? RULES.stricter : RULES.looser;
      add(pair, kinds, { what: "schema", ...(a && { before: a }), ...(b && { now: b }) });
      return;
    }
    this.ofTypes(pair, views);
    this.members.compare(pair, views, (sides, at, cut) => {
      this.below(pair, graph, { sides, at, ...(cut === undefined ? {} : { cut }) });
    });
    this.ofTaken(pair, graph, views);
    this.ofMapping(pair, graph, views);
    compareChoices(this.world, pair, views, (sides, at) => this.below(pair, graph, { sides, at }));
    compareKeywords(pair, views, isOther);
    const keys = new Set([...views.before.keywords.keys(), ...views.now.keywords.keys()]);
    for (const key of keys) {
      if (BELOW[key] !== undefined) this.ofSchema(pair, graph, views, key);
      else if (MANY.has(key)) this.ofMany(pair, graph, views, key);
      else if (WHOLE.has(key)) ofWhole(pair, views, key);
    }
  }

  private viewsOf({ before, now }: Pair): Views {
    const views = this.both(before, now, {});
    if (views.before.isMuch || views.now.isMuch) return this.both(before, now, { isShallow: true });
    const { hasOnly } = views.before.choices.length === 0 ? views.before : views.now;
    // One of several on the other side: it is compared as one of them.
    if (!isNewChoice(views) || !hasOnly) return views;
    return this.both(before, now, { keepsOnly: true });
  }

  private both(before: readonly Node[], now: readonly Node[], how: Making): Views {
    return { before: this.views.before.of(before, how), now: this.views.now.of(now, how) };
  }

  /** What holds besides, where it is too much to be taken in: one by one. */
  private ofTaken(pair: Pair, graph: Graph, views: Views): void {
    const { pairs, gone, added } = match(this.world, views.before.taken, views.now.taken);
    for (const [was, is] of pairs) {
      this.below(pair, graph, { sides: { before: [was], now: [is] }, at: "" });
    }
    for (const node of gone) add(pair, RULES.looser, { what: "allOf", before: node });
    for (const node of added) add(pair, RULES.stricter, { what: "allOf", now: node });
  }

  /** Schemas that have one name among the alternatives are compared, whatever they are called. */
  private ofMapping(pair: Pair, graph: Graph, views: Views): void {
    const [old, own] = [views.before, views.now].map((view) =>
      mappingOf(view.get("discriminator")[0]?.node),
    );
    for (const name of own?.keys ?? []) {
      const [was, is] = [old?.get(name), own?.get(name)];
      const before = was && this.world.before.named(was);
      const now = is && this.world.now.named(is);
      if (before === undefined || now === undefined) continue;
      this.below(pair, graph, { sides: { before: [before], now: [now] }, at: ` ${name}` });
    }
  }

  private below(
    pair: Pair,
    graph: Graph,
    { sides, at, cut }: { readonly sides: Sides; readonly at: string; readonly cut?: Way },
  ): void {
    const [a, b] = [sides.before[0], sides.now[0]];
    const isOne = sides.before.length === 1 && sides.now.length === 1;
    if (isOne && a !== undefined && b !== undefined && isSameText(this.world, a, b)) return;
    const to = this.pair(graph, sides, { label: at, above: pair, area: pair.area });
    graph.link(pair, to, cut === undefined ? {} : { cut });
  }

  private ofTypes(pair: Pair, views: Views): void {
    const [old, own] = [typesOf(views.before), typesOf(views.now)];
    const relation = relationOf(old, own);
    if (relation === "same" || (isOpen(old) && isOpen(own) && isNewChoice(views))) return;
    const first = (all: readonly Said[]): Said | undefined => all[0];
    const spot = spotOf(
      views,
      first([...views.before.get("type"), ...views.before.get("nullable")]),
      first([...views.now.get("type"), ...views.now.get("nullable")]),
    );
    add(pair, TYPES[relation], { was: typeWords(old), is: typeWords(own) }, wholeSpot(pair, spot));
  }

  /** A keyword that holds one schema, or `true` or `false`. */
  private ofSchema(pair: Pair, graph: Graph, views: Views, key: string): void {
    const [before, now] = [views.before.get(key), views.now.get(key)];
    if (before.length === 0 && now.length === 0) return;
    const [old, own] = [before, now].map((all) =>
      all.some(isClosing) ? "none" : all.some(isSaying) ? "some" : "any",
    );
    if (old === "any" && own === "any") return;
    if (old === "some" && own === "some") {
      const sides = { before: before.map(nodeOf), now: now.map(nodeOf) };
      if (key === "items" && [...sides.before, ...sides.now].some(({ kind }) => kind === "list")) {
        ofWhole(pair, views, key);
        return;
      }
      this.below(pair, graph, { sides, at: BELOW[key] ?? "" });
      return;
    }
    if (old === own) return;
    const order = ["any", "some", "none"];
    const isTighter = order.indexOf(own ?? "") > order.indexOf(old ?? "");
    const said = { what: key, was: shown(before[0]?.node), is: shown(now[0]?.node) };
    const kinds = isTighter ? RULES.stricter : RULES.looser;
    add(pair, kinds, said, spotOf(views, before[0], now[0]));
  }

  private ofMany(pair: Pair, graph: Graph, views: Views, key: string): void {
    const [before, now] = [views.before.get(key)[0], views.now.get(key)[0]];
    if (before === undefined && now === undefined) return;
    const [old, own] = [named(before), named(now)];
    for (const name of new Set([...old.keys(), ...own.keys()])) {
      const [was, is] = [old.get(name), own.get(name)];
      const at = key === "prefixItems" ? `[${name}]` : `.(${name})`;
      if (was !== undefined && is !== undefined) {
        this.below(pair, graph, { sides: { before: [was], now: [is] }, at });
        continue;
      }
      const kinds = was === undefined ? RULES.stricter : RULES.looser;
      const places = { ...(was && { before: was }), ...(is && { now: is }) };
      add(pair, kinds, { at, what: key }, spotOf(views, before, now), places);
    }
  }
}

/** Where a pair has no place of its own for something, it is the whole value. */
function wholeSpot(pair: Pair, spot: ReturnType<typeof spotOf>): ReturnType<typeof spotOf> {
  const [before, now] = [pair.before[0], pair.now[0]];
  return { ...(before && { before }), ...(now && { now }), ...spot };
}

const OPEN_MIN = 126;
const isOpen = (bits: number): boolean => (bits & OPEN_MIN) === OPEN_MIN;

const isNewChoice = ({ before, now }: Views): boolean =>
  (before.choices.length === 0) !== (now.choices.length === 0);

const nodeOf = ({ node }: Said): Node => node;

const isClosing = ({ node }: Said): boolean => node.kind === "scalar" && node.value === false;

const isSaying = ({ node }: Said): boolean =>
  node.kind === "list" || (node.kind === "map" && node.keys.length > 0);

function named(said: Said | undefined): Map<string, Node> {
  const node = said?.node;
  if (node?.kind === "list") return new Map(node.items.map((each, at) => [String(at), each]));
  if (node?.kind !== "map") return new Map();
  return new Map(node.keys.map((name, at) => [name, (node as MapNode).values[at] as Node]));
}

function ofWhole(pair: Pair, views: Views, key: string): void {
  const [before, now] = [views.before.get(key)[0], views.now.get(key)[0]];
  if (isSameValue(before?.node, now?.node)) return;
  const kinds =
    before === undefined ? RULES.stricter : now === undefined ? RULES.looser : RULES.other;
  const said = { what: key, was: shown(before?.node), is: shown(now?.node) };
  add(pair, kinds, said, spotOf(views, before, now));
}
