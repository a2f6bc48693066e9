/** The door of `export`: a checked document out, in the forms that other tools read. */
import { asyncapi } from "./asyncapi/index.ts";
import { html } from "./html/index.ts";
import { jsonschema } from "./jsonschema/index.ts";
import { mermaid } from "./mermaid/index.ts";
import { openapi } from "./openapi/index.ts";
import type { Exporter } from "./types.ts";
import { typescript } from "./typescript/index.ts";

export { jsonHtml, laidOut } from "./html/code.ts";
export { BASE } from "./html/style/base.ts";
export { COLOURS } from "./html/style/colours.ts";
export { escaped } from "./html/text.ts";
export { restore } from "./openapi/restore.ts";
export type { Exportable, Exporter, ExportOptions } from "./types.ts";

/** What can be written, by its name. */
export const exporters: Readonly<Record<string, Exporter>> = {
  openapi,
  asyncapi,
  jsonschema,
  html,
  typescript,
  mermaid,
};
