/** The reports of a verification by the name of their format. */
import { harReport } from "./har.ts";
import { jsonReport } from "./json.ts";
import { junitReport } from "./junit.ts";
import type { Looked } from "./model.ts";
import { sarifReport } from "./sarif.ts";
import { type Page, textReport } from "./text.ts";

/** The names under which they are asked for. */
export const VERIFIED_FORMATS = ["text", "json", "junit", "sarif", "har", "html"] as const;
export type VerifiedFormat = (typeof VERIFIED_FORMATS)[number];

/** The text of a report in pieces. */
export async function verifiedReport(
  looked: Looked,
  format: VerifiedFormat,
  page: Page,
): Promise<Iterable<string>> {
  switch (format) {
    case "text":
      return [textReport(looked, page)];
    case "json":
      return jsonReport(looked);
    case "junit":
      return junitReport(looked);
    case "sarif":
      return sarifReport(looked);
    case "har":
      return harReport(looked);
    case "html":
      return [(await import("./html/index.ts")).htmlReport(looked)];
  }
}
