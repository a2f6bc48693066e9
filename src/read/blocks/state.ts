/** What the reader carries from line to line, and how a finished block finds its place. */
import type { Span } from "../../base/index.ts";
import { inspect, inspectProse } from "./inspect.ts";
import type { Lines } from "./lines.ts";
import type { Report } from "./report.ts";
import type { Block, Bullet, Inline, Step } from "./types.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** An item that may still grow by nested items. */
export type GrowingItem = Mutable<Bullet> | Mutable<Step>;

/** An item whose nested lines may follow. */
interface OpenItem {
  readonly item: GrowingItem;
  /** Column of its mark. */
  readonly markIndent: number;
  /** Column of its text: nested lines are indented by at least as much. */
  readonly contentIndent: number;
  /** Number of the last step directly inside; 0 where the next one begins a list. */
  lastStep: number;
  /** Whether all steps of that list have the number 1, which viewers count up. */
  isAlike: boolean;
}

/** The state of one reading. */
export interface Reader {
  readonly text: string;
  readonly lines: Lines;
  readonly report: Report;
  readonly blocks: Block[];
  /** The open items, outermost first. */
  readonly open: OpenItem[];
  /** Like `OpenItem.lastStep`, for the steps outside of items. */
  lastStep: number;
  isAlike: boolean;
  /** Headings of level 2 so far: text is free before the second one. */
  parts: number;
}

/** No nested blocks: one object for all items that have none. */
export const NO_BLOCKS: readonly Block[] = Object.freeze([]);

/** Goes to the following line and reports one that is too long. */
export function nextLine(reader: Reader): void {
  const { lines, report } = reader;
  lines.advance();
  if (lines.tooLong) report.add("too-large", lines.start, lines.end, "A line longer than 1 MiB");
}

/** Adds a block to the innermost open item, or to the document; the items around it grow. */
export function place(reader: Reader, block: Block): void {
  const { open } = reader;
  for (const around of open) around.item.end = block.end;
  const parent = open.at(-1);
  const holder = parent ?? reader;
  if (block.kind === "step") holder.lastStep = block.number;
  else if (block.kind !== "quote") holder.lastStep = 0;
  if (parent === undefined) {
    reader.blocks.push(block);
    return;
  }
  const { item } = parent;
  if (item.children === NO_BLOCKS) item.children = [block];
  else (item.children as Block[]).push(block);
}

/** Reports a construct that the notation does not have and places it as `other`. */
export function placeOther(reader: Reader, span: Span, what: string): void {
  reader.report.add("other-markdown", span.start, span.end, `This is ${what}`);
  place(reader, { kind: "other", what, start: span.start, end: span.end });
}

/** Reports what is wrong inside an inline; `free` text is searched for HTML alone. */
export function inspectText(reader: Reader, inline: Inline, free: boolean): void {
  const { text, report } = reader;
  if (free) {
    inspectProse(text, inline, report);
    return;
  }
  const open = inspect(text, inline, report);
  if (open >= 0) report.add("code-unclosed", open, inline.end);
}

/** Whether a text defines a link that no viewer shows (CommonMark 4.7), or a footnote. */
export function isDefinition(text: string, span: Span): boolean {
  return text[span.start] === "[" && text.slice(span.start, span.end).includes("]:");
}
