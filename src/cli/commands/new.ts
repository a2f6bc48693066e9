/** `lacuna new`: writes a document of nine parts in which everything is not shown. */
import type { Command } from "commander";
import { blankDocument } from "../../write/index.ts";
import { type Call, type CommandModule, DONE, examples, refuse } from "../command.ts";
import { createFile } from "../files.ts";

function define(command: Command): void {
  command
    .description(
      "Writes a document of nine parts in which everything is not shown: complete and honest. " +
        "A file that is there is never overwritten.",
    )
    .argument("[file]", "where to write it; without it, to the standard output")
    .addHelpText(
      "after",
      examples(["lacuna new spec.md", "begin a document"], ["lacuna new", "look at one"]),
    );
}

async function run({ args, io }: Call): Promise<number> {
  const [file] = args;
  if (file === undefined || file === "-") {
    io.out(blankDocument());
    return DONE;
  }
  const wrong = createFile(file, blankDocument());
  if (wrong !== undefined) return refuse(io, wrong);
  io.err(
    `lacuna: ${file} is there. Next: put its title in line 1, then ` +
      `\`lacuna check ${file}\`.\n`,
  );
  return DONE;
}

export const new_: CommandModule = { define, run };
