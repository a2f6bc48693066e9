/**
 * What is compared as a graph: each pair of values once, with what differs at it, and the pairs
 * below. Operations walk it in two directions: what is sent to the service, and what it sends.
 */
import type { ChangeName } from "../../language/index.ts";
import type { Node, Place } from "../tree/index.ts";
import type { Area } from "./types.ts";

/** `in`: to the service; `out`: from it. */
export type Way = "in" | "out";

/** Something that differs: its kind in each direction; none: it means nothing there. */
export interface Fact {
  readonly in?: ChangeName;
  readonly out?: ChangeName;
  /** Behind what the pair is about. */
  readonly at?: string;
  /** Where it stands in a named schema of its own: that name. */
  readonly owner?: string;
  readonly what?: string;
  readonly was?: string;
  readonly is?: string;
  readonly before?: Place;
  readonly now?: Place;
}

interface Edge {
  readonly to: Pair;
  /** The direction in which it is not gone. */
  readonly cut?: Way;
  /** Goes on in this direction whatever the one before was. */
  readonly turn?: Way;
}

/** Two values that stand for the same thing, one of each file. */
export class Pair {
  readonly before: readonly Node[];
  readonly now: readonly Node[];
  readonly facts: Fact[] = [];
  readonly edges: Edge[] = [];
  /** The pairs that lead to this one. */
  readonly from: Pair[] = [];
  /** What it is about: a name of its own, or a step behind another pair. */
  readonly label: string;
  readonly above: Pair | undefined;
  readonly area: Area;
  /** Whether a difference is at it or below it. */
  isDirty = false;
  /** The last operation that came by, in each direction. */
  seenIn = -1;
  seenOut = -1;

  constructor(sides: Sides, context: Context) {
    this.before = sides.before;
    this.now = sides.now;
    this.label = context.label;
    this.above = context.above;
    this.area = context.area;
  }

  /** What it is about, in words. */
  get about(): string {
    const steps = [this.label];
    for (let at = this.above; at !== undefined; at = at.above) steps.push(at.label);
    return steps.reverse().join("");
  }
}

export interface Sides {
  readonly before: readonly Node[];
  readonly now: readonly Node[];
}

export interface Context {
  readonly label: string;
  readonly above?: Pair | undefined;
  readonly area: Area;
}

/** Compares what stands at a pair, and asks for the pairs below it. */
export type Compare<T = unknown> = (pair: Pair, graph: Graph, data: T) => void;

/** All pairs, each made once. */
export class Graph {
  readonly all: Pair[] = [];
  private readonly left: (() => void)[] = [];
  private readonly known = new Map<unknown, Map<Node, Map<Node, Pair>>>();
  private readonly many = new Map<string, Pair>();
  private readonly ids = new Map<Node, number>();
  private readonly comparisons = new Map<unknown, number>();

  /** The pair of these values; one that is new is compared later. */
  pair(sides: Sides, compare: Compare, context: Context): Pair;
  /** The same with what the values are known to be. */
  pair<T>(sides: Sides, compare: Compare<T>, context: Context, data: T): Pair;
  pair<T>(sides: Sides, compare: Compare<T>, context: Context, data?: T): Pair {
    const [before, now] = [sides.before[0], sides.now[0]];
    const make = (): Pair => {
      const pair = new Pair(sides, context);
      this.all.push(pair);
      this.left.push(() => compare(pair, this, data as T));
      return pair;
    };
    const isOne = sides.before.length === 1 && sides.now.length === 1;
    if (!isOne || before === undefined || now === undefined) {
      const of = entry(this.comparisons, compare, () => this.comparisons.size);
      const key = `${of} ${this.idsOf(sides.before)} ${this.idsOf(sides.now)}`;
      const found = this.many.get(key) ?? make();
      this.many.set(key, found);
      return found;
    }
    const byBefore = entry(this.known, compare, newMap<Node, Map<Node, Pair>>);
    const byNow = entry(byBefore, before, newMap<Node, Pair>);
    const found = byNow.get(now) ?? make();
    byNow.set(now, found);
    return found;
  }

  private idsOf(nodes: readonly Node[]): string {
    return nodes.map((each) => entry(this.ids, each, () => this.ids.size)).join(",");
  }

  /** One leads to the other. */
  link(from: Pair, to: Pair, how: Omit<Edge, "to"> = {}): void {
    from.edges.push({ to, ...how });
    to.from.push(from);
  }

  /** Compares all that is asked for, and what that asks for. */
  run(): void {
    for (let next = this.left.pop(); next !== undefined; next = this.left.pop()) {
      next();
    }
    const dirty = this.all.filter(({ facts }) => facts.length > 0);
    for (const pair of dirty) pair.isDirty = true;
    for (let pair = dirty.pop(); pair !== undefined; pair = dirty.pop()) {
      for (const above of pair.from) {
        if (above.isDirty) continue;
        above.isDirty = true;
        dirty.push(above);
      }
    }
  }
}

function newMap<K, V>(): Map<K, V> {
  return new Map();
}

/** The value of a key, made where there is none. */
export function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
