/** The door of `check`: a reading in, a checked specification out. */
import type { Finding } from "../base/index.ts";
import type { Spec } from "../model/index.ts";
import { countItems } from "./counts.ts";
import { resolveSpec } from "./resolve/index.ts";
import { runRules } from "./rules/index.ts";
import type { CheckedSpec } from "./types.ts";

export { type CheckCode, type CheckCodeEntry, checkCodes } from "./codes.ts";
export type { CheckedSpec, Counts, FacetReport, GapReport, PartReport } from "./types.ts";

const SEVERITIES = { error: 0, gap: 1, warning: 2, note: 3 } as const;

function inOrder(findings: readonly Finding[]): Finding[] {
  return findings.toSorted(
    (a, b) =>
      a.span.start - b.span.start ||
      a.span.end - b.span.end ||
      SEVERITIES[a.severity] - SEVERITIES[b.severity] ||
      (a.code < b.code ? -1 : 1),
  );
}

/**
 * Checks what `read` gave. Total. Findings are in the order of the text; gaps are findings of
 * severity `gap`; what is silent is an error, and alone does not keep a plan from being made.
 */
export function check(reading: {
  readonly spec: Spec;
  readonly findings: readonly Finding[];
}): CheckedSpec {
  const resolution = resolveSpec(reading.spec, reading.findings);
  const ruled = runRules(reading.spec, resolution);
  const gaps = [...ruled.gaps.values()].toSorted((a, b) => a.span.start - b.span.start);
  const recorded = gaps
    .filter((gap) => !gap.silent)
    .map(
      (gap): Finding => ({
        code: "gap",
        severity: "gap",
        span: gap.span,
        message: `${gap.scope}: ${gap.subject} is not shown.`,
      }),
    );
  const findings = inOrder([...ruled.findings, ...recorded]);
  const silent = findings.filter((finding) => finding.code === "silent").length;
  return {
    title: reading.spec.title.text,
    text: reading.spec.text,
    parts: resolution.parts,
    gaps,
    findings,
    counts: countItems(reading.spec, { gaps: recorded.length, silent }),
    sound: findings.every((finding) => finding.severity !== "error" || finding.code === "silent"),
    service: { ...resolution.service, gaps: gaps.map(({ span: _, ...gap }) => gap) },
    origins: resolution.origins,
  };
}
