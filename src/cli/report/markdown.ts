/** Reports as Markdown (GFM) for a comment on a pull request. */
import type { Finding } from "../../base/index.ts";
import { codeEntries } from "../codes.ts";
import { counted } from "../render/wrap.ts";
import { keptText } from "./kept.ts";
import { errorCount, type Group, groupsOf, placeOf, type Report, said, sourceOf } from "./model.ts";
import { nextStep } from "./next.ts";
import { statusRows } from "./parts.ts";

const SHOWN_MAX = 20;
const MARKS = { error: "❌", warning: "⚠️", gap: "❔", note: "ℹ️", review: "🔎" } as const;

/** Text that Markdown shows as it is, also in a table cell; code spans stay code spans. */
export function plain(text: string): string {
  const pieces = text.replaceAll(/\s+/g, " ").split(/(`[^`]*`)/);
  return pieces
    .map((piece, index) =>
      index % 2 === 1
        ? piece.replaceAll("|", "\\|")
        : piece.replaceAll(/[\\*_[\]<>|#@]/g, (mark) => `\\${mark}`).replaceAll("`", "\\`"),
    )
    .join("");
}

function findingLine(report: Report, finding: Finding): string {
  const { line, column } = placeOf(report, finding.span);
  const file =
    finding.span.file !== undefined ? `${plain(sourceOf(report, finding.span).file)}:` : "";
  const hint = finding.hint === undefined ? "" : ` _${plain(finding.hint)}_`;
  return `- **${file}${line}:${column}** ${plain(said(finding))}${hint}`;
}

function groupBlock(report: Report, group: Group): string {
  const { code, severity, findings } = group;
  const title = codeEntries().get(code)?.title;
  const lines = findings.slice(0, SHOWN_MAX).map((each) => findingLine(report, each));
  const rest = findings.length - SHOWN_MAX;
  if (rest > 0) lines.push(`- and ${rest} more`);
  const open = severity === "error" || severity === "warning" ? " open" : "";
  const named = title === undefined ? "" : ` · ${plain(title)}`;
  return [
    `<details${open}>`,
    `<summary>${MARKS[severity]} <code>${code}</code> · ${findings.length}${named}</summary>`,
    "",
    ...lines,
    "",
    "</details>",
  ].join("\n");
}

function assumedBlock(report: Report): string[] {
  const { checked, assumptions } = report;
  const { assumed = [] } = checked;
  if (assumptions === undefined || assumed.length === 0) return [];
  const lines = assumed.slice(0, SHOWN_MAX).map((each) => {
    const { line, column } = placeOf(report, each.span);
    return `- **${line}:${column}** ${plain(each.text)}`;
  });
  const rest = assumed.length - SHOWN_MAX;
  const more = rest > 0 ? [`- and ${rest} more`] : [];
  const head =
    `<summary>➕ assumed · ${assumed.length} · ` + `${plain(assumptions.file)}</summary>`;
  return ["<details>", head, "", ...lines, ...more, "", "</details>\n"];
}

function documentBlock(report: Report, complete: boolean): string {
  const { checked, file } = report;
  const { stated, none, free, notShown, silent } = checked.counts;
  const rows = statusRows(checked.parts).map(
    (row) => `| ${row.part} | ${row.status} | ${row.facets.join(", ")} |`,
  );
  return [
    `### ${plain(checked.title === "" ? file : checked.title)}`,
    "",
    `\`${file.replaceAll("`", "'")}\` · ${counted(errorCount(checked), "error")} · ` +
      `${stated} stated · ${none} none · ${free} free · ${notShown} not shown · ${silent} silent`,
    "",
    "| Part | Status | Facets |",
    "|---|---|---|",
    ...rows,
    "",
    ...groupsOf(checked.findings).map((group) => `${groupBlock(report, group)}\n`),
    ...assumedBlock(report),
    ...(checked.kept === undefined ? [] : [`${plain(keptText(checked.kept))}\n`]),
    plain(nextStep(report, complete)),
    "",
  ].join("\n");
}

/** One section for each document. */
export function markdownReport(reports: readonly Report[], complete: boolean): string {
  return reports.map((report) => documentBlock(report, complete)).join("\n");
}
