/** `lacuna import`: writes the document of nine parts for a description of an interface. */
import { basename, isAbsolute } from "node:path";
import type { Command } from "commander";
import { type Description, writtenDocument } from "../../openapi/index.ts";
import { type Call, type CommandModule, DONE, ERRORS, examples, refuse } from "../command.ts";
import { describeInput, unreadable } from "../described.ts";
import { readInput } from "../files.ts";
import { isDescription } from "../notation.ts";
import { textReport } from "../report/terminal.ts";
import { restored } from "../restored.ts";

/** Places that are named where a file was edited, or is not read. */
const SHOWN = 5;

function define(command: Command): void {
  command
    .description(
      "Writes the document of nine parts for a description of an interface, to the standard " +
        "output: what the file states, and every gap where it belongs, each with its place in " +
        "the file. What the language has no words for stands in blocks of its own. A file that " +
        "`lacuna export` wrote gives back the document that it was written from.",
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
  const own = restored(described);
  if (own?.edited.length === 0) {
    io.out(own.text);
    return DONE;
  }
  if (own !== undefined) {
    const shown = own.edited.slice(0, SHOWN).join("; ");
    const more = own.edited.length - SHOWN;
    io.err(
      `lacuna: ${input.file} was exported from a document, and is another since: ${shown}` +
        `${more > 0 ? ` and ${more} more` : ""}. What the file states now is written; what only ` +
        "the document said (`x-lacuna-...`) is not taken.\n",
    );
  }
  io.out(writtenDocument(described, nameIn(input.file)));
  io.err(unread(described, input.file));
  return DONE;
}

/** The file as the document names it: where it stands on one machine is nobody else's. */
function nameIn(file: string): string {
  if (file === "-") return "standard input";
  return isAbsolute(file) ? basename(file) : file;
}

/** What of the file no part of the document has, for the person who looks on. */
function unread(described: Description, file: string): string {
  const problems = described.problems().toSorted((a, b) => a.place.start - b.place.start);
  if (problems.length === 0) return "";
  const lines = problems.slice(0, SHOWN).map(({ place, message }) => {
    const { line, column } = described.files.positionOf(place.file, place.start);
    const name = place.file === 0 ? file : described.files.all[place.file]?.name;
    return `  ${name}:${line}:${column} ${message}\n`;
  });
  const more = problems.length - SHOWN;
  const places = problems.length === 1 ? "1 place is" : `${problems.length} places are`;
  return (
    `lacuna: ${places} not read, and listed in the document:\n${lines.join("")}` +
    `${more > 0 ? `  and ${more} more\n` : ""}Next: \`lacuna check ${file}\` tells more.\n`
  );
}

export const import_: CommandModule = { define, run };
