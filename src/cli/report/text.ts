/** Reports for people at a terminal: the parts, the findings by cause, the counts, what next. */
import type { Finding, Severity } from "../../base/index.ts";
import type { Status } from "../../model/index.ts";
import { codeEntries } from "../codes.ts";
import type { Brush, Paint } from "../paint.ts";
import { excerpt, sourceLine } from "../render/excerpt.ts";
import { counted, wrap } from "../render/wrap.ts";
import { errorCount, type Group, groupsOf, locator, placeOf, type Report } from "./model.ts";
import { nextStep } from "./next.ts";
import { statusRows } from "./parts.ts";

export interface TextOptions {
  readonly paint: Paint;
  readonly columns: number;
  /** Show every finding of a group. */
  readonly all: boolean;
  readonly complete: boolean;
}

const SYMBOLS: Readonly<Record<Status, string>> = {
  stated: "✓",
  none: "–",
  free: "~",
  "not shown": "?",
  silent: "✗",
};
const SHOWN_MAX: Readonly<Record<Severity, number>> = { error: 5, warning: 5, gap: 8, note: 3 };
const INDENT = "  ";

function brushOf(paint: Paint, status: Status): Brush {
  if (status === "stated") return paint.good;
  if (status === "not shown") return paint.gap;
  if (status === "silent") return paint.error;
  return paint.dim;
}

function partLines(report: Report, { paint, columns }: TextOptions): string[] {
  const rows = statusRows(report.checked.parts);
  const nameWidth = Math.max(0, ...rows.map((row) => row.part.length));
  const statusWidth = "not shown".length + 2;
  const lead = INDENT.length + nameWidth + 3 + statusWidth + 2;
  let last = "";
  return rows.flatMap(({ part, status, facets }) => {
    const name = part === last ? " ".repeat(nameWidth) : paint.bold(part.padEnd(nameWidth));
    last = part;
    const said = `${SYMBOLS[status]} ${status}`.padEnd(statusWidth);
    const [first = "", ...more] = wrap(facets.join(", "), Math.max(20, columns - lead));
    return [
      `${INDENT}${name}   ${brushOf(paint, status)(said)}  ${first}`,
      ...more.map((line) => " ".repeat(lead) + line),
    ];
  });
}

/** A finding with its excerpt, related places and hint. */
function findingLines(report: Report, finding: Finding, options: TextOptions): string[] {
  const { paint, columns } = options;
  const { checked, table } = report;
  const margin = String(placeOf(report, finding.span).line).length;
  const [source, carets] = excerpt(checked.text, table, finding.span, {
    columns: columns - margin - INDENT.length - 3,
    margin,
    mark: paint[finding.severity],
    dim: paint.dim,
  });
  const labelled = (label: string, text: string): string[] =>
    wrap(text, columns - INDENT.length - label.length - 1).map((line, index) =>
      `${INDENT}${index === 0 ? paint.dim(label) : " ".repeat(label.length)} ${line}`);
  return [
    INDENT + paint.code(locator(report, finding.span)),
    ...wrap(finding.message, columns - INDENT.length).map((line) => INDENT + line),
    `${INDENT}${source}`,
    `${INDENT}${carets}`,
    ...(finding.related ?? []).flatMap((each) =>
      labelled("see", `${locator(report, each.span)} ${each.message}`)),
    ...(finding.hint === undefined ? [] : labelled("do ", finding.hint)),
    "",
  ];
}

/** A gap or a note in one line: the place and the source. */
function shortLine(report: Report, finding: Finding, { paint, columns }: TextOptions): string {
  const at = locator(report, finding.span);
  const width = Math.max(20, columns - at.length - INDENT.length - 2);
  const said = finding.severity === "gap"
    ? sourceLine(report.checked.text, report.table, finding.span.start, width)
    : finding.message;
  return `${INDENT}${paint.code(at)}  ${said}`;
}

/** The lines of the places that a group does not show. */
function foldedLine(report: Report, findings: readonly Finding[], options: TextOptions): string[] {
  if (findings.length === 0) return [];
  const places = [...new Set(findings.map((each) => placeOf(report, each.span).line))];
  const named = places.slice(0, 12).join(", ");
  const more = places.length > 12 ? ", …" : "";
  const text = `… and ${findings.length} more, in line ${named}${more}`;
  const how = report.file === "-" ? "" : ` (${options.paint.bold("--all")} shows them)`;
  return [`${INDENT}${options.paint.dim(text)}${how}`, ""];
}

function groupLines(report: Report, group: Group, options: TextOptions): string[] {
  const { code, severity, findings } = group;
  const { paint } = options;
  const title = codeEntries().get(code)?.title;
  const count = findings.length === 1 ? "" : ` × ${findings.length}`;
  const named = title === undefined ? "" : `  ${paint.bold(title)}`;
  const head = `${paint[severity](`${severity} ${code}${count}`)}${named}`;
  const max = options.all ? Number.POSITIVE_INFINITY : SHOWN_MAX[severity];
  // One that is left would take as many lines folded as shown.
  const shown = findings.slice(0, findings.length <= max + 1 ? findings.length : max);
  const isShort = severity === "gap" || severity === "note";
  const body = isShort ? shortLines(report, shown, options)
    : shown.flatMap((each) => findingLines(report, each, options));
  return [head, ...(isShort ? [] : [""]), ...body,
    ...foldedLine(report, findings.slice(shown.length), options)];
}

/** Short lines, those of one source line once. */
function shortLines(report: Report, shown: readonly Finding[], options: TextOptions): string[] {
  const lines: string[] = [];
  let before = -1;
  for (const each of shown) {
    const { line } = placeOf(report, each.span);
    if (each.severity === "note" || line !== before) lines.push(shortLine(report, each, options));
    before = line;
  }
  return [...lines, ""];
}

function countLine(report: Report, { paint }: TextOptions): string {
  const { stated, none, free, notShown, silent } = report.checked.counts;
  const errors = errorCount(report.checked);
  const warnings = report.checked.findings.filter((each) => each.severity === "warning").length;
  const hot = (count: number, text: string, brush: Brush): string =>
    count === 0 ? paint.dim(text) : brush(text);
  return [
    hot(errors, counted(errors, "error"), paint.error),
    hot(warnings, counted(warnings, "warning"), paint.warning),
    hot(stated, `${stated} stated`, paint.good),
    hot(none, `${none} none`, paint.dim),
    hot(free, `${free} free`, paint.dim),
    hot(notShown, `${notShown} not shown`, paint.gap),
    hot(silent, `${silent} silent`, paint.error),
  ].join(paint.dim(" · "));
}

function documentText(report: Report, options: TextOptions): string {
  const { paint, columns } = options;
  const { checked, file } = report;
  const title = checked.title === "" ? paint.dim("(no title)") : checked.title;
  const groups = groupsOf(checked.findings).flatMap((group) => groupLines(report, group, options));
  const next = wrap(nextStep(report, options.complete), columns);
  const lines = [
    `${paint.bold(title)}  ${paint.dim(file)}`,
    "",
    ...partLines(report, options),
    "",
    ...groups,
    countLine(report, options),
    ...next.map((line) => line.replaceAll(/`([^`]*)`/g, (_, code: string) => paint.code(code))),
  ];
  return `${lines.join("\n")}\n`;
}

/** One section for each document. */
export function textReport(reports: readonly Report[], options: TextOptions): string {
  const rule = `\n${options.paint.dim("─".repeat(options.columns))}\n\n`;
  return reports.map((report) => documentText(report, options)).join(rule);
}
