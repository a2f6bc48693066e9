/** Takes an inline, gives its words, marks and code spans with their offsets; judges nothing. */
import { wordAt } from "../../base/index.ts";
import { codeContent, codeSpanEnd } from "./codespan.ts";
import type { CodeToken, Inline, Token } from "./types.ts";

/** Tokens of one inline; what stands behind them is not read (and is reported). */
export const TOKENS_MAX = 20_000;

const ALWAYS_MARKS = '()[]{}"|=`;,';
const TRAILING_MARKS = ".:!?";
// What each ASCII character does to a word: 1 blank, 2 mark everywhere, 3 mark at a word's end.
const BLANK = 1;
const MARK = 2;
const TRAILING = 3;
const classes = new Uint8Array(128);
for (const char of " \t\r\n") classes[char.charCodeAt(0)] = BLANK;
for (const char of ALWAYS_MARKS) classes[char.charCodeAt(0)] = MARK;
for (const char of TRAILING_MARKS) classes[char.charCodeAt(0)] = TRAILING;

/**
 * The tokens of `inline` in order. Blanks part words; `( ) [ ] { } " | = , ;` are marks wherever
 * they stand (a comma between two digits belongs to the number), `. : ! ?` at a word's end, and so
 * is any other sign of ASCII that stands alone. Linear.
 */
export function tokens(text: string, inline: Inline): Token[] {
  const found: Token[] = [];
  const end = inline.end;
  let at = inline.start;
  let codeEnds = true;
  while (at < end && found.length < TOKENS_MAX) {
    const code = text.charCodeAt(at);
    const role = code < 128 ? classes[code] : 0;
    if (role === BLANK) {
      at++;
    } else if (code === 96 && codeEnds) {
      const close = codeSpanEnd(text, at, end);
      if (close < 0) codeEnds = false;
      else {
        found.push(codeToken(text, at, close, inline.inCell));
        at = close;
      }
    } else if (inline.inCell && text.startsWith("\\|", at)) {
      found.push({ kind: "mark", text: "|", start: at, end: at + 2 });
      at += 2;
    } else if (role === MARK) {
      found.push(plain(text, at, at + 1, "mark"));
      at++;
    } else {
      at = word(text, at, inline, found);
    }
  }
  return found;
}

function codeToken(text: string, start: number, end: number, inCell: boolean): CodeToken {
  const content = codeContent(text, start, end, inCell);
  return { kind: "code", start, end, ...content };
}

function plain(text: string, start: number, end: number, kind: "word" | "mark"): Token {
  return { kind, text: wordAt(text, start, end), start, end };
}

/** Adds the word at `at` and the marks that trail it; gives the offset behind them. */
function word(text: string, at: number, inline: Inline, found: Token[]): number {
  let end = at;
  while (end < inline.end && !endsWord(text, end, inline)) end++;
  let bare = end;
  while (bare > at && roleAt(text, bare - 1) === TRAILING) bare--;
  if (bare > at) found.push(plain(text, at, bare, isSign(text, at, bare) ? "mark" : "word"));
  for (let i = bare; i < end; i++) found.push(plain(text, i, i + 1, "mark"));
  return end;
}

function endsWord(text: string, at: number, inline: Inline): boolean {
  const role = roleAt(text, at);
  if (role === BLANK) return true;
  if (role === MARK) {
    const inNumber =
      text[at] === "," &&
      at > inline.start &&
      isDigit(text.charCodeAt(at - 1)) &&
      at + 1 < inline.end &&
      isDigit(text.charCodeAt(at + 1));
    return !inNumber;
  }
  return inline.inCell && text[at] === "\\" && text[at + 1] === "|";
}

function roleAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (classes[code] ?? 0) : 0;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** One character of ASCII that is no letter and no digit. */
function isSign(text: string, start: number, end: number): boolean {
  if (end - start !== 1) return false;
  const code = text.charCodeAt(start);
  const lower = code | 32;
  return code < 128 && !isDigit(code) && !(lower >= 97 && lower <= 122);
}
