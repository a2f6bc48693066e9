/** Reports for people at a terminal, one below the other. */
import { describedText } from "./described.ts";
import { isDocument, type Report } from "./model.ts";
import { documentText, type TextOptions } from "./text.ts";

/** One section for each document or description. */
export function textReport(reports: readonly Report[], options: TextOptions): string {
  const rule = `\n${options.paint.dim("─".repeat(options.columns))}\n\n`;
  return reports
    .map((each) => (isDocument(each) ? documentText(each, options) : describedText(each, options)))
    .join(rule);
}
