/** The shapes that the block reader gives: blocks, inlines and tokens, by offsets into one text. */
import type { Span } from "../../base/index.ts";

/**
 * A stretch of running text: a heading's or an item's content, one line of a paragraph, one cell.
 * It holds no text of its own; `tokens(text, inline)` reads it. It may cover several source lines
 * (an item with continuation lines): a line end and its indentation then count as one space.
 */
export interface Inline extends Span {
  /** In a table cell `\|` stands for `|`. */
  readonly inCell: boolean;
}

/** `# ` to `###### `; `inline` is without the marks. */
export interface Heading extends Span {
  readonly kind: "heading";
  readonly level: number;
  readonly inline: Inline;
}

/**
 * Consecutive lines of text, each its own inline. `prose` is true above the first part and in the
 * first part, where text is free and so was not searched for links, emphasis and the like
 * (`inspectInline` does that for a line that is to be read as a statement after all).
 */
export interface Paragraph extends Span {
  readonly kind: "paragraph";
  readonly lines: readonly Inline[];
  readonly prose: boolean;
}

/** `- text`; `depth` counts the items around it, 0 to 2. */
export interface Bullet extends Span {
  readonly kind: "bullet";
  readonly depth: number;
  readonly inline: Inline;
  readonly children: readonly Block[];
}

/** `1. text`; `number` is the number as written. */
export interface Step extends Span {
  readonly kind: "step";
  readonly depth: number;
  readonly number: number;
  readonly inline: Inline;
  readonly children: readonly Block[];
}

/** One row of a table; `cells` may differ in number from the header's (then it is reported). */
export interface Row extends Span {
  readonly cells: readonly Inline[];
}

/** A table with its header, its delimiter row left out; an empty cell has an empty span. */
export interface Table extends Span {
  readonly kind: "table";
  readonly header: Row;
  readonly rows: readonly Row[];
}

/** A fenced block; `content` spans its lines with their line ends, without the fences. */
export interface Fence extends Span {
  readonly kind: "fence";
  readonly info: string;
  readonly infoSpan: Span;
  readonly content: Span;
  readonly closed: boolean;
}

/** `> ` lines: a comment for people. */
interface Quote extends Span {
  readonly kind: "quote";
}

/** HTML, comments included: always reported. */
interface Html extends Span {
  readonly kind: "html";
}

/** Any other Markdown construct, named by `what`: always reported. */
interface Other extends Span {
  readonly kind: "other";
  readonly what: string;
}

type Item = Bullet | Step;
export type Block = Heading | Paragraph | Item | Table | Fence | Quote | Html | Other;

/** A word without the marks around it, or one mark of punctuation. */
interface PlainToken extends Span {
  readonly kind: "word" | "mark";
  readonly text: string;
}

/**
 * A code span; `start` and `end` take in the backticks, `text` is the content as a viewer shows it.
 * `contentStart` is the offset of the content's first character. `shifts` holds pairs (index in
 * `text`, sum of what to add from there on) where text and source run apart.
 */
export interface CodeToken extends Span {
  readonly kind: "code";
  readonly text: string;
  readonly contentStart: number;
  readonly shifts: readonly number[];
}

export type Token = PlainToken | CodeToken;
