/** The rows of a history table, as a document writes them. */
/** What a history has to say of one change. */
export interface HistoryRow {
  readonly version: string | undefined;
  readonly item: string;
  readonly change: string;
  readonly breaks: "yes" | "no" | "not shown";
}

const HEAD = ["| Version | Item | Change | Breaks callers |", "|---|---|---|---|"];

function row({ version, item, change, breaks }: HistoryRow): string {
  const said = version === undefined ? "not shown" : `\`${version}\``;
  return `| ${said} | \`${item}\` | ${change} | ${breaks} |`;
}

/** The rows to write, with the head of the table where the document has none; none: nothing. */
export function historyLines(rows: readonly HistoryRow[], hasTable: boolean): readonly string[] {
  return rows.length === 0 ? [] : [...(hasTable ? [] : HEAD), ...rows.map(row)];
}
