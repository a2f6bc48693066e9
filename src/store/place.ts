/** Where a store is, as an operator names it. */

/**
 * Where a store is: a SQLite file, a schema of a PostgreSQL database, or nowhere but in memory.
 * `node`: the name of this process among those that serve on it; default: it has none.
 * `explains`: whether what is sent to the database can be told.
 */
export type StorePlace =
  | { readonly file: string }
  | { readonly postgres: string; readonly node?: string; readonly explains?: boolean }
  | "memory";

/** The place that an operator names: a URL of PostgreSQL, or a file. */
export function placeNamed(name: string): Exclude<StorePlace, "memory"> {
  return /^postgres(ql)?:\/\//i.test(name) ? { postgres: name } : { file: name };
}

/** The name of a place as it may be shown: without a password. */
export function shownPlace(name: string): string {
  if ("file" in placeNamed(name)) return name;
  return name
    .replace(/^([a-z]+:\/\/[^:@/?#]*):[^@/?#]*@/i, "$1:***@")
    .replace(/([?&]password=)[^&#]*/i, "$1***");
}
