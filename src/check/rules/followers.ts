/**
 * Holds back what follows from a text that could not be read: one mistake has one finding. What is
 * held back is told when the mistake is mended, where it still is so.
 */
import type { Finding, Span } from "../../base/index.ts";
import type { CheckCode } from "../codes.ts";

/** How far a text that was not read reaches, and which questions it may answer. */
type Reach = "rest" | "part" | "section" | "block";

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
  "empty-table": "block",
};

/** Markdown that is not read as a viewer shows it, by how much of the document goes with it. */
const MARKDOWN: Readonly<Record<string, Reach>> = {
  ...byReach("block", ["control-character", "bidirectional-control", "invisible-character"]),
  ...byReach("block", ["space-character", "html", "lazy-line", "tab", "item-empty"]),
  ...byReach("block", ["item-content", "fence-place", "fence-info", "code-unclosed"]),
  ...byReach("block", ["emphasis", "link", "autolink", "escape", "entity", "hard-break"]),
  ...byReach("block", ["table-cells", "table-pipe", "table-delimiter", "table-code-pipe"]),
  ...byReach("section", ["heading-level", "heading-empty", "indent"]),
  ...byReach("part", ["heading-space", "other-markdown"]),
  ...byReach("rest", ["fence-unclosed"]),
};

function byReach(reach: Reach, codes: readonly string[]): Record<string, Reach> {
  return Object.fromEntries(codes.map((code) => [code, reach]));
}

/** Findings of reading, which Markdown that is not read as it is shown brings with it. */
const OF_READING: ReadonlySet<string> = new Set<string>([
  ...Object.keys(UNREAD),
  ...["unknown-cell", "unknown-type", "unknown-rule", "step-end", "step-number"],
  ...["nested-statement", "empty-block", "bad-path", "bad-form", "contradiction", "example-form"],
]);

/** Findings that say the same of a line as another that stands there. */
const SAID_BY: Readonly<Record<string, readonly string[]>> = {
  "step-end": ["unknown-step"],
  "out-of-range": ["empty-range"],
  "always-true": ["claimed-twice", "unknown-name"],
  "case-twice": ["wrong-type"],
};

/** What a row states badly: what it says nothing of then is not asked for. */
const OF_ROW: ReadonlySet<string> = new Set<CheckCode>([
  "unknown-cell",
  "unknown-rule",
  "wrong-rule",
]);

/** Marks of bullets that a viewer shows as such, and that are not read. */
const OTHER_BULLET = /^[ \t]*[*+] /;

/** Findings of an expression or a cell that says nothing, for what else it would have said. */
const UNKNOWN: ReadonlySet<string> = new Set<CheckCode | "too-large">([
  "too-large",
  "unknown-cell",
  "unknown-type",
  "unknown-rule",
  "unknown-name",
  "syntax",
  "wrong-type",
  "unguarded",
  "bad-path",
  "second-name",
  "same-request",
  "not-allowed",
  "contradiction",
  "no-check-here",
  "not-given",
  "second-check",
  "wrong-rule",
  "hidden-field",
  "initial-state",
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
  "never-used",
  "key-twice",
  "never-occurs",
  "unreachable-state",
  "dead-end-state",
  "timer-unset",
  "limit-never",
  "missing-check",
  "no-answer",
  "case-missing",
  "example-request",
  "example-status",
  "example-body",
  "example-header",
  "location-lost",
  "history-item",
  "version-path",
]);

const ENDS: Readonly<Record<Reach, RegExp>> = {
  rest: /$(?!\n)(?![^])/g,
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
  readonly isMarkdown: boolean;
}

function unreadIn(text: string, findings: readonly Finding[]): Unread[] {
  return findings.flatMap(({ code, span, severity }) => {
    if (severity !== "error") return [];
    const start = lineStart(text, span.start);
    const isBullet = code === "other-markdown" && OTHER_BULLET.test(text.slice(start, start + 80));
    const isMarkdown = Object.hasOwn(MARKDOWN, code);
    const stated = isMarkdown ? MARKDOWN[code] : UNREAD[code as CheckCode];
    const reach = isBullet ? "block" : stated;
    if (reach === undefined) return [];
    const isTable = code === "unknown-table" || code.startsWith("table-");
    return [{ reach, start, end: endOf(text, start, reach, isTable), isMarkdown }];
  });
}

