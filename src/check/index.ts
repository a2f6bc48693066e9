/** The door of `check`: a reading in, a checked specification out. */
import type { Finding, Span } from "../base/index.ts";
import type { ItemId } from "../plan/index.ts";
import type { Spec } from "../spec/index.ts";
import { assume } from "./assume/assume.ts";
import { assumedReports, placedApart } from "./assume/report.ts";
import { countItems } from "./counts.ts";
import { keptIn } from "./kept.ts";
import { resolveSpec } from "./resolve/index.ts";
import { reviewRules } from "./review/index.ts";
import { withClasses } from "./rules/classes.ts";
import { runRules } from "./rules/index.ts";
import type { CheckedSpec } from "./types.ts";

export { type CheckCode, checkCodes } from "./codes.ts";
export { type Planned, plan } from "./plan.ts";
export { occurrencesOf } from "./rules/occurs.ts";
export type {
  AssumedReport,
  CheckedSpec,
  Counts,
  FacetReport,
  GapReport,
  KeptReport,
  PartReport,
} from "./types.ts";

const SEVERITIES = { error: 0, gap: 1, warning: 2, note: 3, review: 4 } as const;

function inOrder(findings: readonly Finding[]): Finding[] {
  return findings.toSorted(
    (a, b) =>
      a.span.start - b.span.start ||
      a.span.end - b.span.end ||
      SEVERITIES[a.severity] - SEVERITIES[b.severity] ||
      (a.code < b.code ? -1 : 1),
  );
}

/** What is looked for besides what every check finds. */
export interface Wanted {
  /** Questions of judgement as well, as findings of severity `review`. */
  readonly review?: boolean;
}

interface Reading {
  readonly spec: Spec;
  readonly findings: readonly Finding[];
}

/**
 * Checks what `read` gave. Total. Findings are in the order of the text; gaps are findings of
 * severity `gap`. What is silent is an error, but it does not prevent a plan from being made. With
 * `assumptions` (what `read` gave of them) gaps that they answer are filled; spans that are in
 * their text have `file` 1.
 */
export function check(reading: Reading, assumptions?: Reading, wanted: Wanted = {}): CheckedSpec {
  return assumptions === undefined
    ? checkOne(reading, wanted)
    : checkWith(reading, assumptions, wanted);
}

/** What a merge asks of a specification: what it is silent about, and what its facets are. */
function answered(spec: Spec): { silent: Set<ItemId>; facets: Map<string, string> } {
  const { gaps, parts } = checkOne({ spec, findings: [] }, {});
  const facets = parts.flatMap((part) => part.facets);
  return {
    silent: new Set(gaps.filter((gap) => gap.silent).map((gap) => gap.id)),
    facets: new Map(facets.map((facet) => [facet.name, facet.status])),
  };
}

/** The document with its gaps filled; facets and counts remain those of the document alone. */
function checkWith(reading: Reading, assumptions: Reading, wanted: Wanted): CheckedSpec {
  const own = checkOne(reading, {});
  const assumed = assume(reading, assumptions, answered);
  const both = placedApart(checkOne(assumed, wanted), assumed);
  const { notShown, silent } = both.counts;
  return {
    ...both,
    text: own.text,
    parts: own.parts,
    counts: { ...own.counts, notShown, silent },
    assumptions: { title: assumptions.spec.title.text, text: assumptions.spec.text },
    assumed: assumedReports(assumed, both.origins),
  };
}

/** Whether a cell says something that is no form: nobody has said `not shown` there. */
function unreadCells(findings: readonly Finding[]): (cell: Span) => boolean {
  const codes = ["unknown-cell", "unknown-type", "unknown-rule", "empty-cell"];
  const starts = findings
    .flatMap(({ code, span }) => (codes.includes(code) ? [span.start] : []))
    .sort((a, b) => a - b);
  return ({ start, end }) => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    return (starts[low] ?? Number.POSITIVE_INFINITY) <= end;
  };
}

/** What may have been meant: the words of a gap say in English what `no` says here. */
const READ = "It is not known who is shown the field. Where nobody is, write `no`.";

/** What is written in a group is looked at in each of its endpoints, and told once. */
function once({ parts }: Spec, findings: readonly Finding[]): readonly Finding[] {
  const groups = parts.flatMap((part) => part.sections.filter(({ scope }) => scope === "group"));
  if (groups.length === 0) return findings;
  const told = new Set<string>();
  return findings.filter(({ code, span: { start, end } }) => {
    if (!groups.some((one) => one.start <= start && end <= one.end)) return true;
    const key = `${code} ${start} ${end}`;
    return !told.has(key) && told.add(key);
  });
}

/** Code of which more is not read at a glance, in characters. */
const SHOWN_MAX = 120;

/** A finding in which long code is cut that stands so nowhere: named values are written out. */
function brief(finding: Finding, text: string): Finding {
  const { message, hint } = finding;
  const cut = (words: string): string =>
    words.replaceAll(/`[^`]+`/g, (span) => {
      const isLong = span.length > SHOWN_MAX && !text.includes(span.slice(1, -1));
      return isLong ? `${span.slice(0, 80)} … ${span.slice(-37)}` : span;
    });
  return { ...finding, message: cut(message), ...(hint === undefined ? {} : { hint: cut(hint) }) };
}

function checkOne(reading: Reading, { review = false }: Wanted): CheckedSpec {
  const kept = keptIn(reading.spec);
  const resolution = withClasses(resolveSpec(reading.spec, reading.findings));
  const ruled = runRules(reading.spec, resolution, review ? reviewRules : []);
  const gaps = [...ruled.gaps.values()].toSorted((a, b) => a.span.start - b.span.start);
  const isUnread = unreadCells(ruled.findings);
  const recorded = gaps
    .filter((gap) => !gap.silent && !isUnread(gap.span))
    .map(
      (gap): Finding => ({
        code: "gap",
        severity: "gap",
        question: gap.id,
        span: gap.span,
        message:
          `${gap.scope}: ${gap.subject}: not shown.` +
          (gap.blocking ? "" : " No answer depends on it."),
        ...(gap.cell?.column === "Read" ? { hint: READ } : {}),
      }),
    );
  const shown = once(reading.spec, ruled.findings).map((one) => brief(one, reading.spec.text));
  const findings = inOrder([...shown, ...recorded]);
  const silent = findings.filter((finding) => finding.code === "silent");
  const asked = new Set(silent.map(({ span }) => span.start));
  // A gap behind an error is told of when the error is mended.
  const told = gaps.filter(({ silent: isSilent, span }) =>
    isSilent ? asked.has(span.start) : !isUnread(span),
  );
  return {
    title: reading.spec.title.text,
    text: reading.spec.text,
    parts: resolution.parts,
    gaps,
    blocking: told.filter((gap) => gap.blocking).length,
    findings,
    counts: countItems(reading.spec, { gaps: recorded.length, silent: silent.length }),
    sound: findings.every((finding) => finding.severity !== "error" || finding.code === "silent"),
    service: { ...resolution.service, gaps: gaps.map(({ span: _, cell: _cell, ...gap }) => gap) },
    origins: resolution.origins,
    uses: resolution.uses,
    ...(kept === undefined ? {} : { kept }),
  };
}
