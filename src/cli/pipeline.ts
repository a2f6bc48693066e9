/** The way of a document from bytes to a report or a plan, for commands; prints nothing. */
import type { Finding } from "../base/index.ts";
import { type CheckedSpec, check, type Wanted } from "../check/index.ts";
import { type Reading, read } from "../read/index.ts";
import { type Input, readInput } from "./files.ts";
import type { Io } from "./io.ts";
import { isDescription, wantsDocument } from "./notation.ts";
import { progress, type Stage } from "./progress.ts";
import { type DocumentReport, reportOn } from "./report/model.ts";

/** What `check` says of the bytes of a document, with assumptions where there are some. Total. */
export function checkBytes(
  bytes: Uint8Array,
  assumptions?: Uint8Array,
  wanted: Wanted = {},
): CheckedSpec {
  return check(read(bytes), assumptions && read(assumptions), wanted);
}

interface Next {
  readonly file: string;
  readonly reading: Reading;
  readonly stage: Stage;
}

/** Takes the first input away and reads it, so that its bytes are gone when it is checked. */
function readNext(io: Io, inputs: Input[]): Next {
  const { file, bytes } = inputs.shift() as Input;
  const stage = progress(io, file, bytes.length);
  stage("reading");
  return { file, reading: read(bytes), stage };
}

/** The reports on all inputs, in their order. Empties the list: documents can be large. */
export function reportsOf(io: Io, inputs: Input[], wanted: Wanted = {}): DocumentReport[] {
  const reports: DocumentReport[] = [];
  while (inputs.length > 0) reports.push(reportOf(io, inputs, undefined, wanted));
  return reports;
}

/** The report on the first input, which is taken away. */
function reportOf(
  io: Io,
  inputs: Input[],
  assumptions: Input | undefined,
  wanted: Wanted,
): DocumentReport {
  const { file, reading, stage } = readNext(io, inputs);
  const assumed = assumptions && read(assumptions.bytes);
  stage("checking");
  const report = reportOn(file, check(reading, assumed, wanted), assumptions?.file);
  stage(undefined);
  return report;
}

/** The option of a command that takes assumptions: its flags and its help. */
export const ASSUME = ["--assume <file>", "assumptions that fill gaps of the document"] as const;

/** The option of a command that runs a service with calls. */
export const CODE = [
  "--code <where>",
  "the code behind calls: an ES module, or an http address",
] as const;

/** The report on a file, with the assumptions of another; or a line that says what is wrong. */
export async function readReport(
  io: Io,
  file: string,
  assume?: string,
  wanted: Wanted = {},
): Promise<DocumentReport | string> {
  if (file === "-" && assume === "-") return "`-` can be named once";
  const input = await readInput(io, file);
  if (typeof input === "string") return input;
  if (isDescription(input)) return wantsDocument(input);
  const assumptions = assume === undefined ? undefined : await readInput(io, assume);
  return typeof assumptions === "string" ? assumptions : reportOf(io, [input], assumptions, wanted);
}

/** Findings that keep a plan from being made: errors other than silence. */
export function obstacles(checked: CheckedSpec): Finding[] {
  return checked.findings.filter((each) => each.severity === "error" && each.code !== "silent");
}
