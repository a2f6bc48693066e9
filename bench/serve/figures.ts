/** Medians, seeded numbers and tables of text for the benchmarks; knows no server. */

/** The middle value, or the mean of the two in the middle; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = sorted.length / 2;
  if (sorted.length % 2 === 1) return sorted[Math.floor(at)] ?? Number.NaN;
  return ((sorted[at - 1] ?? Number.NaN) + (sorted[at] ?? Number.NaN)) / 2;
}

/** The value that the share of the others does not pass. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The seed of this run: the environment's `SEED`, or the given one. */
export function seedOf(otherwise: number): number {
  return Number(process.env["SEED"] ?? otherwise);
}

/** Rows of text in columns; the first column to the left, the others to the right. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = widthsOf(rows);
  return rows.map((row) => padded(row, widths).join("  ").trimEnd()).join("\n");
}

/** The same as a table of Markdown; the first row is its head. */
export function markdown([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = widthsOf([head, ...rows]);
  const line = (row: readonly string[]): string => `| ${padded(row, widths).join(" | ")} |`;
  const rule = widths.map((width, i) => "-".repeat(width - 1) + (i === 0 ? "-" : ":"));
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}

function widthsOf(rows: readonly (readonly string[])[]): readonly number[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 2, cell.length);
    });
  }
  return widths;
}

function padded(row: readonly string[], widths: readonly number[]): readonly string[] {
  return row.map((cell, i) =>
    i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0),
  );
}

export interface Bar {
  readonly name: string;
  readonly measured: number;
  readonly unit: string;
  readonly least?: number;
  readonly most?: number;
}

/** One line for a bar: what was measured, what is wanted, whether it holds. */
export function barLine({ name, measured, unit, least, most }: Bar): readonly string[] {
  const isHeld = measured >= (least ?? -Infinity) && measured <= (most ?? Infinity);
  const wanted = least === undefined ? `at most ${most}${unit}` : `at least ${least}${unit}`;
  return [name, `${measured.toFixed(2)}${unit}`, wanted, isHeld ? "held" : "MISSED"];
}
