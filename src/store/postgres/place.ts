/** Where a store is in PostgreSQL, as a URL names it. */

/** Where a store is: a database, and the schema of it that holds the tables. */
export interface Place {
  readonly url: string;
  readonly schema: string;
}

const DEFAULT_SCHEMA = "lacuna";

/** The place that a URL names: `postgres://user@host:port/database?schema=name`. */
export function placeOf(url: string): Place {
  const parsed = new URL(url);
  const schema = parsed.searchParams.get("schema") ?? DEFAULT_SCHEMA;
  parsed.searchParams.delete("schema");
  return { url: parsed.href, schema };
}
