/** The way of a document from bytes to a report or a plan, for commands; prints nothing. */
import type { Finding } from "../base/index.ts";
import { type CheckedSpec, check } from "../check/index.ts";
import { read } from "../read/index.ts";
import type { Input } from "./files.ts";
import { type Report, reportOn } from "./report/model.ts";

/** What `check` says of the bytes of a document. Total. */
export function checkBytes(bytes: Uint8Array): CheckedSpec {
  return check(read(bytes));
}

/** The report on an input. */
export function reportOf(input: Input): Report {
  return reportOn(input.file, checkBytes(input.bytes));
}

/** Findings that keep a plan from being made: errors other than silence. */
export function obstacles(checked: CheckedSpec): Finding[] {
  return checked.findings.filter((each) => each.severity === "error" && each.code !== "silent");
}
