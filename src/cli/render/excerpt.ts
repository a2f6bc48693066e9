/** Takes a text and a place in it, gives the line with a caret below; must not know findings. */
import type { LineTable, Span } from "../../base/index.ts";
import { positionOf } from "../../base/index.ts";
import { pointWidth } from "../../write/index.ts";
import type { Brush } from "../paint.ts";

const TAB_WIDTH = 4;
const PICTURES = 0x2400;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const JOINERS = /[\u200d\ufe0f]/;
/** Columns of the line shown left of the marked place where the line is cut. */
const LEAD = 20;
const CUT = "…";
/** Longest stretch of a line that is looked at, in UTF-16 units on each side of the place. */
const STRETCH_MAX = 600;

interface Cell {
  readonly shown: string;
  readonly columns: number;
  readonly isMarked: boolean;
}

/** One code point as it is shown; what a terminal would obey or hide is made visible. */
function cellOf(point: number, column: number): { shown: string; columns: number } {
  if (point === 9) {
    const columns = TAB_WIDTH - (column % TAB_WIDTH);
    return { shown: " ".repeat(columns), columns };
  }
  const text = String.fromCodePoint(point);
  if (point < 0x20) return { shown: String.fromCodePoint(PICTURES + point), columns: 1 };
  if (UNSEEN.test(text) && !JOINERS.test(text)) {
    const shown = `<U+${point.toString(16).toUpperCase().padStart(4, "0")}>`;
    return { shown, columns: shown.length };
  }
  return { shown: text, columns: pointWidth(point) };
}

function cellsOf(line: string, start: number, end: number): Cell[] {
  const cells: Cell[] = [];
  let column = 0;
  for (let i = 0; i < line.length; ) {
    const point = line.codePointAt(i) ?? 0;
    const cell = cellOf(point, column);
    cells.push({ ...cell, isMarked: i >= start && i < end });
    column += cell.columns;
    i += point > 0xffff ? 2 : 1;
  }
  return cells;
}

const widthOf = (cells: readonly Cell[]): number =>
  cells.reduce((sum, cell) => sum + cell.columns, 0);

/** The cells that fit into `columns`, so that the first marked one is among them. */
function cut(cells: readonly Cell[], columns: number): Cell[] {
  if (widthOf(cells) <= columns) return [...cells];
  const mark = cells.findIndex((cell) => cell.isMarked);
  const dots: Cell = { shown: CUT, columns: 1, isMarked: false };
  let from = mark < 0 ? 0 : mark;
  let lead = 0;
  const before = widthOf(cells.slice(0, from));
  if (before + LEAD < columns) from = 0;
  else while (from > 0 && lead < LEAD) lead += cells[--from]?.columns ?? 0;
  const kept: Cell[] = from > 0 ? [dots] : [];
  let width = kept.length;
  let at = from;
  for (; at < cells.length; at++) {
    const cell = cells[at];
    if (cell === undefined || width + cell.columns > columns - 1) break;
    kept.push(cell);
    width += cell.columns;
  }
  if (at < cells.length) kept.push(dots);
  return kept;
}

/** The text of the line that begins at `start`. */
function lineAt(text: string, start: number, near: number): { line: string; from: number } {
  const from = Math.max(start, near - STRETCH_MAX);
  let end = from;
  while (end < text.length && end < near + STRETCH_MAX && !"\r\n".includes(text[end] ?? "")) end++;
  return { line: text.slice(from, end), from };
}

interface ExcerptOptions {
  /** Columns for the line itself. */
  readonly columns: number;
  /** Columns of the margin with the line number. */
  readonly margin: number;
  readonly mark: Brush;
  readonly dim: Brush;
}

/**
 * Two lines: the source line with its number, and carets below the span (its part in that line, at
 * least one). Carets stand below what they mark whatever the width of the characters.
 */
export function excerpt(
  text: string,
  table: LineTable,
  span: Span,
  options: ExcerptOptions,
): [source: string, carets: string] {
  const { line: number } = positionOf(table, span.start);
  const { line, from } = lineAt(text, table.starts[number - 1] ?? 0, span.start);
  const start = Math.min(span.start - from, line.length);
  const end = Math.max(start, Math.min(span.end - from, line.length));
  const cells = cellsOf(line, start, Math.max(end, start + 1));
  if (start >= line.length) cells.push({ shown: "", columns: 1, isMarked: true });
  const kept = cut(cells, options.columns);
  const before = widthOf(
    kept.slice(
      0,
      kept.findIndex((cell) => cell.isMarked),
    ),
  );
  const marked = Math.max(1, widthOf(kept.filter((cell) => cell.isMarked)));
  const shown = kept
    .map((cell) => cell.shown)
    .join("")
    .trimEnd();
  const margin = options.dim(`${String(number).padStart(options.margin)} │`);
  const blank = options.dim(`${" ".repeat(options.margin)} │`);
  return [
    `${margin} ${shown}`.trimEnd(),
    `${blank} ${" ".repeat(before)}${options.mark("^".repeat(marked))}`,
  ];
}

/** The source line of a place alone, cut to `columns`, for lists. */
export function sourceLine(text: string, table: LineTable, at: number, columns: number): string {
  const { line: number } = positionOf(table, at);
  const { line } = lineAt(text, table.starts[number - 1] ?? 0, table.starts[number - 1] ?? 0);
  const cells = cellsOf(line.trim(), -1, -1);
  return cut(cells, columns)
    .map((cell) => cell.shown)
    .join("");
}
