/** `lacuna explain`: explains a finding: what it means, how to mend it, wrong and right. */
import type { Command } from "commander";
import { type CodeEntry, nearest } from "../../base/index.ts";
import { codeEntries } from "../codes.ts";
import { type Call, type CommandModule, DONE, examples, refuse } from "../command.ts";
import { pageOf } from "../explain/page.ts";
import { codeLines } from "../explain/terminal.ts";

interface Options {
  readonly format: string;
}

function define(command: Command): void {
  command
    .description("Explains a finding: what it means, how to mend it, a wrong and a right sample.")
    .argument("[code]", "the code of a finding, such as `silent`; without it, all codes")
    .option("--format <format>", "text, json", "text")
    .addHelpText(
      "after",
      examples(
        ["lacuna explain silent", "the page of one code"],
        ["lacuna explain", "all codes"],
        ["lacuna explain silent --format json", "for other tools"],
      ),
    );
}

/** JSON of one page, or of the titles of all; see docs/cli.md. */
function jsonOf(code: string | undefined, entries: ReadonlyMap<string, CodeEntry>): string {
  const entry = code === undefined ? undefined : entries.get(code);
  const told =
    code !== undefined && entry !== undefined
      ? pageOf(code, entry)
      : {
          codes: [...entries].map(([name, { severity, title }]) => ({
            code: name,
            severity,
            title,
          })),
        };
  return `${JSON.stringify({ formatVersion: 1, ...told }, undefined, 2)}\n`;
}

function list({ io, paint }: Call<Options>): void {
  const entries = [...codeEntries()];
  const width = Math.max(...entries.map(([code]) => code.length));
  for (const severity of ["error", "gap", "warning", "note", "review"] as const) {
    const some = entries.filter(([, entry]) => entry.severity === severity);
    if (some.length === 0) continue;
    io.out(`${paint[severity](severity)}\n`);
    for (const [code, { title }] of some) io.out(`  ${code.padEnd(width)}  ${title}\n`);
    io.out("\n");
  }
  io.out("`lacuna explain CODE` tells more.\n");
}

async function run(call: Call<Options>): Promise<number> {
  const { io, paint, options } = call;
  const [code] = call.args;
  const isJson = options.format === "json";
  if (options.format !== "text" && !isJson) {
    return refuse(io, `there is no format \`${options.format}\`; there are text, json`);
  }
  if (code === undefined && !isJson) {
    list(call);
    return DONE;
  }
  const entries = codeEntries();
  const entry = code === undefined ? undefined : entries.get(code);
  if (code !== undefined && entry === undefined) {
    const near = nearest(code, entries.keys());
    const hint =
      near === undefined
        ? "`lacuna explain` lists all codes."
        : `Did you mean \`lacuna explain ${near}\`?`;
    return refuse(io, `there is no finding with the code \`${code}\`. ${hint}`);
  }
  if (code === undefined || entry === undefined || isJson) {
    io.out(jsonOf(code, entries));
    return DONE;
  }
  for (const line of codeLines(code, entry, io.columns, paint)) io.out(`${line}\n`);
  return DONE;
}

export const explain: CommandModule<Options> = { define, run };
