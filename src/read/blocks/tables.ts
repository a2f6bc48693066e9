/** Reads GFM tables (GFM 4.10), strictly: rows piped at both ends and as wide as the header. */
import { classify } from "./classify.ts";
import { inspect } from "./inspect.ts";
import { trimEnd, trimStart } from "./lines.ts";
import type { Report } from "./report.ts";
import { nextLine, place, type Reader } from "./state.ts";
import type { Inline, Row } from "./types.ts";

/** Columns of the widest table that is read. */
const COLUMNS_MAX = 200;

const BACKSLASH = 92;
const PIPE = 124;
const CODE_INDENT = 4;

/** Reads the table whose header is the current line, which begins with `|`. */
export function readTable(reader: Reader): void {
  const { text, lines, report } = reader;
  const header = splitRow(text, lines.at, lines.end, report);
  if (header.cells.length > COLUMNS_MAX) {
    report.add("too-large", header.start, header.end, `More than ${COLUMNS_MAX} columns`);
  }
  nextLine(reader);
  if (!isDelimiter(reader, header.cells.length)) {
    refuse(reader, header);
    return;
  }
  inspectRow(text, header, report);
  let end = trimEnd(text, lines.at, lines.end);
  nextLine(reader);
  const rows: Row[] = [];
  while (isRow(reader)) {
    if (lines.tabbed) report.add("tab", lines.start, lines.at);
    const row = splitRow(text, lines.at, lines.end, report);
    const whole = inspectRow(text, row, report);
    if (whole && row.cells.length !== header.cells.length) {
      const detail = `This row has ${row.cells.length} cells, its header ${header.cells.length}`;
      report.add("table-cells", row.start, row.end, detail);
    }
    rows.push(row);
    end = row.end;
    nextLine(reader);
  }
  place(reader, { kind: "table", start: header.start, end, header, rows });
  if (lines.done || lines.blank || lines.indent >= CODE_INDENT) return;
  const kind = classify(text, lines.at, lines.end);
  if (kind === "text" || kind === "hash") report.add("blank-line", lines.at, lines.end);
}

/** Places rows that are no table, because the line of dashes is missing or of another width. */
function refuse(reader: Reader, header: Row): void {
  const { text, lines, report } = reader;
  let end = header.end;
  while (isRow(reader)) {
    end = trimEnd(text, lines.at, lines.end);
    nextLine(reader);
  }
  report.add("table-delimiter", header.start, header.end);
  place(reader, { kind: "other", what: "a table without dashes", start: header.start, end });
}

function isRow({ text, lines }: Reader): boolean {
  const { done, blank, tooLong, indent, at } = lines;
  return !done && !blank && !tooLong && indent < CODE_INDENT && text[at] === "|";
}

/** Whether the current line is `|---|:--:|` with `count` cells. */
function isDelimiter(reader: Reader, count: number): boolean {
  if (!isRow(reader)) return false;
  const { text, lines } = reader;
  const silent: Report = { add: () => undefined, findings: () => [] };
  const { cells } = splitRow(text, lines.at, lines.end, silent);
  return cells.length === count && cells.every((cell) => isDashes(text, cell));
}

function isDashes(text: string, { start, end }: Inline): boolean {
  const from = text[start] === ":" ? start + 1 : start;
  const to = end > from && text[end - 1] === ":" ? end - 1 : end;
  for (let i = from; i < to; i++) if (text[i] !== "-") return false;
  return to > from;
}

/** Splits `[at, end)`, which begins with `|`; stops one cell behind the bound. */
function splitRow(text: string, at: number, end: number, report: Report): Row {
  const last = trimEnd(text, at, end);
  const cells: Inline[] = [];
  let from = at + 1;
  for (let i = from; i < last && cells.length <= COLUMNS_MAX; i++) {
    if (text.charCodeAt(i) !== PIPE) continue;
    if (text.charCodeAt(i - 1) === BACKSLASH) {
      if (text.charCodeAt(i - 2) === BACKSLASH) report.add("table-backslash", i - 2, i + 1);
      continue;
    }
    cells.push(cell(text, from, i));
    from = i + 1;
  }
  if (from < last && cells.length <= COLUMNS_MAX) {
    cells.push(cell(text, from, last));
    report.add("table-pipe", last, last);
  }
  return { start: at, end: last, cells };
}

function cell(text: string, from: number, to: number): Inline {
  const start = trimStart(text, from, to);
  if (start === to) return { start: from, end: from, inCell: true };
  return { start, end: trimEnd(text, start, to), inCell: true };
}

/** Inspects the cells of a row; false where a code span was cut by a `|` (reported). */
function inspectRow(text: string, row: Row, report: Report): boolean {
  const { cells } = row;
  for (let i = 0; i < cells.length; i++) {
    const inline = cells[i];
    if (inline === undefined) break;
    const open = inspect(text, inline, report);
    if (open < 0) continue;
    if (i < cells.length - 1) {
      report.add("table-code-pipe", open, inline.end);
      return false;
    }
    report.add("code-unclosed", open, inline.end);
  }
  return true;
}
