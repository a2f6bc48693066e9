/** Where reports of a verification go: one to standard output or a file, others to files. */
import { accessSync, constants, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Command } from "commander";
import type { Call } from "../../command.ts";
import { paintFor } from "../../paint.ts";
import { VERIFIED_FORMATS, type VerifiedFormat, verifiedReport } from "./index.ts";
import type { Looked } from "./model.ts";

export interface ReportOptions {
  readonly format: string;
  readonly output?: string;
  readonly report?: readonly string[];
  readonly all?: boolean;
  readonly showSecrets?: boolean;
}

/** Adds the options to a command. */
export function defineReports(command: Command): Command {
  const formats = VERIFIED_FORMATS.join(", ");
  return command
    .option("--format <format>", formats, "text")
    .option("--output <file>", "writes that there, not to the standard output")
    .option(
      "--report <format=file>",
      "writes another report there as well; may be named again",
      (one: string, before: readonly string[] | undefined) => [...(before ?? []), one],
    )
    .option("--all", "show every item, those that were held, too")
    .option("--show-secrets", "do not hide credentials and secrets in reports");
}

interface Output {
  readonly format: VerifiedFormat;
  /** Undefined: standard output. */
  readonly file: string | undefined;
}

const isFormat = (text: string): text is VerifiedFormat =>
  (VERIFIED_FORMATS as readonly string[]).includes(text);

function outputsIn({ format, output, report = [] }: ReportOptions): readonly (Output | string)[] {
  const unknown = (name: string): string =>
    `there is no format \`${name}\`; there are ${VERIFIED_FORMATS.join(", ")}`;
  const first = isFormat(format) ? { format, file: output } : unknown(format);
  const others = report.map((text) => {
    const [, name = text, file = ""] = /^([^=]*)=(.*)$/.exec(text) ?? [];
    if (!isFormat(name)) return unknown(name);
    return file === ""
      ? `\`--report ${text}\` names no file: ${name}=FILE`
      : { format: name, file };
  });
  return [first, ...others];
}

/** Why a file cannot be written; asked before the service is, which takes long. */
function unwritable(file: string): string | undefined {
  try {
    accessSync(dirname(file), constants.W_OK);
    const found = statSync(file, { throwIfNoEntry: false });
    return found?.isDirectory() ? `${file}: this is a folder; name a file in it` : undefined;
  } catch {
    return `${file}: there is no folder for it, or you may not write there`;
  }
}

/** What is wrong with the options; undefined: nothing. */
export function wrongReports(options: ReportOptions): string | undefined {
  const outputs = outputsIn(options);
  const wrong = outputs.find((one) => typeof one === "string");
  if (wrong !== undefined) return wrong;
  const files = (outputs as Output[]).flatMap(({ file }) => file ?? []);
  const twice = files.find((file, i) => files.indexOf(file) !== i);
  if (twice !== undefined) return `${twice}: two reports cannot be written there`;
  return files.map(unwritable).find((one) => one !== undefined);
}

/** Writes every report that was asked for; gives the reason where a file cannot be written. */
export async function writeReports(
  looked: Looked,
  { io, options, paint }: Pick<Call<ReportOptions>, "io" | "options" | "paint">,
): Promise<string | undefined> {
  for (const output of outputsIn(options)) {
    if (typeof output === "string") return output;
    const { format, file } = output;
    const isFile = file !== undefined;
    const page = { paint: isFile ? paintFor(io, false, false) : paint, columns: io.columns };
    const shown = { ...page, all: options.all === true };
    const pieces = await verifiedReport(looked, format, shown);
    try {
      if (isFile) writeFileSync(file, [...pieces].join(""));
      else for (const piece of pieces) await io.outWhenRoom(piece);
    } catch (error) {
      return `${file}: it cannot be written (${(error as Error).message})`;
    }
  }
  return undefined;
}
