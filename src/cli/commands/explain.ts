/** `lacuna explain`: explains a finding: what it means, how to mend it, wrong and right. */
import type { Command } from "commander";
import { nearest } from "../../base/index.ts";
import { codeEntries } from "../codes.ts";
import { type Call, type CommandModule, DONE, examples, refuse } from "../command.ts";
import { codeLines } from "../explain/terminal.ts";

function define(command: Command): void {
  command
    .description("Explains a finding: what it means, how to mend it, a wrong and a right sample.")
    .argument("[code]", "the code of a finding, such as `silent`; without it, all codes")
    .addHelpText(
      "after",
      examples(["lacuna explain silent", "the page of one code"], ["lacuna explain", "all codes"]),
    );
}

function list({ io, paint }: Call): void {
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

async function run(call: Call): Promise<number> {
  const { io, paint } = call;
  const [code] = call.args;
  if (code === undefined) {
    list(call);
    return DONE;
  }
  const entries = codeEntries();
  const entry = entries.get(code);
  if (entry === undefined) {
    const near = nearest(code, entries.keys());
    const hint =
      near === undefined
        ? "`lacuna explain` lists all codes."
        : `Did you mean \`lacuna explain ${near}\`?`;
    return refuse(io, `there is no finding with the code \`${code}\`. ${hint}`);
  }
  for (const line of codeLines(code, entry, io.columns, paint)) io.out(`${line}\n`);
  return DONE;
}

export const explain: CommandModule = { define, run };
