/** The changes between two documents as Markdown (GFM), for a comment on a pull request. */
import { plain } from "../report/markdown.ts";
import { type Diff, detailOf, type Entry } from "./model.ts";
import { byPart, countsOf, judgeLine, notesOf, quietLines, unjudgedLines } from "./text.ts";

const MARKS: Readonly<Record<Entry["verdict"], string>> = {
  breaking: "❌",
  "not judged": "❔",
  free: "🆓",
  compatible: "✅",
};

function row(entry: Entry): string {
  const { verdict, about, kind, before, now } = entry;
  const lines = [before?.line ?? "–", now?.line ?? "–"].join(" → ");
  const change = `${plain(`${kind}${detailOf(entry)}`)}<br><sub>${plain(notesOf(entry))}</sub>`;
  return `| ${MARKS[verdict]} ${verdict} | ${plain(`\`${about}\``)} | ${change} | ${lines} |`;
}

/** The whole report, with a line end. */
export function diffMarkdown(diff: Diff): string {
  const { files } = diff;
  const parts = byPart(diff).flatMap(([name, entries]) => [
    `### ${plain(name)}`,
    "",
    "| | Of | Change | Lines |",
    "|---|---|---|---|",
    ...entries.map(row),
    "",
  ]);
  const unjudged = unjudgedLines(diff).map((line) => `- ${plain(line)}`);
  const history =
    diff.history.length === 0
      ? []
      : ["### For the history", "", "```markdown", ...diff.history, "```", ""];
  const said = [...quietLines(diff), ...judgeLine(diff)].map((line) => `${plain(line)}`);
  return [
    `**${plain(files.before)} → ${plain(files.now)}**: ${countsOf(diff)}`,
    "",
    ...parts,
    ...said.flatMap((line) => [line, ""]),
    ...(unjudged.length === 0 ? [] : [...unjudged, ""]),
    ...history,
  ].join("\n");
}
