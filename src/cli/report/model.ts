/** What every format of `check` is made from: a checked document, its texts and their names. */
import {
  type Finding,
  type LineTable,
  lineTable,
  positionOf,
  type Severity,
  type Span,
} from "../../base/index.ts";
import type { CheckedSpec, FacetReport } from "../../check/index.ts";
import type { Source as Counts } from "../../openapi/index.ts";

/** A text that spans are in, with the name of its file as given. */
export interface Source {
  readonly file: string;
  readonly text: string;
  readonly table: LineTable;
}

/** A facet of a description can be mentioned in prose, too, and not be stated. */
type ToldFacet = Omit<FacetReport, "status"> & {
  readonly status: FacetReport["status"] | "mentioned";
};

/** What reports are made of. */
export type Told = Pick<
  CheckedSpec,
  "title" | "gaps" | "findings" | "counts" | "assumptions" | "assumed" | "kept"
> & {
  readonly parts: readonly { readonly name: string; readonly facets: readonly ToldFacet[] }[];
};

/** A report on a document, or on a description of an interface. */
export interface Report extends Source {
  readonly checked: Told;
  /** The assumptions that the document was checked with. */
  readonly assumptions?: Source;
  /** Of a description: how many of each there are. */
  readonly counts?: Counts;
  /** Of a description: the other files that it refers to. */
  readonly others?: readonly Source[];
}

/** Whether it is on a document, not on a description. */
export const isDocument = (report: Report): report is DocumentReport => "service" in report.checked;

/** A report on a document, of which a plan can be made. */
export interface DocumentReport extends Report {
  readonly checked: CheckedSpec;
}

/** One-based; columns count UTF-16 code units. The end is behind the last character. */
interface Place {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A report on one document, checked with the assumptions of the second file where one is named. */
export function reportOn(
  file: string,
  checked: CheckedSpec,
  assumptionsFile?: string,
): DocumentReport {
  const { text, assumptions } = checked;
  const own = { file, checked, text, table: lineTable(text) };
  if (assumptions === undefined || assumptionsFile === undefined) return own;
  const table = lineTable(assumptions.text);
  return { ...own, assumptions: { file: assumptionsFile, text: assumptions.text, table } };
}

/** The words behind a command that name the document, and its assumptions. */
export function named({ file, assumptions }: Report): string {
  return assumptions === undefined ? file : `${file} --assume ${assumptions.file}`;
}

/** The text that a span is in. */
export function sourceOf(report: Report, span: Span): Source {
  if (span.file === undefined) return report;
  return report.others?.[span.file - 1] ?? report.assumptions ?? report;
}

/** Where a span stands, in the text that it is in. */
export function placeOf(report: Report, span: Span): Place {
  const { table } = sourceOf(report, span);
  const start = positionOf(table, span.start);
  const end = positionOf(table, Math.max(span.start, span.end));
  return { ...start, endLine: end.line, endColumn: end.column };
}

/** `file:line:column`, as editors and terminals link it. */
export function locator(report: Report, span: Span): string {
  const { line, column } = placeOf(report, span);
  return `${sourceOf(report, span).file}:${line}:${column}`;
}

/** What a finding says where its place alone would not tell what it is about. */
export function said({ message, counted }: Finding): string {
  return counted === undefined ? message : `${message} At ${counted.subject}.`;
}

/** Findings with one code, in the order of the document. */
export interface Group {
  readonly code: string;
  readonly severity: Severity;
  readonly findings: readonly Finding[];
}

const ORDER: readonly Severity[] = ["error", "warning", "gap", "note", "review"];

/**
 * Findings by cause: the severest first, then as they come in the document. What is silent comes
 * behind the other errors, because it is often their effect.
 */
export function groupsOf(findings: readonly Finding[]): Group[] {
  const groups = new Map<string, { code: string; severity: Severity; findings: Finding[] }>();
  for (const finding of findings) {
    const { code, severity } = finding;
    const key = `${severity} ${code}`;
    const group = groups.get(key) ?? { code, severity, findings: [] };
    group.findings.push(finding);
    groups.set(key, group);
  }
  return ORDER.flatMap((severity) =>
    [...groups.values()]
      .filter((group) => group.severity === severity)
      .toSorted((a, b) => Number(a.code === "silent") - Number(b.code === "silent")),
  );
}

/** How many findings are errors other than silence. */
export function errorCount(checked: Told): number {
  return checked.findings.filter((each) => each.severity === "error" && each.code !== "silent")
    .length;
}

/** Whether `check` must end with an exit code that says so; with `complete` for gaps, too. */
export function fails(checked: Told, complete: boolean): boolean {
  if (checked.findings.some((each) => each.severity === "error")) return true;
  const { notShown, silent } = checked.counts;
  return complete && (notShown > 0 || silent > 0 || checked.gaps.length > 0);
}
