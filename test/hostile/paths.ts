/** Hostile targets of requests: paths and queries, each made from one that is served. */

import type { Random } from "./bodies.ts";
import { pick } from "./bodies.ts";

const SEGMENTS = [
  "..",
  ".",
  "%2e%2e",
  "%2E%2E%2f",
  "%00",
  "%2F",
  "%5c",
  "\\..",
  "%c0%ae%c0%ae",
  "%zz",
  "%",
  "%e2%82",
  "%ff",
  "%ed%a0%80",
  ";a=b",
  "__proto__",
  "constructor",
  "' OR 1=1 --",
  "%25%30%30",
  "a%0d%0aX-Evil:%201",
  "%F0%9F%98%80",
  "+",
  "*",
  "{id}",
  "-1",
  "9".repeat(60),
  "null",
  "x".repeat(3000),
  "toString",
  "%09",
  "..;",
  "%u002e",
  "..%c1%9c",
  "%252e%252e",
].map((one) => one.replaceAll(" ", "%20"));

const PARAMETERS = [
  "a[]=1",
  "limit=1e400",
  "limit=-1",
  `limit=${"9".repeat(40)}`,
  "limit=0x10",
  "limit=",
  "limit",
  "limit=%31",
  "limit=1&limit=2",
  "%zz=1",
  "limit=%",
  "a=%ff",
  "a=%c0%ae",
  "=",
  "&&&",
  "__proto__=1",
  "__proto__[x]=1",
  "constructor=1",
  "after=%00",
  "after=' OR 1=1",
  "status=open%00",
  "first=2026-02-30",
  "first=0000-00-00",
  "tag=%ed%a0%80",
  "limit=5;drop",
  "?",
  "a=1#b",
  "offset=-0",
  "offset=1.0",
  "offset=+1",
  "limit=%EF%BC%91",
  "after=%F0%9F%98%80",
  "tag=%25",
  "tag=_%25",
  "author=__proto__",
  "limit=٥",
].map((one) => one.replaceAll(" ", "%20"));

type Maker = (path: string, random: Random) => string;

function split(path: string): { segments: string[]; query: string } {
  const at = path.indexOf("?");
  const before = at < 0 ? path : path.slice(0, at);
  return { segments: before.split("/").slice(1), query: at < 0 ? "" : path.slice(at) };
}

function edited(path: string, edit: (segments: string[]) => void): string {
  const { segments, query } = split(path);
  edit(segments);
  return `/${segments.join("/")}${query}`;
}

const at = (segments: readonly string[], random: Random): number =>
  Math.floor(random() * segments.length);

const MAKERS: Readonly<Record<string, Maker>> = {
  "segment replaced": (path, random) =>
    edited(path, (all) => {
      all[at(all, random)] = pick(SEGMENTS, random);
    }),
  "segment put in": (path, random) =>
    edited(path, (all) => {
      all.splice(at(all, random), 0, pick(SEGMENTS, random));
    }),
  "double slash": (path, random) =>
    edited(path, (all) => {
      all.splice(at(all, random), 0, "");
    }),
  "slash at the end": (path) =>
    edited(path, (all) => {
      all.push("");
    }),
  "many segments": (path, random) =>
    edited(path, (all) => {
      all.push(...Array.from({ length: 1 + random() * 3000 }, () => pick(["a", "..", ""], random)));
    }),
  "letter encoded": (path) => path.replace(/[a-z]/, (one) => `%${one.charCodeAt(0).toString(16)}`),
  "other case": (path) => path.toUpperCase(),
  "whole address": (path, random) =>
    pick(["http://evil.example", "http://x@y:1", "ftp://a", "//b", "file://"], random) + path,
  bytes: (path, random) => path + pick(["\xff", "\xc3\xa9", "\x7f", "é", "\x80\x80"], random),
  "no slash": (path, random) => pick(["*", "v1", "?", "#", "x:1", path.slice(1)], random),
  long: (path, random) => `${path}/${"a".repeat(random() * 20_000)}`,
};

const QUERIES: Readonly<Record<string, Maker>> = {
  "query odd": (path, random) =>
    `${path}${path.includes("?") ? "&" : "?"}${pick(PARAMETERS, random)}`,
  "query replaced": (path, random) =>
    `${split(path)
      .segments.map((one) => `/${one}`)
      .join("")}?` +
    Array.from({ length: 1 + random() * 4 }, () => pick(PARAMETERS, random)).join("&"),
  "query huge": (path, random) => `${path}?a=${"b".repeat(random() * 15_000)}`,
  "query wide": (path, random) => `${path}?${"a=1&".repeat(random() * 3000)}`,
};

/** A hostile target of a kind, chosen at random, as latin-1 text. */
export function hostileTarget(path: string, random: Random): { kind: string; target: string } {
  const table = random() < 0.6 ? MAKERS : QUERIES;
  const kind = pick(Object.keys(table), random);
  return { kind: `target: ${kind}`, target: table[kind]?.(path, random) ?? path };
}
