/** The closing sentence of a report: what to do next. */
import { counted } from "../render/wrap.ts";
import { errorCount, named, type Report } from "./model.ts";

/** One sentence or two; code in backticks. */
export function nextStep(report: Report, complete: boolean): string {
  const { checked, file } = report;
  const { silent, notShown } = checked.counts;
  const errors = errorCount(checked);
  const gaps = Math.max(notShown, checked.gaps.filter((gap) => !gap.silent).length);
  if (errors > 0) {
    const first = checked.findings.find((f) => f.severity === "error" && f.code !== "silent");
    return (
      `Next: mend the ${errors === 1 ? "error" : counted(errors, "error")}; ` +
      `\`lacuna explain ${first?.code ?? "CODE"}\` tells how.`
    );
  }
  if (silent > 0) {
    if (report.assumptions !== undefined) {
      return (
        `Next: answer ${silent === 1 ? "the silent point" : `the ${silent} silent points`}, ` +
        `in ${file} or in ${report.assumptions.file}.`
      );
    }
    const points = silent === 1 ? "the silent point" : `the ${silent} silent points`;
    return (
      `Next: answer ${points}, or record ${silent === 1 ? "it" : "them"} as not shown ` +
      `with \`lacuna check --fix ${file}\`.`
    );
  }
  if (gaps > 0) {
    const verdict = complete ? "It is not complete" : "Nothing is wrong";
    const open = gaps === 1 ? "1 point is not shown" : `${gaps} points are not shown`;
    const methods = checked.parts.flatMap((part) => part.facets).find((f) => f.name === "methods");
    const first =
      methods?.status === "stated"
        ? ""
        : "Begin with an endpoint: the questions show how it is written. ";
    return (
      `${verdict}: ${open}. ${first}Next: \`lacuna ask ${named(report)}\` puts ` +
      `${gaps === 1 ? "it" : "them"} to the author as questions.`
    );
  }
  return `Complete: everything is said. Next: \`lacuna serve ${named(report)}\` serves it.`;
}
