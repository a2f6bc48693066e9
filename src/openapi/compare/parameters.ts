/** Compares parameters and headers: whether they are needed, how they are written, their types. */
import type { Media, Named, Parameter } from "../model/index.ts";
import { type MapNode, textAt, valueAt } from "../tree/index.ts";
import type { Contents } from "./contents.ts";
import { add, RULES, WRITTEN } from "./facts.ts";
import type { Compare, Context, Graph, Pair, Sides } from "./graph.ts";
import type { Schemas } from "./schemas.ts";
import { isTrue, type Maps, ofDeprecated, ofWords, placesOf } from "./values.ts";

/** What a parameter and a header have in common. */
interface Field {
  readonly in: string;
  readonly node: MapNode;
  readonly content: readonly Media[];
}

const WORDS = ["description", "example", "examples"];

/** Compares parameters and headers. */
export class Parameters {
  private readonly schemas: Schemas;
  private readonly contents: Contents;
  private readonly isSwagger: { readonly before: boolean; readonly now: boolean };

  constructor(
    schemas: Schemas,
    contents: Contents,
    isSwagger: { readonly before: boolean; readonly now: boolean },
  ) {
    this.schemas = schemas;
    this.contents = contents;
    this.isSwagger = isSwagger;
  }

  /** The pair of two parameters. */
  parameter(graph: Graph, before: Parameter, now: Parameter, context: Context): Pair {
    return graph.pair(nodes(before, now), this.compareParameter, context, { before, now });
  }

  /** The pair of two headers of answers. */
  header(graph: Graph, before: Named, now: Named, context: Context): Pair {
    return graph.pair(nodes(before, now), this.compareHeader, context);
  }

  private readonly compareParameter: Compare<{ before: Parameter; now: Parameter }> = (
    pair,
    graph,
    { before, now },
  ) => {
    const maps = { before: before.node, now: now.node };
    if (before.required !== now.required) {
      const kind = now.required ? "input now needed" : "input no longer needed";
      add(pair, { in: kind, out: kind }, placesOf(maps, "required"));
    }
    this.ofField(pair, graph, before, now);
  };

  private readonly compareHeader: Compare = (pair, graph) => {
    const [before, now] = [pair.before[0], pair.now[0]];
    if (before?.kind !== "map" || now?.kind !== "map") return;
    const maps = { before, now };
    const [was, is] = [isTrue(before, "required"), isTrue(now, "required")];
    if (was !== is) {
      const kind = is ? "header now always sent" : "header no longer always sent";
      add(pair, { in: kind, out: kind }, placesOf(maps, "required"));
    }
    const field = (node: MapNode): Field => ({
      in: "header",
      node,
      content: this.contents.ofMap(node),
    });
    this.ofField(pair, graph, field(before), field(now));
  };

  private ofField(pair: Pair, graph: Graph, before: Field, now: Field): void {
    const maps = { before: before.node, now: now.node };
    const [old, own] = [styleOf(before), styleOf(now)];
    if (old !== own) {
      const key = styleKey(maps);
      add(pair, WRITTEN, { was: old, is: own }, placesOf(maps, key));
    }
    const [was, is] = [isTrue(before.node, "allowEmptyValue"), isTrue(now.node, "allowEmptyValue")];
    if (was !== is) {
      const kinds = is ? RULES.looser : RULES.stricter;
      add(pair, kinds, { what: "allowEmptyValue" }, placesOf(maps, "allowEmptyValue"));
    }
    const isOwn = this.isSwagger.before && this.isSwagger.now;
    if (!isOwn) ofDeprecated(pair, maps);
    if (isOwn) ofWords(pair, maps, ["description"]);
    else ofWords(pair, maps, WORDS);
    this.ofSchemas(pair, graph, maps);
    this.contents.compare(pair, graph, { before: before.content, now: now.content });
  }

  private ofSchemas(pair: Pair, graph: Graph, maps: { before: MapNode; now: MapNode }): void {
    const { isSwagger, schemas } = this;
    const schema = (map: MapNode, isOwn: boolean): MapNode["values"] => {
      const found = isOwn ? map : map.get("schema");
      return found === undefined ? [] : [found];
    };
    const sides: Sides = {
      before: schema(maps.before, isSwagger.before),
      now: schema(maps.now, isSwagger.now),
    };
    const context = { label: "", above: pair, area: pair.area };
    const isParameter = isSwagger.before || isSwagger.now;
    if (sides.before.length > 0 && sides.now.length > 0) {
      const to = isParameter
        ? schemas.ofParameter(graph, sides, context)
        : schemas.pair(graph, sides, context);
      graph.link(pair, to);
    } else if (sides.before.length + sides.now.length > 0) {
      const kinds = sides.before.length === 0 ? RULES.stricter : RULES.looser;
      add(pair, kinds, { what: "schema" }, placesOf(maps, "schema"));
    }
  }
}

function nodes(before: { readonly node: MapNode }, now: { readonly node: MapNode }): Sides {
  return { before: [before.node], now: [now.node] };
}

const COLLECTIONS: Readonly<Record<string, string>> = {
  csv: "form",
  ssv: "spaceDelimited",
  tsv: "tabDelimited",
  pipes: "pipeDelimited",
  multi: "form, exploded",
};

/** How values are written, in the words of OpenAPI 3, defaults said. */
function styleOf({ in: where, node }: Field): string {
  const isList = textAt(node, "type") === "array";
  const isQuery = where === "query" || where === "cookie" || where === "formData";
  const own = textAt(node, "style") ?? (isQuery ? "form" : "simple");
  const collection = textAt(node, "collectionFormat") ?? (isList ? "csv" : undefined);
  if (collection !== undefined) {
    const style = COLLECTIONS[collection] ?? collection;
    return style === "form" && !isQuery ? "simple" : style;
  }
  const explode = valueAt(node, "explode");
  const isExploded = explode === undefined ? own === "form" && !isList : explode === true;
  const isFree = valueAt(node, "allowReserved") === true ? ", reserved characters as they are" : "";
  return `${own}${isExploded ? ", exploded" : ""}${isFree}`;
}

function styleKey({ before, now }: Maps): string {
  const keys = ["collectionFormat", "style", "explode", "allowReserved"];
  const isOther = (key: string): boolean => valueAt(before, key) !== valueAt(now, key);
  return keys.find(isOther) ?? "style";
}
