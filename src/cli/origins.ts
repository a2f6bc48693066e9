/** Where each item of a plan stands, for a service that names it in what it logs and answers. */
import { basename } from "node:path";
import { positionOf, type Span } from "../base/index.ts";
import type { Planned } from "../check/index.ts";
import { type Report, sourceOf } from "./report/model.ts";

/** Where each item stands, as JSON text: a large document has tens of thousands of them. */
export function originsOf(report: Report, planned: Planned): string {
  const places = new Map<string, string>();
  const add = (id: string, span: Span): void => {
    const { line, column } = positionOf(sourceOf(report, span).table, span.start);
    // Answers name the document, never where it lies on the host's disk.
    const file = basename(sourceOf(report, span).file);
    places.set(id, `${JSON.stringify(id)}:${JSON.stringify({ file, line, column })}`);
  };
  for (const [id, span] of planned.origins) add(id, span);
  for (const { id, span } of report.checked.gaps) add(id, span);
  return `{${[...places.values()].join(",")}}`;
}
