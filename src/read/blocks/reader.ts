/** Takes a text, gives its blocks and findings, line by line; must not know the nine parts. */
import type { Finding } from "../../base/index.ts";
import { classify, type LineKind } from "./classify.ts";
import { readItem } from "./items.ts";
import { readFence, readHeading, readHtml, readOther, readQuote } from "./leaves.ts";
import { Lines, trimEnd } from "./lines.ts";
import { readMisplaced, readParagraph } from "./paragraphs.ts";
import { newReport } from "./report.ts";
import { nextLine, place, type Reader } from "./state.ts";
import { readTable } from "./tables.ts";
import type { Block } from "./types.ts";

const CODE_INDENT = 4;

/**
 * Reads a decoded document. Total: any text gives blocks, which hold every character that is not
 * blank, and a finding for each place that a Markdown viewer (GFM 0.29, CommonMark 0.31.2) would
 * show otherwise than it is read. Linear in the text; spans are UTF-16 offsets into it.
 */
export function readBlocks(text: string): { blocks: Block[]; findings: Finding[] } {
  const reader: Reader = {
    text,
    lines: new Lines(text),
    report: newReport(),
    blocks: [],
    open: [],
    lastStep: 0,
    isAlike: false,
    parts: 0,
  };
  const { lines, report } = reader;
  if (lines.tooLong) report.add("too-large", lines.start, lines.end, "A line longer than 1 MiB");
  while (!lines.done) {
    if (lines.blank) nextLine(reader);
    else readBlock(reader);
  }
  return { blocks: reader.blocks, findings: report.findings() };
}

/** Reads the block that begins in the current line, which is not blank. */
function readBlock(reader: Reader): void {
  const { text, lines, report, open } = reader;
  if (lines.tooLong) {
    open.length = 0;
    const end = trimEnd(text, lines.at, lines.end);
    place(reader, { kind: "other", what: "a line that is too long", start: lines.at, end });
    nextLine(reader);
    return;
  }
  if (lines.tabbed) report.add("tab", lines.start, lines.at);
  let depth = 0;
  while (depth < open.length && lines.indent >= (open[depth]?.contentIndent ?? 0)) depth++;
  const sibling = open[depth];
  open.length = depth;
  const base = open[depth - 1]?.contentIndent ?? 0;
  if (lines.indent - base >= CODE_INDENT) {
    readOther(reader, "indented code");
    return;
  }
  const kind = classify(text, lines.at, lines.end);
  if (kind === "bullet" || kind === "step") {
    if (sibling !== undefined && lines.indent > sibling.markIndent) {
      report.add("indent", lines.start, lines.at);
    }
    readItem(reader, kind);
  } else readLeaf(reader, kind, base);
}

type LeafKind = Exclude<LineKind, "bullet" | "step">;

const refused: { readonly [kind in LeafKind]?: string } = {
  break: "a thematic break; headings part a document",
  otherBullet: "a bullet of `*` or `+`; a bullet begins with `- `",
  otherStep: "a list of `1)`; a step begins with `1. `",
};

/** Reads a block that is no item; `base` is the column of the item around it, else 0. */
function readLeaf(reader: Reader, kind: LeafKind, base: number): void {
  const what = refused[kind];
  if (what !== undefined) readOther(reader, what);
  else if (kind === "fence") readFence(reader, "`");
  else if (kind === "tilde") readFence(reader, "~");
  else if (kind === "quote") readQuote(reader, base);
  else if (kind === "html") readHtml(reader);
  else if (base > 0) readMisplaced(reader, base);
  else if (kind === "heading") readHeading(reader);
  else if (kind === "pipe") readTable(reader);
  else {
    const { lines, report } = reader;
    if (kind === "hash") report.add("heading-space", lines.at, lines.end);
    readParagraph(reader);
  }
}
