/** Says on standard error why a document cannot be taken further; the findings come as given. */
import type { Finding } from "../base/index.ts";
import type { Call } from "./command.ts";
import { excerpt } from "./render/excerpt.ts";
import { counted } from "./render/wrap.ts";
import { locator, named, placeOf, type Report, sourceOf } from "./report/model.ts";

const SHOWN_MAX = 5;

/** Writes the first findings with their excerpts, the number of the rest, and what to do. */
export function refuseReport(
  report: Report,
  findings: readonly Finding[],
  { io, errPaint }: Pick<Call, "io" | "errPaint">,
): void {
  for (const finding of findings.slice(0, SHOWN_MAX)) {
    const margin = String(placeOf(report, finding.span).line).length;
    const { text, table } = sourceOf(report, finding.span);
    const lines = excerpt(text, table, finding.span, {
      columns: io.columns - margin - 3,
      margin,
      mark: errPaint.error,
      dim: errPaint.dim,
    });
    io.err(
      `${errPaint.code(locator(report, finding.span))} ` +
        `${errPaint.error(finding.code)} ${finding.message}\n${lines.join("\n")}\n`,
    );
  }
  const rest = findings.length - SHOWN_MAX;
  if (rest > 0) io.err(`… and ${rest} more\n`);
  io.err(
    `lacuna: ${report.file} has ${counted(findings.length, "error")}. ` +
      `Next: \`lacuna check ${named(report)}\` shows ` +
      `${findings.length === 1 ? "it" : "them all"}.\n`,
  );
}
