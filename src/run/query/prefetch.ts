/** Reads the queries that stand in a view for many rows at once: one statement instead of N. */

import { type Code, everyPart, rename } from "../../expr/index.ts";
import { type Activation, ROW, type Scope } from "../context/activation.ts";
import { EvaluationFault } from "../evaluate/index.ts";
import type { Query, Row, Value } from "../ports/index.ts";
import { compileIn, type PrefetchedQuery } from "./expression.ts";

import {
  type Decisions,
  type Evaluated,
  type Parameters,
  type Specialized,
  specialize,
} from "./specialize.ts";

interface Made {
  readonly query: Query;
  readonly used: readonly number[];
  /** For each column of the query its place among the view's queries. */
  readonly places: readonly number[];
}

function resourcesIn(code: Code): readonly string[] {
  return [...everyPart(code)].flatMap((part) => {
    if (part.op === "rows") return [part.resource];
    return part.type.kind === "row" ? [part.type.resource] : [];
  });
}

/** The queries over `it` of one view. */
export class Prefetch {
  readonly #unit: Scope;
  readonly #resource: string;
  readonly #specials: readonly Specialized[];
  /** Resources of all rows that the queries read. */
  readonly #reads: ReadonlySet<string>;
  readonly #values: Evaluated[] = [];
  readonly #made = new Map<string, Made | undefined>();

  constructor(scope: Scope, resource: string, queries: readonly PrefetchedQuery[]) {
    this.#unit = scope;
    this.#resource = resource;
    this.#reads = new Set(queries.flatMap(({ code }) => resourcesIn(code)));
    const parameters: Parameters = { values: this.#values, texts: new Map() };
    const making = {
      parameters,
      compile: (code: PrefetchedQuery["code"]) => compileIn(scope, code),
    };
    this.#specials = queries.map((one) =>
      specialize(rename(one.code, "it", ROW), new Set([ROW]), making),
    );
  }

  /** Sets `activation.prefetched`; what cannot be read ahead is left to each row. */
  read(activation: Activation, rows: readonly Row[]): void {
    activation.prefetched = undefined;
    if (this.#specials.length === 0 || rows.length === 0) return;
    const { tx } = activation;
    // A query of the store knows no gap.
    for (const one of this.#reads) {
      if (tx.hasDoubts(one) || tx.moreGap(one) !== undefined) return;
    }
    const trail: Decisions = { digits: "", at: 0 };
    const open: boolean[] = [];
    for (const one of this.#specials) open.push(this.#decide(one, activation, trail));
    const variant = `${trail.digits} ${open.map((one) => (one ? 1 : 0)).join("")}`;
    if (!this.#made.has(variant)) this.#made.set(variant, this.#build(activation, open, trail));
    const made = this.#made.get(variant);
    if (made === undefined) return;
    const args: Value[] = [];
    try {
      for (const place of made.used) args[place] = this.#values[place]?.(activation);
    } catch (error) {
      if (error instanceof EvaluationFault) return;
      throw error;
    }
    args[made.query.keysAt ?? 0] = rows.map((row) => row.key);
    activation.tx.flush();
    const read = activation.tx.session.columns(made.query, args);
    if (read === undefined) return;
    const ahead = new Map<number, Value[]>();
    for (const [key, values] of read) {
      const placed: Value[] = [];
      made.places.forEach((place, i) => {
        placed[place] = values[i];
      });
      ahead.set(key, placed);
    }
    activation.prefetched = ahead;
  }

  /** Whether a query can be read ahead: its conditions and arguments have values here. */
  #decide(one: Specialized, activation: Activation, trail: Decisions): boolean {
    const before = trail.digits;
    try {
      one.decide(activation, trail);
      const used = new Set<number>();
      one.build({ digits: trail.digits, at: before.length }, used);
      for (const place of used) this.#values[place]?.(activation);
      return true;
    } catch (error) {
      if (!(error instanceof EvaluationFault)) throw error;
      trail.digits = before;
      return false;
    }
  }

  #build(
    activation: Activation,
    open: readonly boolean[],
    { digits }: Decisions,
  ): Made | undefined {
    const reading: Decisions = { digits, at: 0 };
    const used = new Set<number>();
    const places: number[] = [];
    const columns: Query["columns"] = this.#specials.flatMap((one, place) => {
      if (!open[place]) return [];
      const own = new Set<number>();
      const built = one.build(reading, own);
      const alone = this.#query([built]);
      if (built.op === "literal" || !activation.tx.session.able(alone)) return [];
      places.push(place);
      for (const each of own) used.add(each);
      return [built];
    });
    if (columns.length === 0) return undefined;
    return { query: this.#query(columns), used: [...used], places };
  }

  #query(columns: NonNullable<Query["columns"]>): Query {
    return {
      id: this.#unit.model.nextQuery(),
      resource: this.#resource,
      as: ROW,
      where: [],
      order: [],
      columns,
      keysAt: this.#values.length,
    };
  }
}
