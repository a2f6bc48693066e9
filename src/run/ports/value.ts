/** The values of a running program, by their static types; what a store keeps of them are rows. */

/**
 * A value at run time, by its static type: boolean, string -> JS; integer, decimal (unscaled),
 * timestamp and duration (microseconds) -> bigint; number -> JS number; date, time zone, id, uuid
 * -> string; null -> null; absent -> undefined; list -> array; map, structure, body, query ...
 * -> Map; a reference or row -> see `Row`; json -> a tree of null, boolean, string, JsonNumber,
 * array and Map.
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
  | JsonNumber
  | KeptSecret
  | object;

/** Members of an object: a body, a structure, `query`, `path`, `header` (names in lower case). */
export type Members = ReadonlyMap<string, unknown>;

/** A number inside a `json` value, kept as its exact text. */
export interface JsonNumber {
  readonly numberText: string;
}

/**
 * A secret inside a list, map or part, as it is kept: the text of its hash. A secret that is not
 * kept yet, or kept as it is, is a text.
 */
export interface KeptSecret {
  readonly keptText: string;
}

/** A stored row: fields in the order of the resource's table; a reference is the other's key. */
export interface Row {
  readonly resource: string;
  /** Hidden integer key, never shown; 1 and up, never used twice. */
  readonly key: number;
  /** One value for each field, in the order of the resource's fields; a reference is a number. */
  readonly values: Value[];
}
