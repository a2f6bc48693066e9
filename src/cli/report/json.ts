/** Reports as JSON for other tools: the contract of docs/schema/check.schema.json. */
import { placeOf, type Report } from "./model.ts";

function documentOf(report: Report): unknown {
  const { checked, file } = report;
  const point = (span: { readonly start: number; readonly end: number }) => {
    const { line, column } = placeOf(report, span);
    return { line, column };
  };
  return {
    file,
    title: checked.title,
    parts: checked.parts.map((part) => ({
      name: part.name,
      facets: part.facets.map((each) => ({
        name: each.name,
        status: each.status,
        ...point(each),
      })),
    })),
    gaps: checked.gaps
      .filter((gap) => !gap.silent)
      .map(({ id, part, scope, subject, blocking, span }) => ({
        id,
        part,
        scope,
        subject,
        blocking,
        ...point(span),
      })),
    findings: checked.findings.map(({ code, severity, message, span }) => ({
      code,
      severity,
      message,
      ...placeOf(report, span),
    })),
    counts: checked.counts,
  };
}

/** One document gives an object, several an array of such objects in their order. */
export function jsonReport(reports: readonly Report[]): string {
  const documents = reports.map(documentOf);
  const [first] = documents;
  return `${JSON.stringify(documents.length === 1 ? first : documents, null, 2)}\n`;
}
