/** The rows of a history table, as a document writes them. */
import type { Diff, HistoryRow } from "./model.ts";

const HEAD = ["| Version | Item | Change | Breaks callers |", "|---|---|---|---|"];

function row({ version, item, change, breaks }: HistoryRow): string {
  const said = version === undefined ? "not shown" : `\`${version}\``;
  return `| ${said} | \`${item}\` | ${change} | ${breaks} |`;
}

/** The rows to write, with the head of the table where the second document has none. */
export function historyLines({ history, now }: Diff): readonly string[] {
  const hasTable = now.planned.plan.versioning.changes.length > 0;
  return [...(hasTable ? [] : HEAD), ...history.map(row)];
}
