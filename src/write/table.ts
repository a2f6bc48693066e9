/** Takes the lines of one table, gives them with aligned columns; must not know what they say. */
import { singleSpaced } from "./items.ts";
import { displayWidth } from "./width.ts";

/** A table that would be wider is written with one space beside each `|` and not aligned. */
const TABLE_COLUMNS_MAX = 120;

/** The cells of a row, trimmed; `\|` parts none. */
function cellsOf(row: string): string[] {
  const inner = row
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => singleSpaced(cell.trim()));
}

function dashes(cell: string, width: number): string {
  const left = cell.startsWith(":") ? ":" : "";
  const right = cell.length > 1 && cell.endsWith(":") ? ":" : "";
  return left + "-".repeat(Math.max(3, width) - left.length - right.length) + right;
}

/** The rows of a table (header, dashes, rows), without line ends. */
export function formatTable(rows: readonly string[]): string[] {
  const cells = rows.map(cellsOf);
  const count = cells[0]?.length ?? 0;
  const isDashes = (index: number): boolean => index === 1;
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(3, ...cells.map((row, i) => (isDashes(i) ? 0 : displayWidth(row[column] ?? "")))),
  );
  const whole = widths.reduce((sum, width) => sum + width + 3, 1);
  const isAligned = whole <= TABLE_COLUMNS_MAX;
  return cells.map((row, i) => {
    if (isDashes(i)) {
      const marks = row.map((cell, c) => dashes(cell, isAligned ? (widths[c] ?? 3) + 2 : 3));
      return `|${marks.join("|")}|`;
    }
    const padded = row.map((cell, c) => {
      const missing = isAligned ? (widths[c] ?? 0) - displayWidth(cell) : 0;
      return cell + " ".repeat(Math.max(0, missing));
    });
    return `| ${padded.join(" | ")} |`;
  });
}
