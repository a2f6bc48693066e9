/** Finds code spans in a stretch of text (CommonMark 6.1); must not know words or findings. */
import { wordAt } from "../../base/index.ts";
import { runLength } from "./classify.ts";

const BACKTICK = "`";

/**
 * Offset behind the closing backticks of the span that opens at `open`, or -1 where none closes it
 * before `end`. Callers stop looking for code spans at the first -1, which keeps them linear.
 */
export function codeSpanEnd(text: string, open: number, end: number): number {
  const length = runLength(text, open, end);
  let at = open + length;
  while (at < end) {
    const tick = text.indexOf(BACKTICK, at);
    if (tick < 0 || tick >= end) return -1;
    const run = runLength(text, tick, end);
    if (run === length) return tick + run;
    at = tick + run;
  }
  return -1;
}

/** The content of a code span as a viewer shows it, and how its indices map to the source. */
interface CodeContent {
  readonly text: string;
  readonly contentStart: number;
  readonly shifts: readonly number[];
}

const NO_SHIFTS: readonly number[] = Object.freeze([]);

/** Reads the span `[open, close)`: strips one space at both ends, unescapes, joins lines. */
export function codeContent(
  text: string,
  open: number,
  close: number,
  inCell: boolean,
): CodeContent {
  const ticks = runLength(text, open, close);
  let start = open + ticks;
  let end = close - ticks;
  if (isSpace(text, start) && isSpace(text, end - 1) && !isAllSpace(text, start, end)) {
    start++;
    end--;
    if (text[start - 1] === "\r" && text[start] === "\n") start++;
    if (text[end] === "\n" && text[end - 1] === "\r") end--;
    if (text[start - 1] === "\n" || text[start - 1] === "\r") start = blanksEnd(text, start, end);
  }
  const raw = wordAt(text, start, end);
  const plain = !(inCell && raw.includes("\\|")) && !/[\r\n]/.test(raw);
  if (plain) return { text: raw, contentStart: start, shifts: NO_SHIFTS };
  return { contentStart: start, ...rewrite(raw, inCell) };
}

function rewrite(raw: string, inCell: boolean): { text: string; shifts: number[] } {
  const shifts: number[] = [];
  let text = "";
  let from = 0;
  let dropped = 0;
  for (let i = 0; i < raw.length; i++) {
    const lineEnd = raw[i] === "\n" || raw[i] === "\r";
    if (!lineEnd && !(inCell && raw[i] === "\\" && raw[i + 1] === "|")) continue;
    text += raw.slice(from, i) + (lineEnd ? " " : "");
    from = i + 1;
    if (lineEnd) {
      if (raw[i] === "\r" && raw[i + 1] === "\n") from++;
      from = blanksEnd(raw, from, raw.length);
      dropped += from - i - 1;
    } else dropped += 1;
    shifts.push(text.length, dropped);
    i = from - 1;
  }
  return { text: text + raw.slice(from), shifts };
}

function blanksEnd(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && (text[at] === " " || text[at] === "\t")) at++;
  return at;
}

function isSpace(text: string, at: number): boolean {
  const char = text[at];
  return char === " " || char === "\n" || char === "\r";
}

function isAllSpace(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (!isSpace(text, i)) return false;
  return true;
}
