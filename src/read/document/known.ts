/** Remembers the cells that were read last, by their text; must not know what they may say. */
import type { Span } from "../../base/index.ts";
import type { Column } from "../../language/index.ts";
import type { SingleCell, WrittenCell } from "../../spec/index.ts";

/** Longer cells are seldom repeated. */
const LENGTH_MAX = 80;
const PLACES = 512;

/** A cell that was read, however it is kept. */
export type ReadCell = WrittenCell | SingleCell;

/** Cells of one document by column, each at the place that its text gives: the last one there. */
export type KnownCells = Map<Column, (ReadCell | undefined)[]>;

function placeOf(text: string, { start, end }: Span): number {
  let hash = end - start;
  for (let at = start; at < end; at++) hash = Math.imul(hash, 31) + text.charCodeAt(at);
  return (hash ^ (hash >>> 12)) & (PLACES - 1);
}

function isSame(text: string, a: Span, b: Span): boolean {
  const length = a.end - a.start;
  if (b.end - b.start !== length) return false;
  for (let i = 0; i < length; i++) {
    if (text.charCodeAt(a.start + i) !== text.charCodeAt(b.start + i)) return false;
  }
  return true;
}

/** The cell of the column with the text at `span`, where it is remembered. Linear in the text. */
export function knownCell(
  known: KnownCells,
  text: string,
  span: Span,
  column: Column,
): ReadCell | undefined {
  if (span.end - span.start > LENGTH_MAX) return undefined;
  const found = known.get(column)?.[placeOf(text, span)];
  return found !== undefined && isSame(text, found, span) ? found : undefined;
}

/** Remembers a cell of the column. */
export function keepCell(known: KnownCells, text: string, cell: ReadCell, column: Column): void {
  if (cell.end - cell.start > LENGTH_MAX) return;
  let cells = known.get(column);
  if (cells === undefined) {
    cells = new Array<ReadCell | undefined>(PLACES).fill(undefined);
    known.set(column, cells);
  }
  cells[placeOf(text, cell)] = cell;
}
