/**
 * Finds the rows of a resource that satisfy a condition: by a query of the store where the store
 * has one of exactly that meaning, else by evaluating the same condition over every row.
 */
import {
  type Code,
  callOf,
  conjuncts,
  freeNames,
  nameOf,
  partsOf,
  rename,
  type Type,
  truth,
  withParts,
} from "../../expr/index.ts";

import { type Activation, ROW, type Scope, UNSEEN } from "../context/activation.ts";
import type { Transaction } from "../context/transaction.ts";
import { compile, type Evaluate, EvaluationFault, GapFault, SEEN } from "../evaluate/index.ts";

import type { Having, Query, Row, Slice, Value } from "../ports/index.ts";
import { type SortKey, sortRows } from "./sort.ts";
import {
  type CompileOuter,
  type Decisions,
  type Evaluated,
  type Specialized,
  specialize,
} from "./specialize.ts";

/** Name of the rows among which a query without a store looks. */
const KEPT = "#kept";

interface FinderParts {
  readonly scope: Scope;
  readonly resource: string;
  /** Conditions over `ROW`, that must all hold. */
  readonly where: readonly Code[];
  /** Keys over `ROW`. */
  readonly order?: readonly SortKey[];
  readonly compile: CompileOuter;
  /** What the clock looks for: rows as they are kept, whatever of them is not known. */
  readonly isRaw?: boolean;
  /** Makes code over `ROW` fit for the evaluator: names of unread lists, queries of its own. */
  readonly rewrite: (code: Code) => Code;
}

/** A query with its arguments, ready to run; `never`: a decided condition is false. */
export type Ready =
  | { readonly query: Query; readonly args: readonly Value[] }
  | "never"
  | "in memory";

/** Rows, count and existence of one condition in one unit. */
export class Finder {
  readonly #parts: FinderParts;
  readonly #where: readonly Specialized[];
  readonly #order: readonly Specialized[];
  readonly #values: Evaluated[] = [];
  readonly #queries = new Map<string, { query: Query; used: readonly number[] } | "never">();
  #memory: Evaluate | undefined;
  #anyInMemory: Evaluate | undefined;
  /** Fields whose value all rows share; undefined: nobody asks. */
  readonly #alike: readonly (readonly [name: string, value: Evaluated])[] | undefined;
  readonly #scope: Scope;
  /** The slot of all rows, also of those that may be there no more. */
  readonly #kept: number;

  constructor(parts: FinderParts) {
    const { scope, compile: outer } = parts;
    this.#scope = scope;
    this.#parts = parts;
    this.#kept = scope.slot(KEPT);
    for (const code of parts.where) scope.reserve(rename(code, ROW, UNSEEN));
    for (const key of parts.order ?? []) scope.reserve(rename(key.by, ROW, UNSEEN));
    if (scope.model.options.doubts !== undefined) {
      this.#alike = parts.where.flatMap(conjuncts).flatMap((one) => alikeIn(one, outer));
    }
    const making = { compile: outer, parameters: { values: this.#values, texts: new Map() } };
    const bound = new Set([ROW]);
    this.#where = parts.where.flatMap(conjuncts).map((one) => specialize(one, bound, making));
    this.#order = (parts.order ?? []).map((key) => specialize(key.by, bound, making));
  }

  get resource(): string {
    return this.#parts.resource;
  }

  /** The same finder with its rows in another order. */
  ordered(order: readonly SortKey[]): Finder {
    return new Finder({ ...this.#parts, order });
  }

  #build(trail: Decisions): { query: Query; used: readonly number[] } | "never" {
    const used = new Set<number>();
    const where: Code[] = [];
    for (const part of this.#where) {
      const built = part.build(trail, used);
      if (built.op === "literal" && built.value === false) return "never";
      if (built.op !== "literal") where.push(built);
    }
    const order = this.#order.map((part, i) => ({
      by: part.build(trail, used),
      descending: this.#parts.order?.[i]?.descending === true,
    }));
    const query: Query = {
      id: this.#scope.model.nextQuery(),
      resource: this.resource,
      as: ROW,
      where,
      order,
    };
    return { query, used: [...used] };
  }

