/** Reads bullets and steps: their mark, their text and its continuation lines (CommonMark 5.2). */
import { classify, type ItemMark, itemMark, runLength } from "./classify.ts";
import { isFenceEnd } from "./leaves.ts";
import { trimEnd } from "./lines.ts";
import { continuation } from "./paragraphs.ts";
import {
  type GrowingItem,
  inspectText,
  isDefinition,
  NO_BLOCKS,
  nextLine,
  place,
  type Reader,
} from "./state.ts";
import type { Inline } from "./types.ts";

/** Levels of items below the top. */
const DEPTH_MAX = 2;
const MARK_SPACES_MAX = 4;

/** Reads the item that begins in the current line; `reader.open` holds the items around it. */
export function readItem(reader: Reader, kind: "bullet" | "step"): void {
  const { text, lines, report, open } = reader;
  const start = lines.at;
  const markIndent = lines.indent;
  const mark = itemMark(text, start, lines.end);
  if (open.length > DEPTH_MAX) {
    report.add("too-deep", start, lines.end);
    open.length = DEPTH_MAX;
  }
  inspectMark(reader, kind, mark);
  const contentIndent = markIndent + mark.width;
  const contentStart = mark.contentAt;
  const fence = fenceTicks(reader, contentStart);
  let end = trimEnd(text, contentStart, lines.end);
  nextLine(reader);
  const blockEnd = fence > 0 ? skipFence(reader, fence) : -1;
  if (contentStart < end && fence === 0) end = readContinuation(reader, contentIndent, end);
  const inline: Inline = { start: Math.min(contentStart, end), end, inCell: false };
  if (fence === 0) inspectItem(reader, inline);
  const shared = {
    start,
    end: Math.max(end, blockEnd),
    depth: open.length,
    inline,
    children: NO_BLOCKS,
  };
  const item: GrowingItem =
    kind === "step" ? { kind, number: stepNumber(reader, mark), ...shared } : { kind, ...shared };
  place(reader, item);
  open.push({ item, markIndent, contentIndent, lastStep: 0, isAlike: false });
}

/** Reads the lines that continue an item's text; gives the offset behind the last. */
function readContinuation(reader: Reader, contentIndent: number, end: number): number {
  const { text, lines, report } = reader;
  let last = end;
  let lastLineEnd = -1;
  while (true) {
    const next = continuation(reader, contentIndent);
    if (next === "stop") return last;
    const lineEnd = trimEnd(text, lines.at, lines.end);
    if (next === "text") {
      const spaces = lastLineEnd < 0 ? lineBreakSpaces(text, last) : lastLineEnd - last;
      if (spaces >= 2) report.add("hard-break", last, last + spaces);
    } else {
      const what = next === "setext" ? "an underlined heading" : "a table";
      report.add("other-markdown", lines.at, lineEnd, `This is ${what} inside an item`);
    }
    last = lineEnd;
    lastLineEnd = lines.end;
    nextLine(reader);
  }
}

/** Blanks between the end of a line's text and its line end. */
function lineBreakSpaces(text: string, at: number): number {
  let i = at;
  while (text[i] === " " || text[i] === "\t") i++;
  return i - at;
}

const isAlike = ({ lastStep, isAlike }: Pick<Reader, "lastStep" | "isAlike">): boolean =>
  lastStep > 0 && isAlike;

/** The number that viewers show: they count up where all are numbered 1. */
function stepNumber(reader: Reader, { number }: ItemMark): number {
  const holder = reader.open.at(-1) ?? reader;
  return isAlike(holder) && number === 1 ? holder.lastStep + 1 : number;
}

/** Reports an item's mark, number and first characters where viewers read them otherwise. */
function inspectMark(reader: Reader, kind: "bullet" | "step", mark: ItemMark): void {
  const { text, lines, report, open } = reader;
  const start = lines.at;
  const { contentAt, digits, number } = mark;
  const holder = open.at(-1) ?? reader;
  if (kind === "step" && holder.lastStep === 1) holder.isAlike = digits === "1";
  const due = isAlike(holder) ? 1 : holder.lastStep + 1;
  if (kind === "step" && (number !== due || digits !== String(number))) {
    const detail = `Step ${digits} stands where step ${holder.lastStep + 1} is due`;
    report.add("step-number", start, start + digits.length + 1, detail);
  }
  if (contentAt === lines.end) {
    report.add("item-empty", start, lines.end);
    return;
  }
  const markEnd = start + Math.max(1, digits.length + (kind === "step" ? 1 : 0));
  if (text.slice(markEnd, contentAt).includes("\t")) report.add("tab", markEnd, contentAt);
  if (contentAt - markEnd > MARK_SPACES_MAX) report.add("indent", markEnd, contentAt);
  const content = classify(text, contentAt, lines.end);
  if (content === "html") return;
  if (content !== "text" && content !== "hash" && content !== "pipe") {
    report.add("item-content", contentAt, lines.end);
  }
}

function inspectItem(reader: Reader, inline: Inline): void {
  if (isDefinition(reader.text, inline)) {
    const detail = "This is a link definition, which no viewer shows";
    reader.report.add("other-markdown", inline.start, inline.end, detail);
  } else inspectText(reader, inline, reader.parts === 0);
}

/** The length of the fence that an item begins with (already reported), or 0. */
function fenceTicks({ text, lines }: Reader, at: number): number {
  if (at === lines.end) return 0;
  const kind = classify(text, at, lines.end);
  return kind === "fence" || kind === "tilde" ? runLength(text, at, lines.end) : 0;
}

/** Passes the lines of a fence inside an item's first line; gives the offset behind the last. */
function skipFence(reader: Reader, ticks: number): number {
  const { text, lines } = reader;
  let end = -1;
  while (!lines.done) {
    const closes = isFenceEnd(text, lines, "`", ticks) || isFenceEnd(text, lines, "~", ticks);
    end = trimEnd(text, lines.start, lines.end);
    nextLine(reader);
    if (closes) break;
  }
  return end;
}
