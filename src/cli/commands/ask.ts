/** `lacuna ask`: writes the open questions to the author of a document, as Markdown. */
import type { Command } from "commander";
import { letter } from "../ask/letter.ts";
import { type Call, type CommandModule, DONE, examples, refuse } from "../command.ts";
import { readInput } from "../files.ts";
import { obstacles, reportOf } from "../pipeline.ts";
import { counted } from "../render/wrap.ts";

function define(command: Command): void {
  command
    .description(
      "Writes what is silent or not shown as questions to the author of the document, grouped " +
        "by\npart, the most blocking first, each with its place and what it blocks.",
    )
    .argument("<file>", "a document; `-` is the standard input")
    .addHelpText("after", examples(
      ["lacuna ask spec.md > questions.md", "put them to the author"],
    ));
}

async function run({ args, io }: Call): Promise<number> {
  const input = await readInput(io, args[0] ?? "");
  if (typeof input === "string") return refuse(io, input);
  const report = reportOf(input);
  io.out(letter(report));
  const errors = obstacles(report.checked).length;
  if (errors > 0) {
    io.err(`lacuna: ${input.file} has ${counted(errors, "error")}, too; what they hide is not ` +
      `asked for. Next: \`lacuna check ${input.file}\`.\n`);
  }
  return DONE;
}

export const ask: CommandModule = { define, run };
