/** Compares operations, of paths, webhooks and callbacks alike. */
import type { Body, Operation, Parameter, Response } from "../model/index.ts";
import { listAt, type MapNode, type Node } from "../tree/index.ts";
import type { Answers } from "./answers.ts";
import { add, both } from "./facts.ts";
import { type Compare, type Context, entry, type Graph, type Pair, type Way } from "./graph.ts";
import type { Parameters } from "./parameters.ts";
import { type Security, securityList } from "./security.ts";
import { hasServers, serversPair } from "./servers.ts";
import { ofDeprecated, ofMember, ofWords } from "./values.ts";
import type { World } from "./world.ts";

interface Two<T> {
  readonly before: T;
  readonly now: T;
}

/** Two operations, and which way what they are asked goes. */
interface Asked extends Two<Operation> {
  /** The service is the one that asks: of webhooks and callbacks. */
  readonly isOutward: boolean;
}

/** Names of an operation as people know it. */
export function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/** A path without the names of its parameters. */
export function shapeOf(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, "{}");
}

/** Compares operations. */
export class Operations {
  private readonly world: World;
  private readonly answers: Answers;
  private readonly parameters: Parameters;
  private readonly security: Security;

  constructor(
    world: World,
    of: { readonly answers: Answers; readonly parameters: Parameters; readonly security: Security },
  ) {
    this.world = world;
    this.answers = of.answers;
    this.parameters = of.parameters;
    this.security = of.security;
  }

  /** The pair of two operations. */
  pair(graph: Graph, asked: Asked, context: Context): Pair {
    const sides = {
      before: [asked.before.node, asked.before.item],
      now: [asked.now.node, asked.now.item],
    };
    return graph.pair(sides, this.compare, context, asked);
  }

  private readonly compare: Compare<Asked> = (pair, graph, asked) => {
    const { before, now, isOutward } = asked;
    const maps = { before: before.node, now: now.node };
    ofMember(pair, maps, "operationId", both("operation name changed"));
    ofDeprecated(pair, maps);
    ofWords(pair, maps, ["summary", "description", "tags", "externalDocs"]);
    ofWords(pair, { before: before.item, now: now.item }, ["summary", "description"]);
    const [asks, tells]: [Way, Way] = isOutward ? ["out", "in"] : ["in", "out"];
    this.ofParameters(pair, graph, asked, asks);
    this.ofBody(pair, graph, asked, asks);
    this.ofAnswers(pair, graph, asked, tells);
    this.ofSecurity(pair, graph, asked);
    this.ofServers(pair, graph, asked);
    this.ofCallbacks(pair, graph, asked);
  };

  private ofParameters(pair: Pair, graph: Graph, asked: Asked, turn: Way): void {
    const renamed = this.renamed(pair, asked);
    const isOwn = (each: Parameter): boolean => each.in !== "body";
    const old = asked.before.parameters.filter(isOwn);
    const own = asked.now.parameters.filter(isOwn);
    const nameIn = (each: Parameter): string => {
      const name = each.in === "path" ? renamed.get(each.name) : undefined;
      return `${each.in} ${name ?? each.name}`;
    };
    // Names of headers are the same in any case (RFC 9110, 5.1), though a file may have both.
    const anyCase = (each: Parameter): string =>
      each.in === "header" ? each.name.toLowerCase() : "";
    const exact = paired(old, own, (each) => `${each.in} ${each.name}`, nameIn);
    const header = paired(exact.gone, exact.added, anyCase, anyCase);
    const moved = paired(
      header.gone,
      header.added,
      ({ name }) => name,
      ({ name }) => name,
    );
    for (const two of [...exact.pairs, ...header.pairs]) this.ofParameter(pair, graph, two, turn);
    for (const { before, now } of moved.pairs) {
      const places = { before: before.place, now: now.place };
      const words = { what: now.name, was: before.in, is: now.in };
      add(pair, both("place of an input changed"), { ...words, ...places });
      this.ofParameter(pair, graph, { before, now }, turn);
    }
    for (const each of moved.added) {
      const kind = each.required ? "needed input added" : "optional input added";
      add(pair, both(kind), { what: parameterName(each), now: each.place });
    }
    for (const each of moved.gone) {
      add(pair, both("input removed"), { what: parameterName(each), before: each.place });
    }
  }

  private ofParameter(pair: Pair, graph: Graph, two: Two<Parameter>, turn: Way): void {
    const label = ` ${parameterName(two.now)}`;
    const context = { label, above: pair, area: pair.area };
    graph.link(pair, this.parameters.parameter(graph, two.before, two.now, context), { turn });
  }

  /** Names of parameters of the path, by the name that each has now. */
  private renamed(pair: Pair, { before, now }: Asked): Map<string, string> {
    const names = ({ path }: Operation): string[] =>
      [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? "");
    const [old, own] = [names(before), names(now)];
    const found = new Map<string, string>();
    own.forEach((name, at) => {
      const was = old[at];
      if (was === undefined || was === name) return;
      found.set(name, was);
      const places = { before: before.item, now: now.item };
      add(pair, both("path parameter renamed"), { was, is: name, ...places });
    });
    return found;
  }

