/** Hostile headers: media types, credentials, floods. */

import type { Random } from "./bodies.ts";
import { pick } from "./bodies.ts";
import type { Parts } from "./framing.ts";

type Headers = Parts["headers"];
type Maker = (headers: Headers, random: Random) => Headers;

const replaced =
  (name: string, ...values: readonly string[]): Maker =>
  (headers, random) => [...headers.filter(([one]) => one !== name), [name, pick(values, random)]];

const added =
  (name: string, ...values: readonly string[]): Maker =>
  (headers, random) => [...headers, [name, pick(values, random)]];

const MAKERS: Readonly<Record<string, Maker>> = {
  "media type": replaced(
    "Content-Type",
    "text/plain",
    "application/json; charset=utf-16",
    "*/*",
    "application/json; charset=latin1",
    'application/json;charset="utf-8',
    "application/xml",
    "",
    "multipart/form-data; boundary=",
    "application/x-www-form-urlencoded",
    "json",
    "application/",
    "application/json, text/plain",
    `application/json; a=${"b".repeat(4000)}`,
    "APPLICATION/JSON",
    "application/vnd.x+json",
    "application/json;;;",
    "application/json\x80",
    'a/b;c="\\',
  ),
  "second media type": added("Content-Type", "text/plain", "application/json", "x"),
  "content coding": added("Content-Encoding", "gzip", "deflate, gzip", "br", "identity", "x"),
  credentials: replaced(
    "Authorization",
    "",
    "Bearer",
    "Bearer ",
    "Bearer  x",
    "Basic !!!",
    "Token",
    "Basic Og==",
    "Bearer a.b.c",
    "Token a.b.c",
    "Token eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.",
    `Bearer ${"x".repeat(8000)}`,
    'Digest username="a"',
    "bearer \xff",
    "Token ..",
    "Token \x80.a.b",
    `Token ${"e30.".repeat(1000)}`,
    "Bearer key_' OR 1=1 --",
    "Token e30.e30.e30",
    "\x80",
  ),
  "second credentials": added("Authorization", "Bearer x", "Token a.b.c", "Basic YTpi"),
  flood: (headers, random) => [
    ...headers,
    ...Array.from({ length: 1 + random() * 1900 }, (_, i) => [`X-${i}`, "y"] as const),
  ],
  "flood of one": (headers, random) => [
    ...headers,
    ...Array.from({ length: 1 + random() * 900 }, () => ["Cookie", "a=b"] as const),
  ],
  "long header": (headers, random) => [...headers, ["X-Long", "x".repeat(random() * 40_000)]],
  tag: added("If-Match", "*", '"', 'W/"1"', '"1", "2"', "1", '"\x80"', '"'.repeat(999), ""),
  key: replaced(
    "Idempotency-Key",
    "",
    " ",
    "k".repeat(300),
    "\x80\xff",
    "{{unique}}\t",
    "__proto__",
  ),
  "second key": added("Idempotency-Key", "other"),
  "event id": added("Last-Event-ID", "-1", "x".repeat(3000), "9".repeat(40), "__proto__"),
  origin: added("Origin", "null", "https://evil.example", "\x80", "*"),
  "odd names": (headers, random) => [
    ...headers,
    [pick(["__proto__", "constructor", "toString", "X-\x7f", "X Y", "X(", "é"], random), "1"],
  ],
  "odd value": (headers, random) => [
    ...headers,
    ["X-A", pick(["\0", "\x01", "\x7f", "\xff", "\x0b", "\x1b[31m"], random)],
  ],
  ranges: added("Range", "bytes=0-", "bytes=-1,-1,-1", "items=0-9999999999999999999"),
  forwarded: added("X-Forwarded-For", "127.0.0.1", "' OR 1=1", ",".repeat(2000)),
  override: added("X-HTTP-Method-Override", "DELETE", "TRACE"),
};

/** Headers made hostile in a way chosen at random. */
export function hostileHeaders(
  headers: Headers,
  random: Random,
): { readonly kind: string; readonly headers: Headers } {
  const kind = pick(Object.keys(MAKERS), random);
  return { kind: `header: ${kind}`, headers: MAKERS[kind]?.(headers, random) ?? headers };
}
