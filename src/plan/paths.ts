/** What the segments of a path are: how a document writes them, and which requests they match. */
import type { PathParameter, PathSegment } from "./types/index.ts";

const PARAM = /^([^{}]*)\{([A-Za-z][A-Za-z0-9_]*)(\.\.\.)?\}([^{}]*)$/;
/** RFC 3986 section 3.3 `pchar`, without percent-encoding: a literal is written as it is read. */
const LITERAL = /^[A-Za-z0-9._~!$&'()*+,;=:@-]*$/;

/** The segment that a text is; undefined: it is none. */
export function pathSegment(text: string): PathSegment | undefined {
  const [whole, before = "", param = "", rest, after = ""] = PARAM.exec(text) ?? [];
  if (whole === undefined) {
    // A colon in front is how others mark a parameter.
    const isPlain = LITERAL.test(text) && text !== "" && !text.startsWith(":");
    return isPlain && text !== "." && text !== ".." ? { literal: text } : undefined;
  }
  if (!LITERAL.test(before) || !LITERAL.test(after)) return undefined;
  if (rest !== undefined) return before === "" && after === "" ? { param, rest: true } : undefined;
  return {
    param,
    ...(before === "" ? {} : { before }),
    ...(after === "" ? {} : { after }),
  };
}

/** A segment as a document writes it; `name`: what stands for the name of its parameter. */
export function segmentText(segment: PathSegment, name?: string): string {
  if ("literal" in segment) return segment.literal;
  const { param, before = "", after = "", rest } = segment;
  return `${before}{${name ?? param}${rest ? "..." : ""}}${after}`;
}

/** A path as a document writes it. */
export function pathText(path: readonly PathSegment[]): string {
  return `/${path.map((one) => segmentText(one)).join("/")}`;
}

/** The same text for paths that match the same requests, whatever their parameters are called. */
export function pathForm(path: readonly PathSegment[]): string {
  return `/${path.map((one) => segmentText(one, "")).join("/")}`;
}

/** The segments of a path as a document writes it: `/` has none. */
export function pathSegments(path: string): readonly (PathSegment | undefined)[] {
  if (path === "/") return [];
  const texts = path.slice(1).split("/");
  return texts.map((one, at) => {
    const segment = pathSegment(one);
    const isLast = at === texts.length - 1;
    if (one === "" && isLast && at > 0) return { literal: "" };
    return segment !== undefined && "rest" in segment && !isLast ? undefined : segment;
  });
}

/** What a segment of a request gives to a parameter; undefined: it does not match. */
export function paramIn(
  { before = "", after = "" }: PathParameter,
  segment: string,
): string | undefined {
  if (segment.length <= before.length + after.length) return undefined;
  if (!segment.startsWith(before) || !segment.endsWith(after)) return undefined;
  return segment.slice(before.length, segment.length - after.length);
}

/**
 * Which parameter is tried first: the longest text before it, then the longest behind it, then one
 * alone, then the rest. No two of the same rank match one segment.
 */
export function nearerFirst(a: PathParameter, b: PathParameter): number {
  const rank = ({ before = "", after = "", rest }: PathParameter): readonly number[] => [
    rest ? 0 : 1,
    before.length,
    after.length,
  ];
  const [x, y] = [rank(a), rank(b)];
  return x.map((one, at) => (y[at] ?? 0) - one).find((one) => one !== 0) ?? 0;
}