  private ofBody(pair: Pair, graph: Graph, { before, now }: Asked, turn: Way): void {
    const [was, is] = [before.body, now.body];
    const what = "request body";
    if (was !== undefined && is !== undefined) {
      const types = this.typesOf("consumes", before.node, now.node);
      const context = { label: " request body", above: pair, area: pair.area };
      const to = this.answers.body(graph, { before: was, now: is }, { types, context });
      graph.link(pair, to, { turn });
    } else if (is !== undefined && isBody(is)) {
      const kind = is.required ? "needed input added" : "optional input added";
      add(pair, both(kind), { what, before: before.place, now: is.place });
    } else if (was !== undefined && isBody(was)) {
      add(pair, both("request body removed"), { what, before: was.place, now: now.place });
    }
  }

  /** The lists of media types that hold for two operations of Swagger. */
  private typesOf(key: string, before: MapNode, now: MapNode): Two<Node | undefined> {
    const { before: old, now: own } = this.world;
    const list = (side: typeof old, node: MapNode): Node | undefined =>
      side.description.kind === "swagger"
        ? (listAt(node, key) ?? listAt(side.description.root, key))
        : undefined;
    return { before: list(old, before), now: list(own, now) };
  }

  private ofAnswers(pair: Pair, graph: Graph, { before, now }: Asked, turn: Way): void {
    const types = this.typesOf("produces", before.node, now.node);
    const byStatus = ({ responses }: Operation): Map<string, Response> =>
      new Map(responses.map((each) => [each.status.toLowerCase(), each]));
    const [old, own] = [byStatus(before), byStatus(now)];
    for (const [status, answer] of own) {
      const was = old.get(status);
      if (was === undefined) {
        const kind = isError(status) ? "error answer added" : "answer added";
        add(pair, both(kind), { what: answer.status, now: answer.place });
        continue;
      }
      const context = { label: ` ${answer.status}`, above: pair, area: pair.area };
      const to = this.answers.answer(graph, { before: was, now: answer }, { types, context });
      graph.link(pair, to, { turn });
    }
    for (const [status, answer] of old) {
      if (own.has(status)) continue;
      const kind = isError(status) ? "error answer removed" : "answer removed";
      add(pair, both(kind), { what: answer.status, before: answer.place });
    }
  }

  private ofSecurity(pair: Pair, graph: Graph, { before, now }: Asked): void {
    const { world } = this;
    const lists = {
      before: securityList(before.node, world.before.description.root),
      now: securityList(now.node, world.now.description.root),
    };
    const said = { before: before.security, now: now.security };
    if (lists.before === undefined && lists.now === undefined) return;
    const context = { label: "", above: pair, area: pair.area };
    graph.link(pair, this.security.pair(graph, lists, said, context));
  }

  private ofServers(pair: Pair, graph: Graph, { before, now }: Asked): void {
    const owner = (each: Operation, root: MapNode): MapNode =>
      [each.node, each.item].find(hasServers) ?? root;
    const roots = {
      before: this.world.before.description.root,
      now: this.world.now.description.root,
    };
    const owners = { before: owner(before, roots.before), now: owner(now, roots.now) };
    if (Object.values(this.world).some((side) => side.description?.kind === "swagger")) return;
    const context = { label: "", above: pair, area: pair.area };
    const isWhole = owners.before === roots.before && owners.now === roots.now;
    const own = isWhole ? { label: "every operation", area: "service" as const } : context;
    graph.link(pair, serversPair(graph, owners, this.world, own));
  }

  private ofCallbacks(pair: Pair, graph: Graph, { before, now, isOutward }: Asked): void {
    const all = ({ callbacks }: Operation): Map<string, Operation> =>
      new Map(
        callbacks.flatMap(({ name, operations }) =>
          operations.map((each) => [`${name} ${nameOf(each)}`, each] as const),
        ),
      );
    const [old, own] = [all(before), all(now)];
    for (const [name, operation] of own) {
      const was = old.get(name);
      if (was === undefined) {
        add(pair, both("callback added"), { what: name, now: operation.place });
        continue;
      }
      const asked = { before: was, now: operation, isOutward: !isOutward };
      const context: Context = { label: ` callback ${name}`, above: pair, area: "events" };
      graph.link(pair, this.pair(graph, asked, context));
    }
    for (const [name, operation] of old) {
      if (own.has(name)) continue;
      add(pair, both("callback removed"), { what: name, before: operation.place });
    }
  }
}

interface Paired<T> {
  readonly pairs: readonly Two<T>[];
  readonly gone: readonly T[];
  readonly added: readonly T[];
}

/** Takes together what has the same key, in order; nothing has the key "". */
function paired<T>(
  before: readonly T[],
  now: readonly T[],
  keyBefore: (each: T) => string,
  keyNow: (each: T) => string,
): Paired<T> {
  const open = new Map<string, T[]>();
  for (const each of before) entry(open, keyBefore(each), () => [] as T[]).push(each);
  for (const all of open.values()) all.reverse();
  open.delete("");
  const pairs: Two<T>[] = [];
  const added = now.filter((each) => {
    const old = open.get(keyNow(each))?.pop();
    if (old !== undefined) pairs.push({ before: old, now: each });
    return old === undefined;
  });
  const taken = new Set(pairs.map((two) => two.before));
  return { pairs, gone: before.filter((each) => !taken.has(each)), added };
}

const parameterName = (each: Parameter): string => `${each.in} ${each.name}`;

/** Swagger's form parameters are compared one by one. */
const isBody = (body: Body): boolean => body.form.length === 0;

const isError = (status: string): boolean => /^[45]/.test(status);
