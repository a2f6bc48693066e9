/** Compares media types of bodies, answers and parameters, with what each holds. */
import type { ChangeName } from "../../language/index.ts";
import type { Media } from "../model/index.ts";
import type { MapNode } from "../tree/index.ts";
import { add, RULES, WRITTEN } from "./facts.ts";
import type { Graph, Pair, Way } from "./graph.ts";
import type { Schemas } from "./schemas.ts";
import { asMap, ofMember, ofWords } from "./values.ts";
import type { Side } from "./world.ts";

const ADDED: Readonly<Record<Way, ChangeName>> = {
  in: "media type of requests added",
  out: "media type of answers added",
};
const GONE: Readonly<Record<Way, ChangeName>> = {
  in: "media type of requests removed",
  out: "media type of answers removed",
};

interface Two<T> {
  readonly before: T;
  readonly now: T;
}

/** Compares what bodies hold. */
export class Contents {
  private readonly schemas: Schemas;
  private readonly side: Side;

  constructor(schemas: Schemas, side: Side) {
    this.schemas = schemas;
    this.side = side;
  }

  /** The media types of an object that has `content`. */
  ofMap(node: MapNode): Media[] {
    const content = asMap(node.get("content"));
    return (content?.keys ?? []).flatMap((type, at) => {
      const value = content?.values[at];
      const media = value && asMap(this.side.follow(value));
      if (content === undefined || media === undefined) return [];
      const schema = media.get("schema");
      return [{ type, place: content.keyPlace(type), node: media, ...(schema && { schema }) }];
    });
  }

  /** Compares media types by name. */
  compare(pair: Pair, graph: Graph, content: Two<readonly Media[]>): void {
    const { before, now } = content;
    const [only, own] = [before[0], now[0]];
    // Swagger may leave it open which type a body has: what it holds is compared all the same.
    const isOpen = only?.type === undefined || own?.type === undefined;
    if (before.length === 1 && now.length === 1 && only && own && isOpen) {
      this.ofMedia(pair, graph, { before: only, now: own });
      return;
    }
    const [old, named] = [byType(before), byType(now)];
    for (const [type, media] of named) {
      const was = old.get(type);
      if (was !== undefined) this.ofMedia(pair, graph, { before: was, now: media });
      else add(pair, ADDED, { what: type, now: media.place });
    }
    for (const [type, { place }] of old) {
      if (named.has(type)) continue;
      add(pair, GONE, { what: type, before: place });
    }
  }

  private ofMedia(pair: Pair, graph: Graph, { before, now }: Two<Media>): void {
    const at = now.type === undefined ? "" : ` ${now.type}`;
    const maps = { before: before.node, now: now.node, at };
    ofMember(pair, maps, "encoding", WRITTEN);
    ofWords(pair, maps, ["example", "examples"]);
    const { schema: old } = before;
    const { schema: own } = now;
    if (old !== undefined && own !== undefined) {
      const context = { label: at, above: pair, area: pair.area };
      graph.link(pair, this.schemas.pair(graph, { before: [old], now: [own] }, context));
    } else if (old !== undefined || own !== undefined) {
      const kinds = old === undefined ? RULES.stricter : RULES.looser;
      add(pair, kinds, { at, what: "schema", before: old ?? before.place, now: own ?? now.place });
    }
  }
}

function byType(content: readonly Media[]): Map<string, Media> {
  return new Map(content.map((each) => [(each.type ?? "any").toLowerCase(), each]));
}
