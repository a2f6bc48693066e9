/** What answers to pages of other origins are to tell, and whose pages may ask (Fetch, 3.3). */
import { type About, durationOf, gapOf, type ItemId, isStated } from "../../plan/index.ts";
import type { Match } from "../../run/index.ts";

/** A field that permits something to a page, as a service may write it; undefined: it is not. */
type Permit = readonly [name: string, value: string | undefined];

/** What the document states of the answer to a request with an `Origin` field. */
export interface Crossing {
  /** The line of the document. */
  readonly item: ItemId;
  /** The page, and what is judged of that which it asks for. */
  readonly page: Page;
  /** It may ask. */
  readonly isKnown: boolean;
  /** A browser asks whether a page may. */
  readonly isPreflight: boolean;
  /** It asks for what is not stated, too: a service may refuse it as a whole. */
  readonly mayFail: boolean;
  readonly permits: readonly Permit[];
}

/** What a request says of the page that it comes from. */
export interface Page {
  readonly origin: string;
  /** For which method a preflight asks. */
  readonly method: string | undefined;
  /** For which headers it asks, in lower case. */
  readonly headers: readonly string[];
}

export const ALLOW_ORIGIN = "Access-Control-Allow-Origin";
export const ALLOW_CREDENTIALS = "Access-Control-Allow-Credentials";
export const ALLOW_METHODS = "Access-Control-Allow-Methods";
export const ALLOW_HEADERS = "Access-Control-Allow-Headers";
export const EXPOSE_HEADERS = "Access-Control-Expose-Headers";
export const MAX_AGE = "Access-Control-Max-Age";
export const REQUEST_METHOD = "Access-Control-Request-Method";
export const REQUEST_HEADERS = "Access-Control-Request-Headers";

const SECOND = 1_000_000n;

/** Headers of requests that need no permission, as long as their values are usual. */
export const FREELY_SENT = new Set(["accept", "accept-language", "content-language"]);

/** The items of a list between commas. */
export function listed(text: string | undefined): readonly string[] {
  const items = (text ?? "").split(",").map((one) => one.trim());
  return items.filter((one) => one !== "");
}

/** Names as they are compared. */
export const lower = (names: readonly string[]): readonly string[] =>
  names.map((one) => one.toLowerCase());

/** `headers`: those of the request, by their names in lower case; undefined: it is of no page. */
export function pageOf(headers: ReadonlyMap<string, string>): Page | undefined {
  const origin = headers.get("origin");
  if (origin === undefined) return undefined;
  const method = headers.get(REQUEST_METHOD.toLowerCase());
  return { origin, method, headers: lower(listed(headers.get(REQUEST_HEADERS.toLowerCase()))) };
}

/** Those of the asked headers that nothing states, and that need permission. */
export function unstatedAmong(
  asked: readonly string[],
  stated: readonly string[],
): readonly string[] {
  const names = new Set(lower(stated));
  if (names.has("*")) return [];
  return asked.filter((one) => !names.has(one) && !FREELY_SENT.has(one));
}

/** The gap that a request of a page meets before all else. */
export function crossingGap(
  { crossOrigin }: About,
  headers: ReadonlyMap<string, string>,
): ItemId | undefined {
  return headers.has("origin") ? gapOf(crossOrigin) : undefined;
}

/** Undefined: it is of no page, or the document states nothing of pages. */
export function crossingOf(
  { crossOrigin }: About,
  asked: ReadonlyMap<string, string>,
  match: Match,
): Crossing | undefined {
  const page = pageOf(asked);
  if (page === undefined || !isStated(crossOrigin)) return undefined;
  const { id: item, value } = crossOrigin;
  const { origins, headers, credentials, shown, kept } = value;
  const isEvery = origins.includes("*");
  const isKnown = isEvery || origins.includes(page.origin);
  const methods = match.is === "options" && page.method !== undefined ? match.allow : undefined;
  const isPreflight = methods !== undefined;
  const about = { item, page, isKnown, isPreflight };
  if (!isKnown) return { ...about, mayFail: isPreflight, permits: [[ALLOW_ORIGIN, undefined]] };
  const whose: readonly Permit[] = [
    [ALLOW_ORIGIN, isEvery ? "*" : page.origin],
    [ALLOW_CREDENTIALS, credentials && "true"],
  ];
  if (!isPreflight) {
    const permits = [...whose, [EXPOSE_HEADERS, shown?.join(", ")] as const];
    return { ...about, mayFail: false, permits };
  }
  const named: Permit = [ALLOW_HEADERS, headers.length === 0 ? undefined : headers.join(", ")];
  const beyond = unstatedAmong(page.headers, headers);
  if (beyond.length > 0 || !methods.includes(page.method ?? "")) {
    return { ...about, page: { ...page, headers: beyond }, mayFail: true, permits: [named] };
  }
  const seconds = kept === undefined ? undefined : String(durationOf(kept) / SECOND);
  const asks: readonly Permit[] = [
    [ALLOW_METHODS, methods.join(", ")],
    named,
    ...(seconds === undefined ? [] : [[MAX_AGE, seconds] as const]),
  ];
  return { ...about, mayFail: false, permits: [...whose, ...asks] };
}
