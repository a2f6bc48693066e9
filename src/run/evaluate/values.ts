/** Values at run time, rows, and the port through which an evaluation reads them. */
import type { Code } from "../../expr/index.ts";
import { RUN_BOUNDS } from "./bounds.ts";
import { EvaluationFault } from "./fault.ts";

/**
 * A value, by its static type: see `Type` of the expressions. A row is a `Row`, a reference the
 * row's key (a JS number); maps, objects (bodies, `query` ...) are `Map`s, so that no key of a
 * user can meet a prototype; absent is undefined. Json: null, boolean, string, array, Map, and
 * `{ numberText }`.
 */
export type Value =
  | boolean
  | string
  | bigint
  | number
  | null
  | undefined
  | readonly Value[]
  | ReadonlyMap<string, unknown>
  | Row
  | object;

/** A stored row: `values` in the order of `Layout.fields`. Rows are equal when their keys are. */
export interface Row {
  readonly resource: string;
  readonly key: number;
  readonly values: readonly Value[];
}

/**
 * A hash (FIPS 180-4, RFC 1321), or with a key the HMAC (RFC 2104) of it, in hexadecimal digits in
 * lower case. A text stands for its UTF-8.
 */
export type Digest = (
  algorithm: "md5" | "sha1" | "sha256" | "sha512",
  data: string | Uint8Array,
  key?: string,
) => string;

/** Data, and what a host computes. The functions of secrets are missing where a host has none. */
export interface Source {
  get(resource: string, key: number): Row | undefined;
  /** Every row of a resource; an evaluation may stop before the end. */
  all(resource: string): Iterable<Row>;
  readonly digest: Digest;
  /** Whether `secret` is the one whose stored form is `stored`. */
  passwordMatches?(stored: string, secret: string): boolean;
  token?(row: Row): string;
  /** Throws `GapFault` where the value of the row's field at `place` is not shown. */
  meet?(row: Row, place: number): void;
  /** Throws `GapFault` where it is not known what the text is that is looked into. */
  meetText?: ((text: string) => void) | undefined;
  /** Throws `GapFault` where whoever asks may not see the row that a reference has led to. */
  see?(row: Row, through: string): void;
  /** A part that is written as a literal, with what its table fills in. */
  makePart?(part: string, given: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown>;
}

/** Where names and fields are found: position in the values given, position in `Row.values`. */
export interface Layout {
  readonly names: readonly string[];
  fields(resource: string): readonly string[];
  /** Position of the truth value that everything is seen. */
  readonly seesAll?: number;
  /** Whether the source has to be asked before a value of such a row is read. */
  isDoubtful?(resource: string): boolean;
}

/** One evaluation under way. `work`: what is left of its budget. */
export interface State {
  readonly values: readonly Value[];
  readonly locals: Value[];
  readonly source: Source;
  work: number;
}

/** Compiled code. */
export type Closure = (state: State) => Value;

export type CallCode = Extract<Code, { readonly op: "call" }>;

/** Makes the closure of a call out of those of its arguments. */
export type Build = (args: readonly Closure[], code: CallCode) => Closure;

/** Takes `amount` iterations off the budget. */
export function charge(state: State, amount: number): void {
  state.work -= amount;
  if (state.work < 0) {
    throw new EvaluationFault("too-much-work", "the evaluation goes through too many items");
  }
}

const TEXT_MAX = RUN_BOUNDS.text.value;

/** Bounds a text that is about to be made, and charges for it, one for 64 units. */
export function chargeText(state: State, length: number): void {
  if (length > TEXT_MAX) {
    throw new EvaluationFault("too-large", `a text is longer than ${TEXT_MAX} units`);
  }
  charge(state, length >> 6);
}

/** The row of a value that is one, or that refers to one. */
export function load(state: State, resource: string, value: Value): Row {
  if (typeof value !== "number") return value as Row;
  const row = state.source.get(resource, value);
  if (row) return row;
  throw new EvaluationFault("missing-row", `a reference names no row of ${resource}`);
}

/** The key of a row or of a reference. */
export function keyOf(value: Value): number {
  return typeof value === "number" ? value : (value as Row).key;
}

/** The closure at `index`; that it exists follows from the form that the checker chose. */
export function argument<T extends Value>(
  args: readonly Closure[],
  index: number,
): (state: State) => T {
  const closure = args[index];
  if (!closure) throw new Error(`a call lacks its argument ${index}`);
  return closure as (state: State) => T;
}

/** The text of a literal argument, which its form demands. */
export function literalText(code: CallCode, index: number): string {
  const arg = code.args[index];
  if (arg?.op !== "literal" || typeof arg.value !== "string") {
    throw new Error(`\`${code.fn}\` lacks the literal argument ${index}`);
  }
  return arg.value;
}

/** The kind of an argument's type, null aside. */
export function kindOf(code: CallCode, index: number): string {
  const type = code.args[index]?.type;
  return type?.kind === "nullable" ? type.of.kind : (type?.kind ?? "unknown");
}
