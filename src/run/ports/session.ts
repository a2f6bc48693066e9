/** The port of a store: the session of a running transaction, made of smaller ports. */
import type { Code } from "../../expr/index.ts";
import type { Calls } from "./calls.ts";
import type { Events, Messages } from "./outbox.ts";
import type { Row, Value } from "./value.ts";

/**
 * A query over one resource, made when a plan is compiled. All code in it is over the row variable
 * `as` and the parameters `$0`, `$1` ... (names of code, in the order of `args`) alone.
 */
export interface Query {
  /** Unique in a program. */
  readonly id: number;
  readonly resource: string;
  readonly as: string;
  /** Conditions that must all hold. */
  readonly where: readonly Code[];
  /** Rows that are equal in it follow by key, in the direction of the last of its parts. */
  readonly order: readonly { readonly by: Code; readonly descending: boolean }[];
  /** A value to give for each row instead of the row; undefined: rows. */
  readonly columns?: readonly Code[];
  /** Only the rows of certain keys: the argument of this number is the list of them. */
  readonly keysAt?: number;
}

/** Part of an ordered result. */
export interface Slice {
  readonly limit?: bigint;
  readonly offset?: bigint;
}

/** A text at the place of a field. */
export interface Having {
  readonly place: number;
  readonly text: string;
}

/** Rows by key. They are values: changing one writes nothing. */
interface Rows {
  get(resource: string, key: number): Row | undefined;
  /** Several rows by key, in no particular order; missing ones are left out. */
  getMany(resource: string, keys: readonly number[]): readonly Row[];
  /** Every row of a resource by key ascending, or every one that has the text. */
  all(resource: string, having?: Having): readonly Row[];
  /** The rows whose keys are greater than one, by key ascending: so many at most. */
  after(resource: string, key: number, most: number): readonly Row[];
  /** The resources that may hold rows; all others hold none. */
  filled(): ReadonlySet<string>;
  /** Gives the new row's key; `values` in the order of the fields. */
  insert(resource: string, values: readonly Value[]): number;
  update(resource: string, key: number, values: readonly Value[]): void;
  delete(resource: string, key: number): void;
}

/** Queries that a store runs itself. Order, where none is asked for: by key ascending. */
interface Queries {
  /** Whether the store runs the whole query itself with exactly the code's meaning. */
  able(query: Query): boolean;
  /** Undefined, here and below: the arguments cannot be bound exactly. */
  rows(query: Query, args: readonly Value[], slice?: Slice): readonly Row[] | undefined;
  /** For a query with columns: the key of each row and its columns. */
  columns(
    query: Query,
    args: readonly Value[],
    slice?: Slice,
  ): ReadonlyMap<number, readonly Value[]> | undefined;
  count(query: Query, args: readonly Value[]): bigint | undefined;
  exists(query: Query, args: readonly Value[]): boolean | undefined;
  /**
   * The different items of a list field of all rows, in the order in which they come first;
   * undefined: the store does not keep them apart.
   */
  differentItems(resource: string, field: string): readonly Value[] | undefined;
}

/** Numbers that a store takes and sums under names; all of it is part of the transaction. */
export interface Counters {
  /** Takes the next number of a named counter: 1, 2 ...; rolled back with its savepoint. */
  next(counter: string): bigint;
  /** The counter has given at least this number: what comes next is greater. */
  atLeast(counter: string, last: bigint): void;
  /** Adds to what is counted under a name for a group, at an instant. */
  tally(name: string, group: number, entry: { readonly at: bigint; readonly amount: bigint }): void;
  /** The sum of what was counted at `from` or later, and not behind `until`. */
  tallied(name: string, group: number, from: bigint, until?: bigint): bigint;
  /** The instants of what was counted at `from` or later, and not behind `until`, ascending. */
  tallies(name: string, group: number, from: bigint, until?: bigint): readonly bigint[];
  /** Takes out what was counted before `from`. */
  forget(name: string, group: number, from: bigint): void;
  /** The same for the group behind another, in a fixed order; gives it, where there is one. */
  prune(name: string, after: number | undefined, from: bigint): number | undefined;
}

/** Answers that are kept under names, to be given again. */
export interface KeptAnswers {
  /** The content kept under a name at `from` or later. */
  kept(name: string, from: bigint): string | undefined;
  /** Keeps a content under a name, in place of what was kept there. */
  keep(name: string, at: bigint, content: string): void;
  /** Takes out what was kept before `from`. */
  forget(from: bigint): void;
}

/** What is to happen outside when the transaction is committed. */
interface Outbox {
  readonly events: Events;
  readonly messages: Messages;
  readonly calls: Calls;
}

/** The synchronous store of a running transaction. It throws a `StoreFault` where it fails. */
export interface Session extends Rows, Queries, Outbox {
  readonly counters: Counters;
  readonly answers: KeptAnswers;
  savepoint(): void;
  /** Ends the innermost savepoint, keeping what was done. */
  release(): void;
  /** Undoes and ends the innermost savepoint. */
  rollback(): void;
}
