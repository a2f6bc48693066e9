/** `lacuna rows`: prints the rows of a store as JSON lines, and takes such. */
import type { Command } from "commander";
import { addRows, CannotServe, printRows, systemClock } from "../../serve/index.ts";
import { StorageFault } from "../../store/index.ts";
import { type Call, type CommandModule, DONE, examples, refuse } from "../command.ts";
import { linesOfInput } from "../lines.ts";
import { counted } from "../render/wrap.ts";

interface Options {
  readonly add?: string;
}

function define(command: Command): void {
  command
    .description(
      "Prints the rows of a resource as JSON, one object on each line, while the store is " +
        "served, too. With `--add` it takes such lines: all of them or none, judged as the rows " +
        "are that are given when a service starts. Secrets are never printed.",
    )
    .argument("<file>", "the database, as `serve --data` names it")
    .argument("<resource>", "the resource, as the document names it")
    .option("--add <file>", "add the rows in this file; `-` is the standard input")
    .addHelpText(
      "after",
      `${examples(
        ["lacuna rows orders.sqlite Order", "print all orders"],
        ["lacuna rows orders.sqlite Customer --add customers.jsonl", "add customers"],
      )}
To add rows the store must not be served. A setting of the document is taken from the
environment, as for \`serve\`.
Exit codes: 0 done, 2 nothing was changed; standard error says why.
`,
    );
}

async function run({ io, args, options }: Call<Options>): Promise<number> {
  const [file = "", resource = ""] = args;
  const now = systemClock().now();
  try {
    if (options.add === undefined) {
      const lines = (texts: readonly string[]): Promise<void> =>
        io.outWhenRoom(`${texts.join("\n")}\n`);
      const say = (text: string): void => io.err(`lacuna: ${text}\n`);
      await printRows({ file, resource, now }, { lines, say });
      return DONE;
    }
    const lines = linesOfInput(io, options.add);
    if (typeof lines === "string") return refuse(io, lines);
    const name = options.add === "-" ? "standard input" : options.add;
    const count = await addRows({ file, resource, now, lines, name, environment: io.env });
    io.err(`lacuna: ${counted(count, "row")} of \`${resource}\` added to ${file}\n`);
    return DONE;
  } catch (fault) {
    if (fault instanceof CannotServe) return refuse(io, ...fault.reasons);
    if (fault instanceof StorageFault) return refuse(io, ...fault.message.split("\n"));
    throw fault;
  }
}

export const rows: CommandModule<Options> = { define, run };
