/** `lacuna copy`: moves a store from one database into another. */
import type { Command } from "commander";
import { type Copied, copyStore, StorageFault, shownPlace } from "../../store/index.ts";
import { type Call, type CommandModule, DONE, examples, refuse } from "../command.ts";
import { counted } from "../render/wrap.ts";

interface Options {
  readonly format?: string;
}

/** Digits of the digest that are shown: who wants all of them asks for JSON. */
const SHOWN_DIGITS = 16;

function define(command: Command): void {
  command
    .description(
      "Copies a store into a place where there is none: from a SQLite file into a schema of " +
        "PostgreSQL, back, or between two of a kind. All that was committed when it began is " +
        "copied: rows, counters, limits, keys, messages and streams, with their numbers. Both " +
        "are compared at the end, table by table, by a count and a digest.",
    )
    .argument("<from>", "the store, as `serve --data` names it")
    .argument("<to>", "where it is copied to, named likewise")
    .option("--format <format>", "`text` or `json`", "text")
    .addHelpText(
      "after",
      `${examples(
        ["lacuna copy orders.sqlite postgres://lacuna@db/shop?schema=orders", "to PostgreSQL"],
        ["lacuna copy postgres://lacuna@db/shop?schema=orders orders.sqlite", "and back"],
      )}
A copy that was broken off is no store, and is gone on with when the same is called again. What is
written while it goes on is not in the copy: stop the service first where it is to move.
Exit codes: 0 done, 2 there is no copy; standard error says why.
`,
    );
}

/** What was copied, in one line. */
function told({ tables, rows, sha256 }: Copied): string {
  const digest = sha256.slice(0, SHOWN_DIGITS);
  return `${counted(rows, "row")}, ${counted(tables.length, "table")}, digest ${digest}`;
}

async function run({ io, args, options: { format } }: Call<Options>): Promise<number> {
  const [from = "", to = ""] = args;
  if (format !== "text" && format !== "json") {
    return refuse(io, `--format is \`text\` or \`json\`, not \`${format}\``);
  }
  try {
    const copied = await copyStore(from, to, (text) => io.err(`lacuna: ${text}\n`));
    if (format === "json") io.out(`${JSON.stringify(copied)}\n`);
    else io.out(`${shownPlace(to)} holds what ${shownPlace(from)} held: ${told(copied)}\n`);
    return DONE;
  } catch (fault) {
    if (fault instanceof StorageFault) return refuse(io, ...fault.message.split("\n"));
    throw fault;
  }
}

export const copy: CommandModule<Options> = { define, run };