/** Adds the names in code spans, headings and fences of a text: what it may have declared. */
function addNames(names: Set<string>, text: string): void {
  for (const [, heading = ""] of text.matchAll(/^(?:###? |```)(.*)$/gm)) {
    for (const [name] of heading.matchAll(/[A-Za-z_]\w*/g)) names.add(name);
  }
  for (const [, code = ""] of text.matchAll(/`([^`\n]+)/g)) {
    for (const [name] of code.matchAll(/[A-Za-z_]\w*/g)) names.add(name);
  }
  // A scheme says who the caller is.
  if (/^- Caller:/m.test(text)) names.add("caller");
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

const spansIn = (text: string): string[] =>
  [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);

/** Names that are not known, and names of things whose headings are not read. */
function lostNames(text: string, findings: readonly Finding[], unread: readonly Unread[]) {
  const unknown = findings.flatMap(({ code, message }) =>
    code === "unknown-name" ? (spansIn(message).at(-1) ?? []) : [],
  );
  const headings = unread.flatMap(({ reach, start }) =>
    reach === "section" ? text.slice(start, lineEnd(text, start)) : [],
  );
  return new Set([...unknown, ...headings.flatMap((one) => one.match(/[A-Z]\w*/g) ?? [])]);
}

/** Whether a finding tells of something else than the name that it finds unknown. */
function mentions({ code, message }: Finding, lost: ReadonlySet<string>): boolean {
  if (code !== "wrong-type" && code !== "unknown-name" && code !== "not-one") return false;
  const spans = spansIn(message);
  return (code === "unknown-name" ? spans.slice(0, -1) : spans).some((one) => lost.has(one));
}

/** Kinds of names that stand twice: the second may stand where another was meant. */
function doubled(findings: readonly Finding[]): readonly RegExp[] {
  return findings.flatMap(({ code, message }) => {
    const kind = /^The (\w+) `/.exec(message)?.[1];
    if (code === "same-request" || message.startsWith("The path has")) return [/path parameter/];
    if (code !== "second-name") return [];
    if (kind === "type") return [/^There is no .*(resource|part|view|shape)/];
    if (message.endsWith("is read already.")) return [/^`\w+` has no member/];
    return kind === undefined ? [] : [new RegExp(`^There is no ${kind}\\b`)];
  });
}

/** What was meant by names that are not known: it is asked for only because nobody names it. */
function meantNames(findings: readonly Finding[]): Set<string> {
  return new Set(
    findings.flatMap(({ code, hint = "" }) =>
      code === "unknown-name" ? (/Nearest: `([^`]+)`/.exec(hint)?.[1] ?? []) : [],
    ),
  );
}

/** Each finding once: a text that is read in several ways has its fault in each of them. */
function once(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings.filter(({ code, span, message }) => {
    const key = `${span.start} ${span.end} ${code} ${message}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** The findings without those that repeat what another says of their line. */
function withoutRepeats(text: string, findings: readonly Finding[]): Finding[] {
  if (!findings.some(({ code }) => Object.hasOwn(SAID_BY, code))) return [...findings];
  const said = new Set(findings.map(({ code, span }) => `${lineStart(text, span.start)} ${code}`));
  return findings.filter(({ code, span }) => {
    const causes = Object.hasOwn(SAID_BY, code) ? (SAID_BY[code] ?? []) : [];
    return !causes.some((cause) => said.has(`${lineStart(text, span.start)} ${cause}`));
  });
}

/** The findings without those that follow from a text which could not be read. */
export function withoutFollowers(text: string, all: readonly Finding[]): Finding[] {
  const findings = withoutRepeats(text, once(all));
  const unread = unreadIn(text, findings);
  const unknown = unread.length > 0 || findings.some(({ code }) => UNKNOWN.has(code));
  if (!unknown) return findings;
  const following = followingNames(text, findings, unread);
  const places = joined(answerable(text, unread));
  const shown = joined(unread.filter((one) => one.isMarkdown));
  const lost = lostNames(text, findings, unread);
  const meant = meantNames(findings);
  const twice = doubled(findings);
  const rows = new Set(
    findings.flatMap(({ code, span }) => (OF_ROW.has(code) ? lineStart(text, span.start) : [])),
  );
  const partLost = unread.some(({ reach }) => reach === "part" || reach === "rest");
  return findings.filter((one) => {
    if (ABSENCE.has(one.code) || following.has(one) || mentions(one, lost)) return false;
    if (one.code === "unknown-name" && twice.some((form) => form.test(one.message))) return false;
    if (OF_READING.has(one.code) && isIn(one.span, shown)) return false;
    if (one.code !== "silent") return true;
    if (partLost || isIn(one.span, places) || rows.has(lineStart(text, one.span.start)))
      return false;
    return !spansIn(one.message).some((name) => name.split(".").some((each) => meant.has(each)));
  });
}
