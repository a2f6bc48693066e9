/** The way of a document from bytes to a report or a plan, for commands; prints nothing. */
import type { Finding } from "../base/index.ts";
import { type CheckedSpec, check } from "../check/index.ts";
import { read } from "../read/index.ts";
import { type Input, readInput } from "./files.ts";
import type { Io } from "./io.ts";
import { type Report, reportOn } from "./report/model.ts";

/** What `check` says of the bytes of a document, with assumptions where there are some. Total. */
export function checkBytes(bytes: Uint8Array, assumptions?: Uint8Array): CheckedSpec {
  return check(read(bytes), assumptions && read(assumptions));
}

/** The report on an input. */
export function reportOf(input: Input, assumptions?: Input): Report {
  return reportOn(input.file, checkBytes(input.bytes, assumptions?.bytes), assumptions?.file);
}

/** The option of a command that takes assumptions: its flags and its help. */
export const ASSUME = ["--assume <file>", "assumptions that fill gaps of the document"] as const;

/** The report on a file, with the assumptions of another; or a line that says what is wrong. */
export async function readReport(io: Io, file: string, assume?: string): Promise<Report | string> {
  if (file === "-" && assume === "-") return "`-` can be named once";
  const input = await readInput(io, file);
  if (typeof input === "string") return input;
  const assumptions = assume === undefined ? undefined : await readInput(io, assume);
  return typeof assumptions === "string" ? assumptions : reportOf(input, assumptions);
}

/** Findings that keep a plan from being made: errors other than silence. */
export function obstacles(checked: CheckedSpec): Finding[] {
  return checked.findings.filter((each) => each.severity === "error" && each.code !== "silent");
}
