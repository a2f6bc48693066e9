/** Documents for comparisons: a text with its plan, and the lines on which its items stand. */
import { readFileSync } from "node:fs";
import { lineTable } from "../../src/base/index.ts";
import { check, plan } from "../../src/check/index.ts";
import type { Side } from "../../src/cli/diff/places.ts";
import { read } from "../../src/read/index.ts";

/** The document as one side of a comparison; undefined where it has errors other than silence. */
export function sideOf(text: string): Side | undefined {
  const checked = check(read(new TextEncoder().encode(text)));
  const planned = plan(checked);
  if (planned === undefined) return undefined;
  return { report: { file: "spec.md", checked, text, table: lineTable(text) }, planned };
}

/** A right document that has what the examples lack. */
export function kioskText(): string {
  return readFileSync(new URL("../corpus/right/kiosk.md", import.meta.url), "utf8");
}
