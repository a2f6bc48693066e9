/** Reports as lines that editors read: `file:line:column: severity: message [code]`. */
import { placeOf, type Report, said, sourceOf } from "./model.ts";

/** One line for each finding, in the order of the text. */
export function* unixReport(reports: readonly Report[]): Iterable<string> {
  for (const report of reports) {
    for (const finding of report.checked.findings) {
      const { code, severity, span, hint } = finding;
      const { file } = sourceOf(report, span);
      const { line, column } = placeOf(report, span);
      const text = hint === undefined ? said(finding) : `${said(finding)} ${hint}`;
      yield `${file}:${line}:${column}: ${severity}: ${text.replaceAll(/\s+/g, " ")} [${code}]\n`;
    }
  }
}
