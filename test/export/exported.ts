/** What `lacuna export` writes of a document of the repository. */
import { readFileSync } from "node:fs";
import { lineTable, positionOf } from "../../src/base/index.ts";
import { check, occurrencesOf, plan } from "../../src/check/index.ts";
import {
  type Exportable,
  type Exporter,
  type ExportOptions,
  exporters,
} from "../../src/export/index.ts";
import { read } from "../../src/read/index.ts";

/** The document in that file as exporters take it, with assumptions where some are given. */
export function exportableOf(
  file: string,
  bytes: Uint8Array = readFileSync(file),
  assumed?: Uint8Array,
): Exportable {
  const reading = read(bytes);
  const checked = check(reading, assumed && read(assumed));
  const planned = plan(checked);
  if (planned === undefined) throw new Error(`${file} has errors`);
  const table = lineTable(checked.text);
  const lineOf = (item: string): number | undefined => {
    const span = planned.origins.get(item);
    return span && positionOf(table, span.start).line;
  };
  return {
    ...{ file, spec: reading.spec, checked, plan: planned.plan, lineOf },
    occursAt: occurrencesOf(planned.plan),
  };
}

/** The exported text of a document. */
export function exportedBytes(
  name: string,
  bytes: Uint8Array,
  form: string,
  options: ExportOptions = { openapi: "3.1" },
): string {
  const exporter = exporters[form];
  if (exporter === undefined) throw new Error(`there is no form ${form}`);
  return exporter(exportableOf(name, bytes), options);
}

/** The OpenAPI file of a document's text. */
export function exportedText(
  file: string,
  bytes: Uint8Array,
  openapi: ExportOptions["openapi"] = "3.1",
): string {
  return (exporters["openapi"] as Exporter)(exportableOf(file, bytes), { openapi });
}

/** The exported text of the document in that file. */
export function exported(file: string, form: string, options?: ExportOptions): string {
  return exportedBytes(file, readFileSync(file), form, options);
}
