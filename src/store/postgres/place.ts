/** Where a store is in PostgreSQL, as a URL names it. */
import { StorageFault } from "../sqlite/fault.ts";
import { type Tls, tlsOf } from "./tls.ts";

/** Where a store is: a database, and the schema of it that holds the tables. */
export interface Place {
  /** One for each server that may have the database: the one that takes writes is used. */
  readonly urls: readonly string[];
  readonly schema: string;
  /** How connections are encrypted. Default: they are not. */
  readonly tls?: Tls | undefined;
}

/** What is needed to reach its servers. */
export type Servers = Pick<Place, "urls" | "tls">;

const DEFAULT_SCHEMA = "lacuna";

function urlOf(text: string): URL {
  if (URL.canParse(text)) return new URL(text);
  throw new StorageFault(
    "URL",
    "a database is named as `postgres://USER@HOST:PORT/DATABASE?schema=NAME`, and what is given " +
      "is no such URL",
  );
}
/** A scheme with a user, the hosts behind it, and what follows. */
const PARTS = /^([a-z]+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/i;

/**
 * The place that a URL names: `postgres://user@host:port/database?schema=name`, where several hosts
 * may stand, with commas between them, as in the connection URIs of libpq. Throws a `StorageFault`
 * where it is none.
 */
export function placeOf(url: string): Place {
  const [, before = "", hosts = "", behind = ""] = PARTS.exec(url) ?? [];
  const all = hosts.split(",").map((host) => urlOf(`${before}${host}${behind}`));
  const [tls] = all.map((one) => tlsOf(one));
  const schema = all[0]?.searchParams.get("schema") ?? DEFAULT_SCHEMA;
  for (const one of all) one.searchParams.delete("schema");
  return { urls: all.map(({ href }) => href), schema, tls };
}

/** The URL of another schema of the same database. */
export function withSchema(url: string, schema: string): string {
  const bare = url.replace(/([?&])schema=[^&]*&?/, "$1").replace(/[?&]$/, "");
  return `${bare}${bare.includes("?") ? "&" : "?"}schema=${encodeURIComponent(schema)}`;
}
