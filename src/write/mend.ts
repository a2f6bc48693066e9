/** Takes a document and what is silent in it, gives the document that says `not shown` there. */
import type { Finding } from "../base/index.ts";
import { parts } from "../language/index.ts";
import type { Spec } from "../spec/index.ts";
import { blankPart } from "./blank.ts";
import { lineEndOf, withLineEnd } from "./lines.ts";

interface Insertion {
  readonly at: number;
  readonly insert: string;
}

const isBullet = ({ insert }: Insertion): boolean => /^\s*- [^\r\n]*$/.test(insert);

/** At one offset bullets come first, and what opens a heading last: it would take in the rest. */
function rank(insertion: Insertion): number {
  if (isBullet(insertion)) return 0;
  return /^#/m.test(insertion.insert) ? 2 : 1;
}

/** The line below, which would be joined to a statement above it. */
const WINDOW = 80;
const BELOW = /^(\r\n|\n|\r)[ \t]*(\S)/;

/** What keeps an insertion apart from the line below it, which stands below a heading now. */
function apart(text: string, { at, insert }: Insertion): string {
  const [, lineEnd = "", first = ""] = BELOW.exec(text.slice(at, at + WINDOW)) ?? [];
  const isRow = /(^|[\r\n])\|[^\r\n]*$/.test(insert);
  const isList = isBullet({ at, insert }) && /[\d-]/.test(first);
  return isRow || isList || !/^[\r\n]/.test(insert) ? "" : lineEnd;
}

/** The text with the insertions in it; those of one kind at one offset keep their order. */
function inserted(text: string, insertions: readonly Insertion[]): string {
  const ordered = insertions.toSorted((a, b) => a.at - b.at || rank(a) - rank(b));
  const pieces: string[] = [];
  let before: Insertion | undefined;
  for (const [i, each] of ordered.entries()) {
    const isBelow = before?.at === each.at && isBullet(before) && isBullet(each);
    const insert = isBelow ? each.insert.replace(/^(\r\n|\n|\r)\1/, "$1") : each.insert;
    pieces.push(text.slice(before?.at ?? 0, each.at), insert);
    if (ordered[i + 1]?.at !== each.at) pieces.push(apart(text, each));
    before = each;
  }
  const from = before?.at ?? 0;
  pieces.push(text.slice(from));
  return pieces.join("");
}

/** Offset of the first character of the line that holds `offset`. */
function lineStart(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && text[at - 1] !== "\n" && text[at - 1] !== "\r") at--;
  return at;
}

/**
 * The text with each missing part at its place, every facet `not shown`. Parts that stand in
 * another order than theirs are left alone: a missing one goes before the first that follows it.
 */
export function withMissingParts(spec: Spec): string {
  const { text } = spec;
  const lineEnd = lineEndOf(text);
  const there = new Map(spec.parts.map((part) => [part.title, part]));
  const insertions: Insertion[] = [];
  parts.forEach((entry, index) => {
    if (there.has(entry.title)) return;
    const next = parts.slice(index + 1).flatMap((later) => there.get(later.title) ?? [])[0];
    const part = withLineEnd(blankPart(entry.title), lineEnd);
    if (next !== undefined) {
      insertions.push({ at: lineStart(text, next.start), insert: `${part}${lineEnd}` });
      return;
    }
    const isFirst = !insertions.some((each) => each.at === text.length);
    const gap = isFirst ? endGap(text, lineEnd) : lineEnd;
    insertions.push({ at: text.length, insert: `${gap}${part}` });
  });
  return inserted(text, insertions);
}

/** What must follow `text` so that a heading can stand below a blank line. */
function endGap(text: string, lineEnd: string): string {
  if (text === "") return "";
  if (!/[\r\n]$/.test(text)) return lineEnd + lineEnd;
  return /(\r\n|\n|\r)[ \t]*(\r\n|\n|\r)$/.test(text) ? "" : lineEnd;
}

/**
 * The text with the mends of its silent findings, whose line ends become those of the document;
 * nothing else is changed. Gives the text itself where there is nothing to mend.
 */
export function withMends(text: string, findings: readonly Finding[]): string {
  const lineEnd = lineEndOf(text);
  const insertions = findings.flatMap(({ fix }) =>
    fix === undefined ? [] : [{ at: fix.at, insert: withLineEnd(fix.insert, lineEnd) }],
  );
  return insertions.length === 0 ? text : inserted(text, insertions);
}
