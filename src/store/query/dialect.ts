/** What databases say differently in SQL: each makes its own of these. */
import type { PlainKind, SqlValue } from "../schema/columns.ts";

export type { PlainKind } from "../schema/columns.ts";

/** Makes the value of one parameter out of the query's arguments. */
export type Binder = (args: readonly unknown[]) => SqlValue;

/** One statement: its values are bound in the order in which they stand. */
export interface Bindable {
  readonly sql: string;
  readonly binders: readonly Binder[];
}

export interface Dialect {
  /** Conditions that always and never hold. */
  readonly yes: string;
  readonly no: string;
  /** Lets a statement that goes through many rows tell so; undefined: it cannot. */
  stepping(key: string): string | undefined;
  /** The parameter of that number, from 1 on: `?1`, with what tells its type. */
  parameter(number: number, kind: PlainKind): string;
  /** A value as a parameter of a statement. Throws where it cannot be bound exactly. */
  bind(kind: PlainKind, value: unknown): SqlValue;
  /** Several values as one parameter. */
  list(kind: PlainKind, values: readonly SqlValue[]): SqlValue;
  /** Whether a value is one of a list, which is the parameter of that number. */
  among(value: string, number: number, kind: PlainKind): string;
  /** What an index holds of a value; undefined: all of it. */
  beginning(sql: string, kind: PlainKind): string | undefined;
  /** Whether a column of truth holds. */
  isTrue(sql: string): string;
  /** Equality for which null is a value as any other. `by`: what an index finds it by. */
  same(a: string, b: string, is: boolean, by?: readonly [string, string]): string;
  contains(whole: string, piece: string): string;
  startsWith(whole: string, piece: string): string;
  endsWith(whole: string, piece: string): string;
  /** ` LIMIT ... OFFSET ...` behind so many parameters, of which they are the next two. */
  slice(parameters: number): string;
  /** The statement as it is prepared, and what makes its values, in the order of the binding. */
  finish(sql: string, binders: readonly Binder[]): Bindable;
}