  /** Decides what can be decided and evaluates the arguments, in the activation as it is now. */
  ready(activation: Activation): Ready {
    // A query of the store knows no gap that another condition may absorb.
    if (!this.#parts.isRaw && activation.tx.hasDoubts(this.resource)) return "in memory";
    const trail: Decisions = { digits: "", at: 0 };
    try {
      const fails = this.#where.some((part) => part.decide(activation, trail) === false);
      if (!fails) for (const part of this.#order) part.decide(activation, trail);
      let made = this.#queries.get(trail.digits);
      if (made === undefined) {
        made = this.#build(trail);
        this.#queries.set(trail.digits, made);
      }
      if (made === "never") return made;
      if (!activation.tx.session.able(made.query)) return "in memory";
      const args: Value[] = [];
      for (const place of made.used) args[place] = this.#values[place]?.(activation);
      return { query: made.query, args };
    } catch (error) {
      // A fault here need not be one of the whole: another row or part may absorb it.
      if (error instanceof EvaluationFault) return "in memory";
      throw error;
    }
  }

  /** Rows by a query made ready, or by evaluating in the activation. */
  rows(
    activation: Activation,
    slice?: Slice,
    ready: Ready = this.ready(activation),
  ): readonly Row[] {
    if (ready === "never") return [];
    this.#meetStart(activation);
    const { tx } = activation;
    if (ready !== "in memory") {
      tx.flush();
      const found = tx.session.rows(ready.query, ready.args, slice);
      if (found !== undefined) return found.map((row) => tx.identify(row));
    }
    const all = sortRows(activation, this.#evaluate(activation), this.#parts);
    const from = Number(slice?.offset ?? 0n);
    return slice?.limit === undefined
      ? all.slice(from)
      : all.slice(from, from + Number(slice.limit));
  }

  count(activation: Activation, ready: Ready = this.ready(activation)): bigint {
    if (ready === "never") return 0n;
    this.#meetStart(activation);
    if (ready !== "in memory") {
      activation.tx.flush();
      const found = activation.tx.session.count(ready.query, ready.args);
      if (found !== undefined) return found;
    }
    return BigInt(this.#evaluate(activation).length);
  }

  exists(activation: Activation): boolean {
    const ready = this.ready(activation);
    if (ready === "never") return false;
    if (ready !== "in memory") {
      activation.tx.flush();
      const found = activation.tx.session.exists(ready.query, ready.args);
      if (found === false) this.#meetStart(activation, true);
      if (found !== undefined) return found;
    }
    return this.#existsInMemory(activation);
  }

  /** The row that a condition finds which no two rows fulfil. */
  sole(activation: Activation): Row | undefined {
    const ready = this.ready(activation);
    if (ready === "never") return undefined;
    const { tx } = activation;
    let found: Row | undefined;
    if (ready === "in memory") [found] = this.#evaluate(activation);
    else {
      tx.flush();
      [found] = tx.session.rows(ready.query, ready.args, { limit: 1n }) ?? [];
    }
    if (found === undefined) this.#meetStart(activation, true);
    return found && tx.identify(found);
  }

  /** What is not found may be among rows of which it is not shown whether they are there. */
  #meetStart(activation: Activation, isOne = false): void {
    const { tx } = activation;
    const alike = this.#alike?.map(([name, value]) => [name, value(activation)] as const);
    const start = this.#parts.isRaw ? undefined : tx.moreGap(this.resource, alike, isOne);
    if (start !== undefined) throw new GapFault(start);
  }

  /** One row that is sure to be there is enough, whatever is not known of others. */
  #existsInMemory(activation: Activation): boolean {
    this.#anyInMemory ??= this.#inMemory("exists");
    const { tx } = activation;
    const isAny = (rows: readonly Row[]): boolean => {
      activation.set(this.#kept, rows);
      return this.#anyInMemory?.(activation.values, tx, this.#scope.model.workMax) === true;
    };
    const [sure, unsure] = parted(tx, tx.kept(this.resource));
    if (isAny(sure)) return true;
    if (unsure.length > 0 && isAny(unsure)) for (const row of unsure) tx.meetThere(row);
    this.#meetStart(activation, true);
    return false;
  }

  #evaluate(activation: Activation): readonly Row[] {
    this.#memory ??= this.#inMemory("filter");
    const { model } = this.#scope;
    const { tx } = activation;
    activation.set(this.#kept, tx.kept(this.resource, this.#likely(activation)));
    const found = this.#memory(activation.values, tx, model.workMax) as readonly Row[];
    for (const row of found) tx.meetThere(row);
    return found;
  }

  /** A text without which the condition is sure to be false of a row; undefined: none is known. */
  #likely(activation: Activation): Having | undefined {
    const { model } = this.#scope;
    if (this.#alike === undefined || activation.tx.hasDoubts(this.resource)) return undefined;
    for (const [name, evaluated] of this.#alike) {
      const text = evaluated(activation);
      const place = model.info(this.resource).at.get(name);
      if (typeof text === "string" && place !== undefined) return { place, text };
    }
    return undefined;
  }

  #inMemory(macro: "filter" | "exists"): Evaluate {
    const { resource, where, rewrite } = this.#parts;
    const type: Type = { kind: "list", of: { kind: "row", resource } };
    const [first = truth(true), ...rest] = where;
    const body = rest.length === 0 ? first : callOf("&&", first, ...rest);
    const code: Code = {
      op: "each",
      type: macro === "filter" ? type : { kind: "boolean" },
      macro,
      as: ROW,
      body: nested(rewrite(body)),
      over: nameOf(KEPT, type),
    };
    return compile(code, this.#scope.layout);
  }
}

/** The field that a condition over `ROW` compares with what is the same for all rows. */
function alikeIn(
  code: Code,
  outer: CompileOuter,
): readonly (readonly [name: string, value: Evaluated])[] {
  if (code.op !== "call" || code.fn !== "==") return [];
  const [a, b] = code.args;
  for (const [one, other] of [
    [a, b],
    [b, a],
  ]) {
    const field = one?.op === "call" && one.fn === SEEN ? one.args[0] : one;
    if (field?.op !== "get" || field.of.op !== "name" || field.of.name !== ROW) continue;
    if (other === undefined || freeNames(other).has(ROW)) continue;
    const value = outer(other);
    return [[field.member, (activation) => orNothing(() => value(activation))]];
  }
  return [];
}

/** Undefined where it cannot be evaluated: then nothing is told. */
function orNothing(evaluate: () => Value): Value {
  try {
    return evaluate();
  } catch (fault) {
    if (fault instanceof EvaluationFault || fault instanceof GapFault) return undefined;
    throw fault;
  }
}

/** Rows that are sure to be there, and those that may be there no more. */
function parted(tx: Transaction, rows: readonly Row[]): readonly [readonly Row[], readonly Row[]] {
  const sure = rows.filter((row) => tx.isThere(row));
  return [sure, sure.length === rows.length ? [] : rows.filter((row) => !tx.isThere(row))];
}

/** `&&` and `||` of two arguments each, as the evaluator takes them. */
function nested(code: Code): Code {
  if (code.op === "call" && (code.fn === "&&" || code.fn === "||") && code.args.length > 2) {
    const [first, second, ...rest] = code.args as [Code, Code, ...Code[]];
    return nested({ ...code, args: [{ ...code, args: [first, second] }, ...rest] });
  }
  return withParts(code, partsOf(code).map(nested));
}
