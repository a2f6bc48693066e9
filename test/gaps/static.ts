/** What `check` makes of a document in which one clause is not shown; serves nothing. */
import { lineTable, positionOf } from "../../src/base/index.ts";
import { type CheckedSpec, check, plan } from "../../src/check/index.ts";
import { mended } from "../../src/cli/mend.ts";
import type { Plan } from "../../src/plan/index.ts";
import { read } from "../../src/read/index.ts";
import type { Clause } from "./clauses.ts";
import type { Subject } from "./subjects.ts";

const encoder = new TextEncoder();

/** A document that can be served, with the place of each of its items. */
export interface Ready {
  readonly checked: CheckedSpec;
  readonly plan: Plan;
  readonly origins: Record<string, { file: string; line: number; column: number }>;
}

/** Checks a text as a subject's document, with the subject's assumptions. */
export function checkedText(text: string, { assumptions }: Subject): CheckedSpec {
  const reading = read(encoder.encode(text));
  return assumptions === undefined ? check(reading) : check(reading, read(assumptions));
}

/** The plan of a checked text; undefined where it has errors other than silence. */
export function readyOf(checked: CheckedSpec, { name }: Subject): Ready | undefined {
  const planned = plan(checked);
  if (planned === undefined) return undefined;
  const table = lineTable(checked.text);
  const spans = [...planned.origins, ...checked.gaps.map((gap) => [gap.id, gap.span] as const)];
  const origins = Object.fromEntries(
    spans.map(([id, span]) => [id, { file: `${name}.md`, ...positionOf(table, span.start) }]),
  );
  return { checked, plan: planned.plan, origins };
}

/** Errors of a checked text, those of silence apart, as `code at line: message`. */
function errorsOf({ findings, text }: CheckedSpec): string[] {
  const table = lineTable(text);
  return findings
    .filter(({ severity, code }) => severity === "error" && code !== "silent")
    .map(({ code, span, message }) => {
      return `${code} at ${positionOf(table, span.start).line}: ${message}`;
    });
}

/** What is wrong with the silence that is left where an answer was taken away. */
function silenceFaults(clause: Clause, subject: Subject, checked: CheckedSpec): string[] {
  const silent = checked.findings.filter((one) => one.code === "silent");
  // Who may ask, and which rows there are, is asked of each; what a key raises, of its bullet.
  const isEach = /, (Who|Rows at the start|No states)$/.test(clause.where);
  if (clause.general && silent.length > 1 && !isEach) {
    return [`${silent.length} points are silent where one answer for all is taken away`];
  }
  const fixes = silent.filter((one) => one.fix !== undefined).length;
  if (fixes < silent.length) return [];
  const { text, left } = mended(encoder.encode(checked.text));
  if (left > 0) return [`${left} points are silent still when they are recorded`];
  return errorsOf(checkedText(text, subject)).map((one) => `when it is recorded: ${one}`);
}

/** What is wrong with how `check` takes the clause; nothing where all is as it should be. */
export function staticFaults(clause: Clause, subject: Subject, checked: CheckedSpec): string[] {
  const faults = errorsOf(checked);
  if (faults.length > 0) return faults;
  // An assumption may answer what is not shown any more.
  if (subject.assumptions !== undefined) return [];
  if (clause.kind === "answer") return silenceFaults(clause, subject, checked);
  const table = lineTable(checked.text);
  const here = checked.gaps.some((gap) => positionOf(table, gap.span.start).line === clause.line);
  return here ? [] : ["no gap is recorded on this line"];
}
