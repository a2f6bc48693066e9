/** What every format of `check` is made from: a checked document, its texts and their names. */
import {
  type Finding,
  type LineTable,
  lineTable,
  positionOf,
  type Severity,
  type Span,
} from "../../base/index.ts";
import type { CheckedSpec } from "../../check/index.ts";

/** A text that spans are in, with the name of its file as given. */
export interface Source {
  readonly file: string;
  readonly text: string;
  readonly table: LineTable;
}

export interface Report extends Source {
  readonly checked: CheckedSpec;
  /** The assumptions that the document was checked with. */
  readonly assumptions?: Source;
}

/** One-based; columns count UTF-16 code units. The end is behind the last character. */
interface Place {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A report on one document, checked with the assumptions of the second file where one is named. */
export function reportOn(file: string, checked: CheckedSpec, assumptionsFile?: string): Report {
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
  return span.file === 1 ? (report.assumptions ?? report) : report;
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
export function errorCount(checked: CheckedSpec): number {
  return checked.findings.filter((each) => each.severity === "error" && each.code !== "silent")
    .length;
}

/** Whether `check` must end with an exit code that says so; with `complete` for gaps, too. */
export function fails(checked: CheckedSpec, complete: boolean): boolean {
  if (checked.findings.some((each) => each.severity === "error")) return true;
  const { notShown, silent } = checked.counts;
  return complete && (notShown > 0 || silent > 0 || checked.gaps.length > 0);
}
