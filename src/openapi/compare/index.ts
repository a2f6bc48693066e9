/** The door of `compare`: two descriptions to what has changed from one to the other. */
import type { Description, Operation } from "../model/index.ts";
import { Answers } from "./answers.ts";
import { Contents } from "./contents.ts";
import { both } from "./facts.ts";
import { Graph, type Pair } from "./graph.ts";
import { nameOf, Operations, shapeOf } from "./operations.ts";
import { Parameters } from "./parameters.ts";
import { Schemas } from "./schemas.ts";
import { Security } from "./security.ts";
import { serversPair } from "./servers.ts";
import { type Root, Teller } from "./tell.ts";
import type { Area, Comparison } from "./types.ts";
import { asMap, ofMember, ofWords } from "./values.ts";
import { Side, type World } from "./world.ts";

export type { Area, Comparison, FileChange } from "./types.ts";

/** Compares two descriptions. Total; linear in the two files. */
export function compare(before: Description, now: Description): Comparison {
  const world: World = {
    before: new Side(before),
    now: new Side(now),
    isOneDialect:
      before.kind === now.kind && before.version.slice(0, 3) === now.version.slice(0, 3),
  };
  return new Whole(world).compare();
}

interface Two<T> {
  readonly before: T;
  readonly now: T;
}

/** One comparison. */
class Whole {
  private readonly world: World;
  private readonly graph = new Graph();
  private readonly schemas: Schemas;
  private readonly operations: Operations;
  private readonly security: Security;
  private readonly roots: Root[] = [];
  private readonly alone: ((teller: Teller) => void)[] = [];

  constructor(world: World) {
    this.world = world;
    const kinds = {
      before: world.before.description.kind === "swagger",
      now: world.now.description.kind === "swagger",
    };
    this.schemas = new Schemas(world);
    const contents = new Contents(this.schemas, world.now);
    const parameters = new Parameters(this.schemas, contents, kinds);
    const answers = new Answers(contents, parameters);
    this.security = new Security(world);
    this.operations = new Operations(world, { answers, parameters, security: this.security });
  }

  compare(): Comparison {
    const { before, now } = this.world;
    const [old, own] = [before.description, now.description];
    this.ofOperations({ before: old.operations, now: own.operations }, "endpoints");
    this.ofOperations({ before: old.webhooks, now: own.webhooks }, "events");
    const schemes = this.ofSchemes();
    const named = this.ofNamed();
    const whole = this.ofFile();
    this.graph.run();
    const teller = new Teller(this.graph);
    for (const tell of this.alone) tell(teller);
    teller.rest(whole);
    teller.walkAll(this.roots);
    for (const pair of schemes) teller.rest(pair);
    for (const pair of named) teller.unused(pair);
    return { changes: teller.changes(), isCut: teller.isCut };
  }

  private ofOperations(all: Two<readonly Operation[]>, area: "endpoints" | "events"): void {
    const isOutward = area === "events";
    const kinds = isOutward
      ? (["webhook added", "webhook removed"] as const)
      : (["endpoint added", "endpoint removed"] as const);
    const { pairs, gone, added } = matched(all);
    for (const [before, now] of pairs) {
      const name = nameOf(now);
      const pair = this.operations.pair(
        this.graph,
        { before, now, isOutward },
        { label: name, area },
      );
      this.roots.push({ pair, name });
    }
    for (const each of added) {
      this.alone.push((teller) =>
        teller.tell({ kind: kinds[0], about: nameOf(each), area, now: each.place }),
      );
    }
    for (const each of gone) {
      this.alone.push((teller) =>
        teller.tell({ kind: kinds[1], about: nameOf(each), area, before: each.place }),
      );
    }
  }

  private ofSchemes(): Pair[] {
    const { before, now } = this.world;
    const area: Area = "security";
    for (const { name, place } of now.schemes.values()) {
      if (before.schemes.has(name)) continue;
      this.alone.push((teller) =>
        teller.tell({ kind: "scheme added", about: name, area, now: place }, 0),
      );
    }
    for (const { name, place } of before.schemes.values()) {
      if (now.schemes.has(name)) continue;
      this.alone.push((teller) =>
        teller.tell({ kind: "scheme removed", about: name, area, before: place }, 0),
      );
    }
    return [...now.schemes.keys()].flatMap((name) => this.security.scheme(this.graph, name) ?? []);
  }

  /** Named schemas, whether an operation uses them or not. */
  private ofNamed(): Pair[] {
    const [old, own] = [this.world.before, this.world.now].map(
      ({ description }) => new Map(description.schemas.map((each) => [each.name, each])),
    );
    const found: Pair[] = [];
    for (const [name, { node, place }] of own ?? []) {
      const was = old?.get(name);
      const about = { about: name, area: "schemas" } as const;
      if (was === undefined) {
        this.alone.push((teller) =>
          teller.tell({ kind: "named schema added", ...about, now: place }, 0),
        );
        continue;
      }
      const sides = { before: [was.node], now: [node] };
      found.push(this.schemas.pair(this.graph, sides, { label: name, area: "schemas" }));
    }
    for (const [name, { place }] of old ?? []) {
      if (own?.has(name)) continue;
      this.alone.push((teller) =>
        teller.tell(
          { kind: "named schema removed", about: name, area: "schemas", before: place },
          0,
        ),
      );
    }
    return found;
  }

  /** What is said of the file as a whole. */
  private ofFile(): Pair {
    const { before, now } = this.world;
    const roots = { before: before.description.root, now: now.description.root };
    const compareFile = (pair: Pair): void => {
      const infos = { before: asMap(roots.before.get("info")), now: asMap(roots.now.get("info")) };
      ofMember(pair, infos, "version", both("version changed"));
      ofWords(pair, infos, [
        "title",
        "summary",
        "description",
        "termsOfService",
        "contact",
        "license",
      ]);
      ofWords(pair, roots, ["tags", "externalDocs"]);
      for (const key of ["openapi", "swagger", "jsonSchemaDialect", "$self"]) {
        ofMember(pair, roots, key, both("annotation changed"));
      }
    };
    const context = { label: "the file", area: "service" } as const;
    const sides = { before: [roots.before], now: [roots.now] };
    const pair = this.graph.pair(sides, compareFile, context);
    const servers = serversPair(this.graph, roots, this.world, {
      label: "every operation",
      area: "service",
    });
    this.graph.link(pair, servers);
    return pair;
  }
}

/** Finds for each operation the one that it was: by its path, else by the shape of that. */
function matched({ before, now }: Two<readonly Operation[]>): {
  pairs: (readonly [Operation, Operation])[];
  gone: Operation[];
  added: Operation[];
} {
  const old = new Map(before.map((each) => [nameOf(each), each]));
  const pairs: (readonly [Operation, Operation])[] = [];
  const open = now.filter((each) => {
    const was = old.get(nameOf(each));
    if (was === undefined) return true;
    old.delete(nameOf(each));
    pairs.push([was, each]);
    return false;
  });
  const byShape = new Map([...old.values()].map((each) => [shapeOf(nameOf(each)), each]));
  const added = open.filter((each) => {
    const was = byShape.get(shapeOf(nameOf(each)));
    if (was === undefined) return true;
    byShape.delete(shapeOf(nameOf(each)));
    old.delete(nameOf(was));
    pairs.push([was, each]);
    return false;
  });
  return { pairs, gone: [...old.values()], added };
}
