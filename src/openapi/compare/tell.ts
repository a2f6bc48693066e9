/** Tells what was found: each change once for its cause, with the operations that it reaches. */
import type { ChangeName } from "../../language/index.ts";
import type { Place } from "../tree/index.ts";
import type { Fact, Graph, Pair, Way } from "./graph.ts";
import type { Area, FileChange } from "./types.ts";

/** Steps from pair to pair, above those that the size of the files allows, by how much. */
const STEPS_PER_PAIR = 64;
const STEPS_MIN = 4_000_000;

interface Told {
  readonly change: Omit<FileChange, "operations" | "first">;
  operations: number;
  first?: string;
  /** The last operation that was counted. */
  last: number;
}

/** An operation of both files. */
export interface Root {
  readonly pair: Pair;
  readonly name: string;
}

/** Gathers changes. */
export class Teller {
  private readonly told = new Map<string, Told>();
  private readonly ofFacts = new Map<Fact, { in?: Told; out?: Told }>();
  /** The places of what is told. */
  private readonly places = new Set<string>();
  private readonly steps: number;
  private gone = 0;
  private isCounting = true;
  /** Pairs below named schemas that no operation reaches. */
  private readonly looked = new Set<Pair>();
  private operation = 0;

  constructor(graph: Graph) {
    this.steps = STEPS_MIN + STEPS_PER_PAIR * graph.all.length;
  }

  get isCut(): boolean {
    return this.gone > this.steps;
  }

  /** Everything that differs below pairs, each told of one operation. */
  walkAll(roots: readonly Root[]): void {
    for (const { pair, name } of roots) {
      this.operation += 1;
      if (!this.isCut) this.walk(pair, name);
    }
    if (!this.isCut) return;
    // What is not counted any more is told all the same: each pair is entered once for all roots.
    this.operation += 1;
    this.isCounting = false;
    for (const { pair, name } of roots) this.walk(pair, name);
  }

  private walk(root: Pair, name: string): void {
    const left: [pair: Pair, way: Way | undefined][] = [[root, undefined]];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [pair, way] = next;
      if (!this.enter(pair, way)) continue;
      for (const fact of pair.facts) this.tellFact(pair, fact, way, name);
      for (const { to, cut, turn } of pair.edges) {
        const on = turn ?? way;
        if (to.isDirty && (cut === undefined || cut !== on)) left.push([to, on]);
      }
    }
  }

  private enter(pair: Pair, way: Way | undefined): boolean {
    if (!pair.isDirty || (this.isCounting && this.isCut)) return false;
    const key = way === "out" ? "seenOut" : "seenIn";
    if (pair[key] === this.operation) return false;
    pair[key] = this.operation;
    this.gone += 1 + pair.edges.length + pair.facts.length;
    return true;
  }

  private tellFact(pair: Pair, fact: Fact, way: Way | undefined, operation: string): void {
    const on = way ?? "in";
    const kind = fact[on];
    if (kind === undefined) return;
    let both = this.ofFacts.get(fact);
    if (both === undefined) this.ofFacts.set(fact, (both = {}));
    both[on] ??= this.toldOf(changeOf(kind, pair, fact));
    if (this.isCounting || both[on].operations === 0) count(both[on], this.operation, operation);
  }

  /** A change that is about one operation, or about none. */
  tell(change: Told["change"], operations = 1): void {
    this.toldOf(change).operations = operations;
  }

  /** What differs below a pair and that no operation reaches. */
  rest(root: Pair): void {
    const left = [root];
    const seen = new Set<Pair>();
    for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
      if (seen.has(pair) || isReached(pair)) continue;
      seen.add(pair);
      for (const fact of pair.facts) {
        const kind = fact.in ?? fact.out;
        if (kind !== undefined) this.toldOf(changeOf(kind, pair, fact));
      }
      for (const { to } of pair.edges) if (to.isDirty) left.push(to);
    }
  }

  /** A named schema that differs, where no operation reaches the difference. */
  unused(root: Pair): void {
    if (!root.isDirty || isReached(root)) return;
    const left = [root];
    for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
      const isOther = pair !== root && pair.above === undefined;
      if (this.looked.has(pair) || isOther || isReached(pair)) continue;
      this.looked.add(pair);
      const fact = pair.facts.find(
        ({ before, now }) => !this.places.has(`${keyOf(before)} ${keyOf(now)}`),
      );
      if (fact !== undefined) {
        const { before, now } = fact;
        const places = { ...(before && { before }), ...(now && { now }) };
        const kind = "unused schema changed";
        this.toldOf({ kind, about: root.about, area: "schemas", ...places });
        return;
      }
      for (const { to } of pair.edges) if (to.isDirty) left.push(to);
    }
  }

  private toldOf(change: Told["change"]): Told {
    const { kind, about, what, was, is, before, now } = change;
    this.places.add(`${keyOf(before)} ${keyOf(now)}`);
    const at = before === undefined && now === undefined ? about : "";
    const key = JSON.stringify([kind, keyOf(before), keyOf(now), what, was, is, at]);
    let told = this.told.get(key);
    if (told === undefined) this.told.set(key, (told = { change, operations: 0, last: -1 }));
    return told;
  }

  changes(): FileChange[] {
    return [...this.told.values()].map(({ change, operations, first }) => ({
      ...change,
      operations,
      ...(first === undefined ? {} : { first }),
    }));
  }
}

/** Whether any operation came by. */
function isReached({ seenIn, seenOut }: Pair): boolean {
  return seenIn >= 0 || seenOut >= 0;
}

function count(told: Told, operation: number, name: string): void {
  if (told.last === operation) return;
  told.last = operation;
  told.operations += 1;
  told.first ??= name;
}

const keyOf = (place: Place | undefined): string =>
  place === undefined ? "" : `${place.file}:${place.start}`;

function changeOf(kind: ChangeName, pair: Pair, fact: Fact): Told["change"] {
  const { in: _in, out: _out, at = "", owner, ...said } = fact;
  const area: Area = owner === undefined ? pair.area : "schemas";
  return { kind, about: `${owner ?? pair.about}${at}`, area, ...said };
}
