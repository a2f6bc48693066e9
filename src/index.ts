/** The public interface of the package: the whole way of a document on one screen. */
import { type CheckedSpec, check, type Planned, plan } from "./check/index.ts";
import { type Reading, read } from "./read/index.ts";

export type { Finding, LineTable, Position, Severity, Span } from "./base/index.ts";
export { lineTable, positionOf } from "./base/index.ts";
export type { CheckedSpec, Counts, FacetReport, GapReport, PartReport } from "./check/index.ts";
export { check, plan } from "./check/index.ts";
export type * from "./plan/index.ts";
export type { Reading } from "./read/index.ts";
export { read } from "./read/index.ts";
export { blankDocument, format } from "./write/index.ts";

// The first thing that came with Node.js 24. Without this the message would be about a detail.
if (!("escape" in RegExp)) throw new Error("Lacuna needs Node.js 24 or newer.");

/** Every stage of one document; `planned` is undefined where it has errors other than silence. */
export interface Compiled {
  readonly reading: Reading;
  readonly checked: CheckedSpec;
  readonly planned: Planned | undefined;
}

/** Takes the bytes of a document the whole way: read, check, plan. Total: any bytes will do. */
export function compile(bytes: Uint8Array): Compiled {
  const reading = read(bytes);
  const checked = check(reading);
  return { reading, checked, planned: plan(checked) };
}
