/** Documents as exporters take them. */
import { lineTable, positionOf } from "../base/index.ts";
import { check, plan as compile, occurrencesOf } from "../check/index.ts";
import type { Exportable } from "../export/index.ts";
import { read } from "../read/index.ts";
import type { Input } from "./files.ts";
import { type DocumentReport, reportOn } from "./report/model.ts";

/** The document as exporters take it; undefined where it has errors other than silence. */
export function exportable({ file, bytes }: Input): Exportable | DocumentReport {
  const reading = read(bytes);
  const checked = check(reading);
  const planned = compile(checked);
  if (planned === undefined) return reportOn(file, checked);
  const table = lineTable(checked.text);
  const lineOf = (item: string): number | undefined => {
    const span = planned.origins.get(item);
    return span && positionOf(table, span.start).line;
  };
  const { plan } = planned;
  return { file, spec: reading.spec, checked, plan, lineOf, occursAt: occurrencesOf(plan) };
}
