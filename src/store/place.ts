/** Where a store is, as an operator names it. */

/** Where a store is: a SQLite file, a schema of a PostgreSQL database, or nowhere but in memory. */
export type StorePlace = { readonly file: string } | { readonly postgres: string } | "memory";

/** The place that an operator names: a URL of PostgreSQL, or a file. */
export function placeNamed(name: string): Exclude<StorePlace, "memory"> {
  return /^postgres(ql)?:\/\//i.test(name) ? { postgres: name } : { file: name };
}

/** The name of a place as it may be shown: without a password. */
export function shownPlace(name: string): string {
  const place = placeNamed(name);
  if ("file" in place || !URL.canParse(name)) return name;
  const url = new URL(name);
  if (url.password !== "") url.password = "***";
  return url.href;
}
