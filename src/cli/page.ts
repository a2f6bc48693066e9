/** The page of a finding code, in Markdown: for `explain` and for docs/findings. */
import type { CodeEntry } from "../base/index.ts";

/** A fence longer than every run of backticks in `text`. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

/** One page; ends without a line end. */
export function codePage(code: string, entry: CodeEntry): string {
  return [
    `# ${code}`,
    "",
    `${entry.title}.`.replace(/([.?!])\.$/, "$1"),
    "",
    `Severity: ${entry.severity}.`,
    "",
    "## What it means",
    "",
    entry.meaning,
    "",
    "## How to mend it",
    "",
    entry.mend,
    "",
    "## Wrong",
    "",
    fenced(entry.wrong),
    "",
    "## Right",
    "",
    fenced(entry.right),
  ].join("\n");
}
