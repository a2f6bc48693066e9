/** `lacuna import`: writes the document of nine parts for a description of an interface. */
import type { Command } from "commander";
import { writtenDocument } from "../../openapi/index.ts";
import { type Call, type CommandModule, DONE, ERRORS, examples, refuse } from "../command.ts";
import { describeInput, isDescription, unreadable } from "../described.ts";
import { readInput } from "../files.ts";
import { textReport } from "../report/terminal.ts";

function define(command: Command): void {
  command
    .description(
      "Writes the document of nine parts for a description of an interface, to the standard " +
        "output: what the file states, and every gap where it belongs, each with its place in " +
        "the file. What the language has no words for stands in blocks of its own.",
    )
    .argument("<file>", "a file in OpenAPI 3, Swagger 2.0 or AsyncAPI; `-` is the standard input")
    .addHelpText(
      "after",
      `${examples([
        "lacuna import openapi.yaml > spec.md",
        "then `lacuna check spec.md`, and write on",
      ])}
Exit codes: 0 written, 1 the file cannot be read, 2 wrong use.
`,
    );
}

async function run(call: Call): Promise<number> {
  const { io, args, errPaint } = call;
  const input = await readInput(io, args[0] ?? "");
  if (typeof input === "string") return refuse(io, input);
  if (!isDescription(input)) {
    return refuse(io, `${input.file}: this is no description in OpenAPI, Swagger or AsyncAPI`);
  }
  const described = describeInput(input);
  if ("code" in described) {
    const options = { paint: errPaint, columns: io.columns, all: true, complete: false };
    io.err(textReport([unreadable(input, described)], options));
    return ERRORS;
  }
  io.out(writtenDocument(described, input.file === "-" ? "standard input" : input.file));
  return DONE;
}

export const import_: CommandModule = { define, run };
