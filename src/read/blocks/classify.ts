/** Takes the first characters of a line, tells which block they begin (CommonMark 0.31.2, 4). */
import { isBlank, trimEnd, trimStart } from "./lines.ts";

/** `hash` looks like a heading and is none; `pipe` may begin a table row. */
export type LineKind =
  | "heading"
  | "hash"
  | "fence"
  | "tilde"
  | "quote"
  | "html"
  | "break"
  | "bullet"
  | "otherBullet"
  | "step"
  | "otherStep"
  | "pipe"
  | "text";

const HEADING_LEVEL_MAX = 6;
const STEP_DIGITS_MAX = 9;

/** The kind of the text `[at, end)`, which begins with neither space nor tab and is not empty. */
export function classify(text: string, at: number, end: number): LineKind {
  const first = text[at];
  switch (first) {
    case "#":
      return hashKind(text, at, end);
    case "`":
      return isFence(text, at, end) ? "fence" : "text";
    case "~":
      return runLength(text, at, end) >= 3 ? "tilde" : "text";
    case ">":
      return "quote";
    case "<":
      return isHtml(text, at, end) ? "html" : "text";
    case "|":
      return "pipe";
    case "-":
    case "*":
    case "+":
    case "_":
      return dashKind(text, at, end);
    default:
      return first !== undefined && first >= "0" && first <= "9"
        ? digitKind(text, at, end)
        : "text";
  }
}

/** How often the character at `at` stands there in a row. */
export function runLength(text: string, at: number, end: number): number {
  const code = text.charCodeAt(at);
  let i = at + 1;
  while (i < end && text.charCodeAt(i) === code) i++;
  return i - at;
}

const AUTOLINK = /<[A-Za-z][A-Za-z0-9+.-]{1,31}:/y;

/** Whether the `<` at `at` may begin HTML rather than a link in angle brackets. */
export function isHtml(text: string, at: number, end: number): boolean {
  if (at + 1 >= end || !isTagStart(text.charCodeAt(at + 1))) return false;
  AUTOLINK.lastIndex = at;
  return !AUTOLINK.test(text);
}

/** A letter, `/`, `!` or `?`: after `<` it begins HTML (CommonMark 4.6, 6.6) or an autolink. */
export function isTagStart(code: number): boolean {
  const lower = code | 32;
  return (lower >= 97 && lower <= 122) || code === 47 || code === 33 || code === 63;
}

function hashKind(text: string, at: number, end: number): LineKind {
  const level = runLength(text, at, end);
  const after = at + level;
  const spaced = after === end || isBlank(text.charCodeAt(after));
  return level <= HEADING_LEVEL_MAX && spaced ? "heading" : "hash";
}

function isFence(text: string, at: number, end: number): boolean {
  const length = runLength(text, at, end);
  if (length < 3) return false;
  const tick = text.indexOf("`", at + length);
  return tick < 0 || tick >= end;
}

function dashKind(text: string, at: number, end: number): LineKind {
  if (text[at] !== "+" && isBreak(text, at, end)) return "break";
  const marked = at + 1 === end || isBlank(text.charCodeAt(at + 1));
  if (!marked || text[at] === "_") return "text";
  return text[at] === "-" ? "bullet" : "otherBullet";
}

/** Three or more of one of `-*_` with nothing but blanks between (CommonMark 4.1). */
function isBreak(text: string, at: number, end: number): boolean {
  const code = text.charCodeAt(at);
  let count = 0;
  for (let i = at; i < end; i++) {
    const here = text.charCodeAt(i);
    if (here === code) count++;
    else if (!isBlank(here)) return false;
  }
  return count >= 3;
}

function digitKind(text: string, at: number, end: number): LineKind {
  let i = at;
  while (i < end && text.charCodeAt(i) >= 48 && text.charCodeAt(i) <= 57) i++;
  const mark = text[i];
  if (i === end || i - at > STEP_DIGITS_MAX || (mark !== "." && mark !== ")")) return "text";
  if (i + 1 < end && !isBlank(text.charCodeAt(i + 1))) return "text";
  return mark === "." ? "step" : "otherStep";
}

/** What a line below a line of text would make of it: a heading (4.3) or a table (GFM 4.10). */
export function underline(text: string, at: number, end: number): "setext" | "table" | undefined {
  const last = trimEnd(text, at, end);
  const first = text[at];
  if ((first === "=" || first === "-") && runLength(text, at, last) === last - at) return "setext";
  if (first !== "-" && first !== ":" && first !== "|") return undefined;
  let dashes = 0;
  let others = 0;
  for (let i = at; i < last; i++) {
    const code = text.charCodeAt(i);
    if (code === 45) dashes++;
    else if (code === 58 || code === 124) others++;
    else if (!isBlank(code)) return undefined;
  }
  return dashes > 0 && others > 0 ? "table" : undefined;
}

/** The parts of a bullet's or step's first line. */
export interface ItemMark {
  /** The step's number; 0 for a bullet. */
  readonly number: number;
  /** The digits as written; empty for a bullet. */
  readonly digits: string;
  /** Offset of the text; `end` where there is none. */
  readonly contentAt: number;
  /** Columns from the mark to the text, which nested lines must be indented by (5.2). */
  readonly width: number;
}

/** Reads the mark of an item that `classify` called a bullet or a step. */
export function itemMark(text: string, at: number, end: number): ItemMark {
  let markEnd = at + 1;
  let digits = "";
  if (text.charCodeAt(at) !== 45) {
    while (text[markEnd - 1] !== ".") markEnd++;
    digits = text.slice(at, markEnd - 1);
  }
  const contentAt = trimStart(text, markEnd, end);
  const markWidth = markEnd - at;
  const spaces = contentAt - markEnd;
  const width = contentAt === end || spaces > 4 ? markWidth + 1 : markWidth + spaces;
  return { number: digits === "" ? 0 : Number(digits), digits, contentAt, width };
}
