/** Reports for people at a terminal: the parts, the findings by cause, the counts, what next. */
import type { Finding, Severity } from "../../base/index.ts";
import { boundsBehind } from "../bounds.ts";
import { codeEntries } from "../codes.ts";
import type { Brush, Paint } from "../paint.ts";
import { excerpt } from "../render/excerpt.ts";
import { counted, wrap } from "../render/wrap.ts";
import { assumedLines } from "./assumed.ts";
import { keptText } from "./kept.ts";
import {
  type DocumentReport,
  errorCount,
  type Group,
  groupsOf,
  locator,
  placeOf,
  type Report,
  sourceOf,
} from "./model.ts";
import { nextStep } from "./next.ts";
import { type Said, statusRows } from "./parts.ts";

export interface TextOptions {
  readonly paint: Paint;
  readonly columns: number;
  /** Show every finding of a group. */
  readonly all: boolean;
  readonly complete: boolean;
}

const SYMBOLS: Readonly<Record<Said, string>> = {
  stated: "✓",
  none: "–",
  free: "~",
  "not shown": "?",
  silent: "✗",
  mentioned: "…",
};
const SHOWN_MAX: Readonly<Record<Severity, number>> = {
  error: 6,
  warning: 6,
  gap: 10,
  note: 4,
  review: 6,
};
/** Lines that a folded group names. */
const PLACES_MAX = 12;
const INDENT = "  ";

function brushOf(paint: Paint, status: Said): Brush {
  if (status === "stated") return paint.good;
  if (status === "not shown") return paint.gap;
  if (status === "mentioned") return paint.warning;
  if (status === "silent") return paint.error;
  return paint.dim;
}

/** The nine parts, each facet with what is said of it. */
export function partLines(report: Report, { paint, columns }: TextOptions): string[] {
  const rows = statusRows(report.checked.parts);
  const nameWidth = Math.max(0, ...rows.map((row) => row.part.length));
  const statusWidth = "not shown".length + 2;
  const lead = INDENT.length + nameWidth + 3 + statusWidth + 2;
  let last = "";
  return rows.flatMap(({ part, status, facets }) => {
    const name = part === last ? " ".repeat(nameWidth) : paint.bold(part.padEnd(nameWidth));
    last = part;
    const said = `${SYMBOLS[status]} ${status}`.padEnd(statusWidth);
    const [first = "", ...more] = wrap(facets.join(", "), Math.max(14, columns - lead));
    const bounds = status === "none" ? facets.flatMap((one) => boundsBehind(one) ?? []) : [];
    const notes = bounds.flatMap((one) => wrap(one, Math.max(14, columns - lead)));
    return [
      `${INDENT}${name}   ${brushOf(paint, status)(said)}  ${first}`,
      ...more.map((line) => " ".repeat(lead) + line),
      ...notes.map((line) => " ".repeat(lead) + paint.dim(line)),
    ];
  });
}

/** Findings at one place, with one excerpt, related places and hints. */
function placeLines(report: Report, at: readonly Finding[], options: TextOptions): string[] {
  const [first] = at;
  if (first === undefined) return [];
  const { paint, columns } = options;
  const { text, table } = sourceOf(report, first.span);
  const margin = String(placeOf(report, first.span).line).length;
  const [source, carets] = excerpt(text, table, first.span, {
    columns: columns - margin - INDENT.length - 3,
    margin,
    mark: paint[first.severity],
    dim: paint.dim,
  });
  const labelled = (label: string, text: string): string[] =>
    wrap(text, columns - INDENT.length - 4).map(
      (line, index) => `${INDENT}${paint.dim((index === 0 ? label : "").padEnd(4))}${line}`,
    );
  return [
    INDENT + paint.code(locator(report, first.span)),
    `${INDENT}${source}`,
    `${INDENT}${carets}`,
    ...at.flatMap((each) => [
      ...wrap(each.message, columns - INDENT.length).map((line) => INDENT + line),
      ...(each.related ?? []).flatMap((place) =>
        labelled("see", `${locator(report, place.span)} ${place.message}`),
      ),
      ...(each.hint === undefined ? [] : labelled("→", each.hint)),
    ]),
    "",
  ];
}

/** Findings that follow each other at the same place, together. */
function byPlace(findings: readonly Finding[]): Finding[][] {
  const places: Finding[][] = [];
  for (const each of findings) {
    const last = places.at(-1)?.[0];
    const { start, end, file } = last?.span ?? {};
    if (start === each.span.start && end === each.span.end && file === each.span.file) {
      places.at(-1)?.push(each);
    } else places.push([each]);
  }
  return places;
}

/** A message that has less room beside its place stands below it. */
const ROOM_LEAST = 30;

/** Gaps and notes, each on a line of its own: the place and what it is. */
function shortLines(report: Report, shown: readonly Finding[], options: TextOptions): string[] {
  const { paint, columns } = options;
  const places = shown.map((each) => locator(report, each.span));
  const width = Math.max(0, ...places.map((place) => place.length));
  const room = columns - INDENT.length - width - 2;
  const lines = shown.flatMap((each, index) => {
    const place = places[index] ?? "";
    if (room < ROOM_LEAST) {
      const below = wrap(each.message, columns - 2 * INDENT.length);
      return [paint.code(place), ...below.map((one) => `${INDENT}${one}`)].map(
        (line) => `${INDENT}${line}`,
      );
    }
    return wrap(each.message, room).map(
      (line, i) => `${INDENT}${paint.code((i === 0 ? place : "").padEnd(width))}  ${line}`,
    );
  });
  return [...lines, ""];
}

