/** Spans and line tables: offsets into a text, turned into lines and columns only when printed. */

/** Half-open range of UTF-16 offsets `[start, end)` into the decoded document text. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /**
   * Absent: the document's own text. Where a document is checked with assumptions, 1 is the text of
   * those; of a description that refers to other files, these are counted from 1.
   */
  readonly file?: number;
}

/** One-based line and column; columns count UTF-16 code units, as editors and SARIF do. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Offsets at which each line of a text begins. */
export interface LineTable {
  readonly starts: readonly number[];
  readonly length: number;
}

/** Builds the line table of `text`; a line ends with LF, CRLF or a lone CR. */
export function lineTable(text: string): LineTable {
  const starts = [0];
  if (!text.includes("\r")) {
    // A search by the engine takes a tenth of the time.
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
    return { starts, length: text.length };
  }
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || (code === 13 && text.charCodeAt(i + 1) !== 10)) starts.push(i + 1);
  }
  return { starts, length: text.length };
}

/** Position of `offset` (clamped to the text), by binary search: O(log lines). */
export function positionOf(table: LineTable, offset: number): Position {
  const at = Math.max(0, Math.min(offset, table.length));
  let low = 0;
  let high = table.starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((table.starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: at - (table.starts[low] ?? 0) + 1 };
}
