/** Takes an inline, reports what a viewer would show differently from what is read (GFM 6). */
import { isHtml, isTagStart } from "./classify.ts";
import type { BlockCode } from "./codes.ts";
import { codeSpanEnd } from "./codespan.ts";
import type { Report } from "./report.ts";
import { TOKENS_MAX, tokens } from "./tokens.ts";
import type { Inline } from "./types.ts";

const ENTITY_LENGTH_MAX = 40;

// The characters of ASCII that can begin a construct.
const suspicious = new Uint8Array(128);
for (const char of "`*_~\\&<[]@:w") suspicious[char.charCodeAt(0)] = 1;

/**
 * Reports each kind of construct at its first place in `inline`. Gives the offset of a backtick run
 * that nothing closes (not reported; what follows it is not searched), or -1. Linear.
 */
export function inspect(text: string, inline: Inline, report: Report): number {
  const { start, end } = inline;
  if (end - start > TOKENS_MAX && tokens(text, inline).length >= TOKENS_MAX) {
    report.add("too-large", start, end, `More than ${TOKENS_MAX} words in one line or item`);
  }
  const reported = new Set<BlockCode>();
  for (let at = start; at < end; at++) {
    const char = text.charCodeAt(at);
    if (char < 128 && suspicious[char] === 0) continue;
    if (char === 96) {
      const close = codeSpanEnd(text, at, end);
      if (close < 0) return at;
      at = close - 1;
      continue;
    }
    const code = char < 128 ? construct(text, at, inline) : spaceFault(char);
    if (code === undefined) continue;
    if (!reported.has(code)) report.add(code, begin(text, code, at, start), at + 1);
    reported.add(code);
    if (code === "escape") at++;
  }
  return -1;
}

/** An address begins before its `:` or `@`. */
function begin(text: string, code: BlockCode, at: number, from: number): number {
  let first = at;
  const joins = ":@".includes(text[at] ?? "");
  while (code === "autolink" && joins && first > from && isAddress(text.charCodeAt(first - 1))) {
    first--;
  }
  return first;
}

/** Reports the first HTML in a line of free prose, where nothing else is refused. Linear. */
export function inspectProse(text: string, inline: Inline, report: Report): void {
  const { start, end } = inline;
  let codeEnds = true;
  for (let at = start; at < end; at++) {
    const char = text.charCodeAt(at);
    if (char === 96 && codeEnds) {
      const close = codeSpanEnd(text, at, end);
      if (close < 0) codeEnds = false;
      else at = close - 1;
    } else if (char === 60 && isHtml(text, at, end)) {
      report.add("html", at, end);
      return;
    }
  }
}

/** The construct that the character at `at` may begin or end, or undefined. */
function construct(text: string, at: number, inline: Inline): BlockCode | undefined {
  const next = at + 1 < inline.end ? text.charCodeAt(at + 1) : 32;
  const before = at > inline.start ? text.charCodeAt(at - 1) : 32;
  switch (text[at]) {
    case "*":
    case "~":
      return "emphasis";
    case "_":
      return isWord(before) && isWord(next) ? undefined : "emphasis";
    case "[":
    case "]":
      return "link";
    case "<":
      if (isHtml(text, at, inline.end)) return "html";
      return isTagStart(next) ? "autolink" : undefined;
    case "&":
      return isEntity(text, at, inline.end) ? "entity" : undefined;
    case "\\":
      if (inline.inCell && text[at + 1] === "|") return undefined;
      if (at + 1 >= inline.end || text[at + 1] === "\n" || text[at + 1] === "\r") return "escape";
      return isPunctuation(next) ? "escape" : undefined;
    case "@":
      return isAddress(before) && isWord(next) ? "autolink" : undefined;
    case ":":
      return isWord(before) && text.startsWith("//", at + 1) ? "autolink" : undefined;
    default:
      return !isWord(before) && text.startsWith("ww.", at + 1) ? "autolink" : undefined;
  }
}

/** A letter, a digit or anything beyond ASCII. */
function isWord(code: number): boolean {
  const lower = code | 32;
  return (code >= 48 && code <= 57) || (lower >= 97 && lower <= 122) || code >= 128;
}

/** A character of the part of a mail address before `@` (GFM 6.9). */
function isAddress(code: number): boolean {
  return isWord(code) || code === 46 || code === 45 || code === 95 || code === 43;
}

function isPunctuation(code: number): boolean {
  return code > 32 && code < 127 && !isWord(code);
}

/** `&name;`, `&#1;` or `&#x1;`, whether or not a viewer knows the name. */
function isEntity(text: string, at: number, end: number): boolean {
  const last = Math.min(end, at + ENTITY_LENGTH_MAX);
  let i = text[at + 1] === "#" ? at + 2 : at + 1;
  const first = i;
  while (i < last && text.charCodeAt(i) < 128 && isWord(text.charCodeAt(i))) i++;
  return i > first && i < last && text[i] === ";";
}

/** Spaces of Unicode (Zs) other than U+0020. */
function spaceFault(code: number): BlockCode | undefined {
  if (code === 0xa0 || code === 0x1680 || code === 0x202f) return "space-character";
  if (code === 0x205f || code === 0x3000) return "space-character";
  return code >= 0x2000 && code <= 0x200a ? "space-character" : undefined;
}
