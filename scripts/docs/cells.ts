/** Writes Markdown tables, cells and code spans; must not know what they hold. */

/** A code span for a cell: any text, `|` escaped. */
export function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = "`".repeat(longest + 1);
  const pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${ticks}${pad}${text.replaceAll("|", "\\|")}${pad}${ticks}`;
}

/** Text for a cell: on one line, `|` escaped. */
export function cell(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ").replaceAll(/(?<!\\)\|/g, "\\|");
}

/** A table; cells come as Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}
