/** `lacuna ask`: writes the open questions to the author of a document, as Markdown. */
import type { Command } from "commander";
import { letter, questionsOf } from "../ask/letter.ts";
import { type Call, type CommandModule, DONE, examples, refuse } from "../command.ts";
import { ASSUME, obstacles, readReport } from "../pipeline.ts";
import { counted } from "../render/wrap.ts";
import { named } from "../report/model.ts";

interface Options {
  readonly format: string;
  readonly assume?: string;
}

function define(command: Command): void {
  command
    .description(
      "Writes what is silent or not shown as questions to the author of the document, grouped " +
        "by part, the most blocking first, each with its place and what it blocks.",
    )
    .argument("<file>", "a document; `-` is the standard input")
    .option("--format <format>", "markdown, json", "markdown")
    .option(...ASSUME)
    .addHelpText(
      "after",
      examples(
        ["lacuna ask spec.md > questions.md", "put them to the author"],
        ["lacuna ask spec.md --format json", "for other tools"],
        ["lacuna ask spec.md --assume assumptions.md", "only what is not assumed either"],
      ),
    );
}

async function run({ args, io, options }: Call<Options>): Promise<number> {
  if (options.format !== "markdown" && options.format !== "json") {
    return refuse(io, `there is no format \`${options.format}\`; there are markdown, json`);
  }
  const report = await readReport(io, args[0] ?? "", options.assume);
  if (typeof report === "string") return refuse(io, report);
  if (options.format === "json") {
    const { file, checked } = report;
    const questions = questionsOf(report);
    io.out(`${JSON.stringify({ file, title: checked.title, questions }, null, 2)}\n`);
  } else io.out(letter(report));
  const errors = obstacles(report.checked).length;
  if (errors > 0) {
    io.err(
      `lacuna: ${report.file} has ${counted(errors, "error")}, too; what they hide is not ` +
        `asked for. Next: \`lacuna check ${named(report)}\`.\n`,
    );
  }
  return DONE;
}

export const ask: CommandModule<Options> = { define, run };
