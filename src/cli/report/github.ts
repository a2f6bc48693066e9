/** Reports as workflow commands of GitHub Actions, which show them beside the lines of a change. */
import type { Finding, Severity } from "../../base/index.ts";
import { placeOf, type Report, said, sourceOf } from "./model.ts";
import { gathered } from "./pieces.ts";

const COMMANDS: Readonly<Record<Severity, string>> = {
  error: "error",
  warning: "warning",
  gap: "notice",
  note: "notice",
  review: "notice",
};

function escapeMessage(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

function command(report: Report, finding: Finding): string {
  const { code, severity, hint, span } = finding;
  const { line, column, endLine, endColumn } = placeOf(report, span);
  // Columns are read only where the finding stands in one line.
  const columns = line === endLine ? `,col=${column},endColumn=${endColumn}` : "";
  const properties =
    `file=${escapeProperty(sourceOf(report, span).file)},line=${line},` +
    `endLine=${endLine}${columns},` +
    `title=${escapeProperty(code)}`;
  const text = hint === undefined ? said(finding) : `${said(finding)}\n${hint}`;
  return `::${COMMANDS[severity]} ${properties}::${escapeMessage(text)}\n`;
}

function* commands(reports: readonly Report[]): Generator<string> {
  for (const report of reports) {
    for (const finding of report.checked.findings) yield command(report, finding);
  }
}

/** One command a line, in the order of the documents; in pieces. */
export function githubReport(reports: readonly Report[]): Iterable<string> {
  return gathered(commands(reports));
}