/** What a group does not show: how many, and in which lines. */
function foldedLines(report: Report, findings: readonly Finding[], options: TextOptions): string[] {
  if (findings.length === 0) return [];
  const { paint, columns } = options;
  const found = new Set<string>();
  for (const { span } of findings) {
    const { line } = placeOf(report, span);
    found.add(span.file !== undefined ? `${sourceOf(report, span).file}:${line}` : `${line}`);
    if (found.size > PLACES_MAX) break;
  }
  const places = [...found];
  const named = places.slice(0, PLACES_MAX).join(", ");
  const more = places.length > PLACES_MAX ? ", …" : "";
  const where = places.length === 1 ? "line" : "lines";
  const text = `… and ${findings.length} more, in ${where} ${named}${more} (--all shows them)`;
  return [...wrap(text, columns - INDENT.length).map((line) => INDENT + paint.dim(line)), ""];
}

/** The findings with one code, some of them with the lines that they are in. */
export function groupLines(report: Report, group: Group, options: TextOptions): string[] {
  const { code, severity, findings } = group;
  const { paint } = options;
  const title = codeEntries().get(code)?.title;
  const count = findings.length === 1 ? "" : ` × ${findings.length}`;
  const named = title === undefined ? "" : `  ${paint.bold(title)}`;
  const what = severity === code ? code : `${severity} ${code}`;
  const head = `${paint[severity](`${what}${count}`)}${named}`;
  const max = options.all ? Number.POSITIVE_INFINITY : SHOWN_MAX[severity];
  // One that is left would take as many lines folded as shown.
  const shown = findings.slice(0, findings.length <= max + 1 ? findings.length : max);
  const isShort = severity === "gap" || severity === "note";
  const body = isShort
    ? shortLines(report, shown, options)
    : byPlace(shown).flatMap((each) => placeLines(report, each, options));
  return [head, "", ...body, ...foldedLines(report, findings.slice(shown.length), options)];
}

/** On how many of the gaps some answer depends; `all`: what they are called together. */
function blockingText({ checked }: DocumentReport, all: "" | " of both"): string {
  const { blocking: count, counts } = checked;
  if (counts.notShown + counts.silent === 0) return "";
  return ` (${count}${all} ${count === 1 ? "blocks" : "block"})`;
}

/** The counts, on as many lines as the columns need. */
function countLines(report: DocumentReport, { paint, columns }: TextOptions): string[] {
  const { stated, none, free, notShown, silent } = report.checked.counts;
  const errors = errorCount(report.checked);
  const warnings = report.checked.findings.filter((each) => each.severity === "warning").length;
  const items: readonly (readonly [count: number, text: string, brush: Brush])[] = [
    // What is silent is an error, too: no report says that there is none.
    ...(errors === 0 && silent > 0
      ? []
      : ([[errors, counted(errors, "error"), paint.error]] as const)),
    [warnings, counted(warnings, "warning"), paint.warning],
    [stated, `${stated} stated`, paint.good],
    [none, `${none} none`, paint.dim],
    [free, `${free} free`, paint.dim],
    [notShown, `${notShown} not shown${silent > 0 ? "" : blockingText(report, "")}`, paint.gap],
    [silent, `${silent} silent${silent > 0 ? blockingText(report, " of both") : ""}`, paint.error],
    ...(report.checked.assumed === undefined
      ? []
      : ([
          [
            report.checked.assumed.length,
            `${report.checked.assumed.length} assumed`,
            paint.warning,
          ],
        ] as const)),
  ];
  const lines: string[][] = [[]];
  let width = 0;
  for (const [count, text, brush] of items) {
    if (width > 0 && width + 3 + text.length > columns) {
      lines.push([]);
      width = 0;
    }
    lines.at(-1)?.push((count === 0 ? paint.dim : brush)(text));
    width += text.length + (width === 0 ? 0 : 3);
  }
  return lines.map((line) => line.join(paint.dim(" · ")));
}

/** What the document keeps for an export. */
function keptLines({ checked: { kept } }: DocumentReport, options: TextOptions): string[] {
  const text = kept === undefined ? "" : keptText(kept);
  return wrap(text, options.columns).map((line) => options.paint.dim(line));
}

/** A line with the commands in it coloured; without colour the backticks stay. */
function coded(line: string, paint: Paint): string {
  return line.replaceAll(/`[^`]*`/g, (code) => paint.code(code));
}

/** The report on one document. */
export function documentText(report: DocumentReport, options: TextOptions): string {
  const { paint, columns } = options;
  const { checked } = report;
  const file =
    report.assumptions === undefined
      ? report.file
      : `${report.file} with ${report.assumptions.file}`;
  const title = checked.title === "" ? paint.dim("(no title)") : checked.title;
  const groups = groupsOf(checked.findings).flatMap((group) => groupLines(report, group, options));
  const next = wrap(nextStep(report, options.complete), columns);
  const lines = [
    `${paint.bold(title)}  ${paint.dim(file)}`,
    "",
    ...partLines(report, options),
    "",
    ...groups,
    ...assumedLines(report, options),
    ...countLines(report, options),
    ...keptLines(report, options),
    ...next.map((line) => coded(line, paint)),
  ];
  return `${lines.join("\n")}\n`;
}
