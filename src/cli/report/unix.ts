/** Reports as lines that editors read: `file:line:column: severity: message [code]`. */
import { placeOf, type Report, sourceOf } from "./model.ts";

/** One line for each finding, in the order of the text. */
export function* unixReport(reports: readonly Report[]): Iterable<string> {
  for (const report of reports) {
    for (const { code, severity, message, span, hint } of report.checked.findings) {
      const { file } = sourceOf(report, span);
      const { line, column } = placeOf(report, span);
      const said = hint === undefined ? message : `${message} ${hint}`;
      yield `${file}:${line}:${column}: ${severity}: ${said.replaceAll(/\s+/g, " ")} [${code}]\n`;
    }
  }
}
