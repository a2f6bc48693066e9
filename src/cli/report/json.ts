/** Reports as JSON for other tools: the contract of docs/schema/check.schema.json. */
import type { Finding, Span } from "../../base/index.ts";
import type { AssumedReport } from "../../check/index.ts";
import { placeOf, type Report, sourceOf } from "./model.ts";
import { jsonPieces, lazily } from "./pieces.ts";

/** Named only where it is not the document itself. */
function fileOf(report: Report, span: Span): { file?: string } {
  return span.file !== undefined ? { file: sourceOf(report, span).file } : {};
}

function assumedOf(report: Report, assumed: AssumedReport): unknown {
  const { text, part, scope, span, instead, items } = assumed;
  const point = (at: Span) => {
    const { line, column } = placeOf(report, at);
    return { line, column };
  };
  const { file } = sourceOf(report, span);
  const replaced = instead === undefined ? {} : { instead: point(instead) };
  return { text, part, scope, file, ...point(span), ...replaced, items };
}

/** What mends a finding: the text that `check --fix` puts there. */
function fixOf(report: Report, { fix, span }: Finding): unknown {
  if (fix === undefined) return undefined;
  const at = { ...span, start: fix.at, end: fix.at };
  const { line, column } = placeOf(report, at);
  return { line, column, insert: fix.insert };
}

function findingOf(report: Report, finding: Finding): unknown {
  const { code, severity, message, span, hint, question, related, counted } = finding;
  const fix = fixOf(report, finding);
  return {
    code,
    severity,
    message,
    ...fileOf(report, span),
    ...placeOf(report, span),
    ...(hint === undefined ? {} : { hint }),
    ...(question === undefined ? {} : { question }),
    ...(related === undefined
      ? {}
      : {
          related: related.map((one) => ({
            message: one.message,
            ...fileOf(report, one.span),
            ...placeOf(report, one.span),
          })),
        }),
    ...(counted === undefined ? {} : counted),
    ...(fix === undefined ? {} : { fix }),
  };
}

function documentOf(report: Report): unknown {
  const { checked, file } = report;
  const point = (span: Span) => {
    const { line, column } = placeOf(report, span);
    return { line, column };
  };
  return {
    file,
    title: checked.title,
    ...(report.counts === undefined ? {} : { source: report.counts }),
    parts: checked.parts.map((part) => ({
      name: part.name,
      facets: part.facets.map((each) => ({
        name: each.name,
        status: each.status,
        ...point(each),
      })),
    })),
    gaps: lazily(
      checked.gaps.filter((gap) => !gap.silent),
      ({ id, part, scope, subject, blocking, span }) => ({
        id,
        part,
        scope,
        subject,
        blocking,
        ...fileOf(report, span),
        ...point(span),
      }),
    ),
    findings: lazily(checked.findings, (finding) => findingOf(report, finding)),
    counts: checked.counts,
    ...(checked.kept === undefined ? {} : { kept: checked.kept }),
    ...(checked.assumed === undefined
      ? {}
      : { assumed: checked.assumed.map((each) => assumedOf(report, each)) }),
  };
}

/** One document gives an object, several an array of such objects in their order; in pieces. */
export function jsonReport(reports: readonly Report[]): Iterable<string> {
  const documents = reports.map(documentOf);
  const [first] = documents;
  return jsonPieces(documents.length === 1 ? first : documents);
}
