/** Reports as SARIF 2.1.0 (OASIS), for code scanning and editors. */
import type { Finding, Severity, Span } from "../../base/index.ts";
import { codeEntries } from "../codes.ts";
import { version } from "../version.ts";
import { placeOf, type Report, said, sourceOf } from "./model.ts";
import { jsonPieces, lazily } from "./pieces.ts";

const LEVELS: Readonly<Record<Severity, string>> = {
  error: "error",
  warning: "warning",
  gap: "note",
  note: "note",
  review: "note",
};

/** A URI reference (RFC 3986) to a file: relative where its name is. */
export function uriOf(file: string): string {
  const path = file.replaceAll("\\", "/");
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  return path.startsWith("/") ? `file://${encoded}` : encoded;
}

function locationOf(report: Report, span: Span): object {
  const { line, column, endLine, endColumn } = placeOf(report, span);
  return {
    artifactLocation: { uri: uriOf(sourceOf(report, span).file) },
    region: { startLine: line, startColumn: column, endLine, endColumn },
  };
}

function fixOf(report: Report, finding: Finding): object {
  if (finding.fix === undefined) return {};
  const { at, insert } = finding.fix;
  const { line, column } = placeOf(report, { start: at, end: at });
  const deletedRegion = {
    startLine: line,
    startColumn: column,
    endLine: line,
    endColumn: column,
  };
  return {
    fixes: [
      {
        description: { text: "Record it as not shown" },
        artifactChanges: [
          {
            artifactLocation: { uri: uriOf(report.file) },
            replacements: [{ deletedRegion, insertedContent: { text: insert } }],
          },
        ],
      },
    ],
  };
}

function resultOf(report: Report, finding: Finding, ruleIndex: number): object {
  const { code, severity, hint, span, related } = finding;
  return {
    ruleId: code,
    ruleIndex,
    level: LEVELS[severity],
    message: { text: hint === undefined ? said(finding) : `${said(finding)} ${hint}` },
    locations: [{ physicalLocation: locationOf(report, span) }],
    ...(related === undefined || related.length === 0
      ? {}
      : {
          relatedLocations: related.map((each, id) => ({
            id,
            message: { text: each.message },
            physicalLocation: locationOf(report, each.span),
          })),
        }),
    ...fixOf(report, finding),
  };
}

function* resultsOf(reports: readonly Report[]): Generator<readonly [Report, Finding]> {
  for (const report of reports) for (const each of report.checked.findings) yield [report, each];
}

/** One run over all documents, in pieces; `uriOf` explains how files are named. */
export function sarifReport(reports: readonly Report[]): Iterable<string> {
  const used = new Set<string>();
  for (const [, { code }] of resultsOf(reports)) used.add(code);
  const codes = [...used].sort();
  const known = codeEntries();
  const rules = codes.map((id) => {
    const entry = known.get(id);
    if (entry === undefined) return { id };
    return {
      id,
      shortDescription: { text: entry.title },
      fullDescription: { text: entry.meaning },
      help: { text: entry.mend },
      defaultConfiguration: { level: LEVELS[entry.severity] },
    };
  });
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "Lacuna", semanticVersion: version(), rules } },
        columnKind: "utf16CodeUnits",
        artifacts: reports.flatMap(({ file, assumptions }) =>
          [file, ...(assumptions === undefined ? [] : [assumptions.file])].map((each) => ({
            location: { uri: uriOf(each) },
          })),
        ),
        results: lazily(resultsOf(reports), ([report, each]) =>
          resultOf(report, each, codes.indexOf(each.code)),
        ),
      },
    ],
  };
  return jsonPieces(log);
}
