/** The document that a file was exported from, put together again from its pieces. */
import { PARTS, SECTION } from "./sections.ts";

interface Piece {
  readonly line: number;
  readonly text: string;
}

function isPiece(value: unknown): value is Piece {
  if (typeof value !== "object" || value === null) return false;
  const { line, text } = value as Partial<Piece>;
  return Number.isSafeInteger(line) && typeof text === "string";
}

/**
 * The text of the document that `exported` (a parsed JSON file) was written from: its pieces
 * (`x-lacuna-section` at any object, `x-lacuna-parts` at the root) in the order of their lines.
 * Undefined where the file has none, and so is of another origin. Total; linear but for the order.
 */
export function restore(exported: unknown): string | undefined {
  const pieces: Piece[] = [];
  const open: unknown[] = [exported];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      if (name === SECTION && isPiece(inner)) pieces.push(inner);
      else if (name === PARTS && Array.isArray(inner)) pieces.push(...inner.filter(isPiece));
      else if (inner !== null) open.push(inner);
    }
  }
  if (pieces.length === 0) return undefined;
  return pieces
    .sort((a, b) => a.line - b.line)
    .map(({ text }) => text)
    .join("");
}
