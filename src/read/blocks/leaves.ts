/** Reads the blocks without inner blocks: headings, fences, quotes, HTML and what is refused. */
import { classify, runLength } from "./classify.ts";
import { isBlank, type Line, trimEnd, trimStart } from "./lines.ts";
import { inspectText, nextLine, place, placeOther, type Reader } from "./state.ts";

const CODE_INDENT = 4;

/** Reads `# ` to `###### ` (CommonMark 4.2), closing marks left out. */
export function readHeading(reader: Reader): void {
  const { text, lines, report } = reader;
  const start = lines.at;
  const level = runLength(text, start, lines.end);
  const end = trimEnd(text, start, lines.end);
  const first = trimStart(text, start + level, end);
  let last = end;
  while (last > first && text[last - 1] === "#") last--;
  if (last > first && last < end && !isBlank(text.charCodeAt(last - 1))) last = end;
  const inline = { start: first, end: trimEnd(text, first, last), inCell: false };
  if (inline.start === inline.end) report.add("heading-empty", start, end);
  inspectText(reader, inline, false);
  if (level === 2) reader.parts++;
  place(reader, { kind: "heading", level, start, end, inline });
  nextLine(reader);
}

/** Whether a line closes a fence of `length` marks (CommonMark 4.5). */
export function isFenceEnd(text: string, line: Line, mark: string, length: number): boolean {
  const { at, end, indent } = line;
  if (text[at] !== mark || at === end || indent >= CODE_INDENT) return false;
  const run = runLength(text, at, end);
  return run >= length && trimStart(text, at + run, end) === end;
}

/** Reads a fenced block to its closing fence or the end of the file. */
export function readFence(reader: Reader, mark: "`" | "~"): void {
  const { text, lines, report } = reader;
  const start = lines.at;
  const length = runLength(text, start, lines.end);
  const infoEnd = trimEnd(text, start + length, lines.end);
  const infoSpan = { start: trimStart(text, start + length, infoEnd), end: infoEnd };
  const info = text.slice(infoSpan.start, infoSpan.end);
  const openingEnd = lines.end;
  const inItem = reader.open.length > 0;
  const base = reader.open.at(-1)?.contentIndent ?? 0;
  if (lines.indent > 0) report.add("fence-place", start, openingEnd);
  if (/\\|&[#A-Za-z0-9]+;/.test(info)) report.add("fence-info", infoSpan.start, infoSpan.end);
  nextLine(reader);
  const contentStart = lines.start;
  let closed = false;
  let end = trimEnd(text, start, openingEnd);
  let contentEnd = contentStart;
  while (!lines.done && !closed) {
    closed = isFenceEnd(text, { ...position(lines), indent: lines.indent - base }, mark, length);
    end = closed ? trimEnd(text, lines.start, lines.end) : lines.end;
    contentEnd = closed ? lines.start : lines.next;
    nextLine(reader);
  }
  if (!closed) report.add("fence-unclosed", start, openingEnd);
  const span = { start, end };
  if (mark === "~") placeOther(reader, span, "a fence of `~`; a fence is of backticks");
  else if (inItem) place(reader, { kind: "other", what: "a fence inside an item", ...span });
  else {
    const content = { start: contentStart, end: contentEnd };
    place(reader, { kind: "fence", ...span, info, infoSpan, content, closed });
  }
}

function position({ start, end, at }: Line): { start: number; end: number; at: number } {
  return { start, end, at };
}

/** Reads consecutive `>` lines, a comment for people. */
export function readQuote(reader: Reader, base: number): void {
  const { text, lines, report } = reader;
  const start = lines.at;
  if (base > 0) report.add("item-content", start, lines.end);
  let end = start;
  while (isQuoteLine(reader, base)) {
    end = trimEnd(text, lines.at, lines.end);
    nextLine(reader);
  }
  place(reader, { kind: "quote", start, end });
  if (lines.done || lines.blank) return;
  const kind = classify(text, lines.at, lines.end);
  const joins = kind === "text" || kind === "hash" || kind === "pipe";
  if (joins || lines.indent - base >= CODE_INDENT) report.add("lazy-line", lines.at, lines.end);
  else if (kind === "step") report.add("blank-line", lines.at, lines.end);
}

function isQuoteLine({ text, lines }: Reader, base: number): boolean {
  const indent = lines.indent - base;
  return !lines.done && indent >= 0 && indent < CODE_INDENT && text[lines.at] === ">";
}

const HTML_ENDS: readonly (readonly [RegExp, string])[] = [
  [/<!--/y, "-->"],
  [/<\?/y, "?>"],
  [/<!\[CDATA\[/y, "]]>"],
  [/<!/y, ">"],
  [/<(?:script|pre|style|textarea)/iy, "</"],
];

/** Reads HTML to where a viewer would end it (CommonMark 4.6). */
export function readHtml(reader: Reader): void {
  const { text, lines, report } = reader;
  const start = lines.at;
  const ending = HTML_ENDS.find(([opening]) => {
    opening.lastIndex = start;
    return opening.test(text);
  })?.[1];
  const found = ending === undefined ? -1 : text.indexOf(ending, start + 2);
  const stop = found < 0 ? text.length : found;
  let end = start;
  do {
    end = trimEnd(text, lines.at, lines.end);
    nextLine(reader);
  } while (!lines.done && (ending === undefined ? !lines.blank : lines.start <= stop));
  const isComment = ending === "-->";
  report.add("html", start, end, isComment ? "An HTML comment, which nobody sees" : "HTML");
  place(reader, { kind: "html", start, end });
}

/** Reads one line, and the text and indented lines that hang on it, as a refused construct. */
export function readOther(reader: Reader, what: string): void {
  const { text, lines } = reader;
  const start = lines.at;
  let end = start;
  do {
    end = trimEnd(text, lines.at, lines.end);
    nextLine(reader);
  } while (!lines.done && !lines.blank && !lines.tooLong && lines.indent >= 2);
  placeOther(reader, { start, end }, what);
}
