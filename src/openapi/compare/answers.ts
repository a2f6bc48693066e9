/** Compares answers: headers, media types, links; and the bodies of requests. */
import type { Body, Named, Response } from "../model/index.ts";
import type { MapNode, Node } from "../tree/index.ts";
import type { Contents } from "./contents.ts";
import { add } from "./facts.ts";
import type { Compare, Context, Graph, Pair } from "./graph.ts";
import type { Parameters } from "./parameters.ts";
import { ofWords, placesOf } from "./values.ts";
import { isSameValue } from "./world.ts";

interface Two<T> {
  readonly before: T;
  readonly now: T;
}

/** With the list that says which media types it has, where that stands elsewhere. */
interface Where {
  readonly types: Two<Node | undefined>;
  readonly context: Context;
}

/** Compares answers and bodies. */
export class Answers {
  private readonly contents: Contents;
  private readonly parameters: Parameters;

  constructor(contents: Contents, parameters: Parameters) {
    this.contents = contents;
    this.parameters = parameters;
  }

  /** The pair of two answers of one status. */
  answer(graph: Graph, two: Two<Response>, { types, context }: Where): Pair {
    const sides = {
      before: some(two.before.node, types.before),
      now: some(two.now.node, types.now),
    };
    return graph.pair(sides, this.compareAnswer, context, two);
  }

  /** The pair of two bodies of requests. */
  body(graph: Graph, two: Two<Body>, { types, context }: Where): Pair {
    const nodes = ({ node, form }: Body): Node[] =>
      node === undefined ? form.map((each) => each.node) : [node];
    const sides = {
      before: [...nodes(two.before), ...some(types.before)],
      now: [...nodes(two.now), ...some(types.now)],
    };
    return graph.pair(sides, this.compareBody, context, two);
  }

  private readonly compareAnswer: Compare<Two<Response>> = (pair, graph, { before, now }) => {
    const maps = { before: before.node, now: now.node };
    ofWords(pair, maps, ["summary", "description", "examples"]);
    this.ofHeaders(pair, graph, before.headers, now.headers);
    ofLinks(pair, maps, before.links, now.links);
    this.contents.compare(pair, graph, { before: before.content, now: now.content });
  };

  private ofHeaders(
    pair: Pair,
    graph: Graph,
    before: readonly Named[],
    now: readonly Named[],
  ): void {
    // Names of headers are the same in any case (RFC 9110, 5.1).
    const byName = (all: readonly Named[]): Map<string, Named> =>
      new Map(all.map((each) => [each.name.toLowerCase(), each]));
    const [old, own] = [byName(before), byName(now)];
    for (const [name, header] of own) {
      const was = old.get(name);
      if (was === undefined) {
        const kind = "header added to an answer";
        add(pair, { in: kind, out: kind }, { what: header.name, now: header.place });
        continue;
      }
      const context = { label: ` header ${header.name}`, above: pair, area: pair.area };
      graph.link(pair, this.parameters.header(graph, was, header, context));
    }
    for (const [name, header] of old) {
      if (own.has(name)) continue;
      const kind = "header removed from an answer";
      add(pair, { in: kind, out: kind }, { what: header.name, before: header.place });
    }
  }

  private readonly compareBody: Compare<Two<Body>> = (pair, graph, { before, now }) => {
    const maps = { before: before.node, now: now.node };
    if (before.required !== now.required) {
      const kind = now.required ? "input now needed" : "input no longer needed";
      const places = { before: before.place, now: now.place };
      add(pair, { in: kind, out: kind }, places, placesOf(maps, "required"));
    }
    ofWords(pair, maps, ["description"]);
    const isForm = ({ form }: Body): boolean => form.length > 0;
    const [was, is] = [isForm(before), isForm(now)];
    if (was !== is) {
      const kind = "request body changed";
      add(pair, { in: kind, out: kind }, { before: before.place, now: now.place });
    }
    if (!was && !is)
      this.contents.compare(pair, graph, { before: before.content, now: now.content });
  };
}

function ofLinks(
  pair: Pair,
  maps: Two<MapNode>,
  before: readonly Named[],
  now: readonly Named[],
): void {
  const [old, own] = [before, now].map((all) => new Map(all.map((each) => [each.name, each])));
  for (const name of new Set([...before, ...now].map((each) => each.name))) {
    const [was, is] = [old?.get(name), own?.get(name)];
    if (isSameValue(was?.node, is?.node)) continue;
    const kind = "link of an answer changed";
    const places = {
      ...placesOf(maps, "links"),
      ...(was && { before: was.place }),
      ...(is && { now: is.place }),
    };
    add(pair, { in: kind, out: kind }, { what: name, ...places });
  }
}

function some<T>(...all: readonly (T | undefined)[]): T[] {
  return all.flatMap((each) => (each === undefined ? [] : [each]));
}
