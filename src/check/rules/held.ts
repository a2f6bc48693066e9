/**
 * Holds back what follows from a text that could not be read: one mistake has one finding. What is
 * held back is told when the mistake is mended, where it still is so.
 */
import type { Finding, Span } from "../../base/index.ts";
import type { CheckCode } from "../codes.ts";

/** How far a text that was not read reaches, and which questions it may answer. */
type Reach = "part" | "section" | "block";

/** Findings of a text that is not read, by how much of the document goes unread with it. */
const UNREAD: Partial<Record<CheckCode, Reach>> = {
  "unknown-part": "part",
  "second-part": "part",
  "unknown-heading": "section",
  "unknown-table": "block",
  "unknown-block": "block",
  "unknown-bullet": "block",
  "unknown-subject": "block",
  "unknown-step": "block",
  "unknown-condition": "block",
  "unknown-case": "block",
  prose: "block",
  "bad-endpoint": "section",
};

/** Marks of bullets that a viewer shows as such, and that are not read. */
const OTHER_BULLET = /^[ \t]*[*+] /;

/** Findings of an expression or a cell that says nothing, for what else it would have said. */
const UNKNOWN: ReadonlySet<string> = new Set<CheckCode>([
  "unknown-cell",
  "unknown-type",
  "unknown-rule",
  "unknown-name",
  "syntax",
  "wrong-type",
  "unguarded",
]);

/** Findings that something is nowhere: what is not read or not known may be the place. */
const ABSENCE: ReadonlySet<string> = new Set<CheckCode>([
  "path-unused",
  "input-unused",
  "idle-check",
  "idle-answer",
  "never-set",
  "never-given",
  "never-made",
  "never-fired",
  "never-emitted",
  "never-heard",
  "never-sent",
  "never-occurs",
  "unreachable-state",
  "dead-end-state",
  "timer-unset",
  "limit-never",
]);

const ENDS: Readonly<Record<Reach, RegExp>> = {
  part: /^## /gm,
  section: /^###? /gm,
  // Behind a block stands an empty line, or what begins another.
  block: /^(?:[ \t]*$|#|[-|]|\d+\.)/gm,
};

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", Math.max(0, offset - 1)) + 1;
}

function lineEnd(text: string, offset: number): number {
  const found = text.indexOf("\n", offset);
  return found < 0 ? text.length : found;
}

function endOf(text: string, from: number, reach: Reach, table: boolean): number {
  const found = table ? /^[ \t]*$/gm : new RegExp(ENDS[reach]);
  const next = text.indexOf("\n", from);
  if (next < 0) return text.length;
  found.lastIndex = next + 1;
  return found.exec(text)?.index ?? text.length;
}

interface Unread extends Span {
  readonly reach: Reach;
}

function unreadIn(text: string, findings: readonly Finding[]): Unread[] {
  return findings.flatMap(({ code, span }) => {
    const start = lineStart(text, span.start);
    const isBullet = code === "other-markdown" && OTHER_BULLET.test(text.slice(start, start + 80));
    const reach = isBullet ? "block" : UNREAD[code as CheckCode];
    if (reach === undefined) return [];
    return [{ reach, start, end: endOf(text, start, reach, code === "unknown-table") }];
  });
}

/** Adds the names in code spans and in headings of a text: what it may have declared. */
function addNames(names: Set<string>, text: string): void {
  for (const [, heading = ""] of text.matchAll(/^###? (.*)$/gm)) {
    for (const [name] of heading.matchAll(/[A-Za-z_]\w*/g)) names.add(name);
  }
  for (const [, code = ""] of text.matchAll(/`([^`\n]+)`/g)) {
    for (const [name] of code.matchAll(/[A-Za-z_]\w*/g)) names.add(name);
  }
}

/** The names that unread texts may have declared. */
function namesIn(text: string, unread: readonly Span[]): Set<string> {
  const found = new Set<string>();
  let done = 0;
  for (const { start, end } of unread) {
    const from = Math.max(start, done);
    done = Math.max(done, end);
    addNames(found, text.slice(from, done));
  }
  return found;
}

/**
 * The findings of names that another mistake made unknown: those that an unread text may have
 * declared, and those that a line with an unknown name may have.
 */
function followingNames(
  text: string,
  findings: readonly Finding[],
  unread: readonly Unread[],
): Set<Finding> {
  const names = namesIn(text, unread);
  const held = new Set<Finding>();
  let line = -1;
  for (const one of findings.toSorted((a, b) => a.span.start - b.span.start)) {
    if (one.code !== "unknown-name") continue;
    const { start, end } = one.span;
    const at = lineStart(text, start);
    if (line >= 0 && at !== line) addNames(names, text.slice(line, lineEnd(text, line)));
    line = at;
    const name = /[A-Za-z_]\w*/.exec(text.slice(start, end))?.[0];
    if (name !== undefined && names.has(name)) held.add(one);
  }
  return held;
}

/** The number of items, sorted by their beginnings, that begin at an offset or before it. */
function countBefore(sorted: readonly Span[], offset: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.start ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The section of each text, and the line of its part's heading, where facets are asked for. */
function answerable(text: string, unread: readonly Unread[]): Span[] {
  const heads = [...text.matchAll(/^###? .*$/gm)].map(({ index, 0: line }) => ({
    start: index,
    end: index + line.length,
    part: line.startsWith("## "),
  }));
  const parts = heads.filter((head) => head.part);
  return unread.flatMap(({ start, end }) => {
    const at = countBefore(heads, start);
    const next = heads[at]?.start ?? text.length;
    const section = { start: heads[at - 1]?.start ?? 0, end: Math.max(end, next) };
    const part = parts[countBefore(parts, start) - 1];
    return part === undefined ? [section] : [section, part];
  });
}

/** The same places, sorted and with those that touch joined. */
function joined(spans: readonly Span[]): Span[] {
  const found: { start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = found.at(-1);
    if (last === undefined || start > last.end) found.push({ start, end });
    else last.end = Math.max(last.end, end);
  }
  return found;
}

function isIn(at: Span, places: readonly Span[]): boolean {
  const place = places[countBefore(places, at.start) - 1];
  return place !== undefined && at.start < place.end;
}

/** The findings without those that follow from a text which could not be read. */
export function withoutFollowers(text: string, findings: readonly Finding[]): Finding[] {
  const unread = unreadIn(text, findings);
  const unknown = unread.length > 0 || findings.some(({ code }) => UNKNOWN.has(code));
  if (!unknown) return [...findings];
  const following = followingNames(text, findings, unread);
  const places = joined(answerable(text, unread));
  const partLost = unread.some(({ reach }) => reach === "part");
  return findings.filter((one) => {
    if (ABSENCE.has(one.code) || following.has(one)) return false;
    return one.code !== "silent" || !(partLost || isIn(one.span, places));
  });
}
