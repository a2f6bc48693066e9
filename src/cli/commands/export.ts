/** `lacuna export`: writes a document in a form that other tools read. */
import type { Command } from "commander";
import { nearest } from "../../base/index.ts";
import { type ExportOptions, exporters } from "../../export/index.ts";
import { type Call, type CommandModule, DONE, ERRORS, examples, refuse } from "../command.ts";
import { exportable } from "../exportable.ts";
import { readInput } from "../files.ts";
import { isDescription, wantsDocument } from "../notation.ts";
import { obstacles } from "../pipeline.ts";
import { refuseReport } from "../refusal.ts";

interface Options {
  readonly to?: string;
  readonly openapi: string;
}

const NAMES = Object.keys(exporters);
const VERSIONS: readonly string[] = ["3.1", "3.2"] satisfies ExportOptions["openapi"][];

function define(command: Command): void {
  command
    .description(
      "Writes a document in a form that other tools read, to the standard output. What that form " +
        "cannot say stands in it under names of its own, with its line; a gap stays a gap.",
    )
    .argument("<file>", "a document; `-` is the standard input")
    .option("--to <form>", NAMES.join(", "))
    .option("--openapi <version>", `the version of OpenAPI: ${VERSIONS.join(" or ")}`, "3.1")
    .addHelpText(
      "after",
      `${examples(
        ["lacuna export spec.md --to openapi > openapi.json", "OpenAPI 3.1"],
        ["lacuna export spec.md --to asyncapi > async.json", "its events: AsyncAPI 3.0"],
        ["lacuna export spec.md --to html > spec.html", "one page for the web, whole by itself"],
        ["lacuna export spec.md --to typescript > client.ts", "a client on fetch, in one file"],
        ["lacuna export spec.md --to mermaid > states.mmd", "diagrams of states and resources"],
      )}
Exit codes: 0 written, 1 errors other than silence, 2 wrong use.
`,
    );
}

async function run(call: Call<Options>): Promise<number> {
  const { io, options, args } = call;
  const { to, openapi } = options;
  if (to === undefined) return refuse(io, `name a form by \`--to\`: ${NAMES.join(", ")}`);
  const exporter = Object.hasOwn(exporters, to) ? exporters[to] : undefined;
  if (exporter === undefined) {
    const near = nearest(to, NAMES);
    const hint = near === undefined ? `there are ${NAMES.join(", ")}` : `did you mean \`${near}\`?`;
    return refuse(io, `there is no form \`${to}\`; ${hint}`);
  }
  if (!VERSIONS.includes(openapi)) {
    return refuse(io, `\`--openapi ${openapi}\` is not written; there are ${VERSIONS.join(", ")}`);
  }
  const input = await readInput(io, args[0] ?? "");
  if (typeof input === "string") return refuse(io, input);
  if (isDescription(input)) return refuse(io, wantsDocument(input));
  const from = exportable(input);
  if (!("plan" in from)) {
    refuseReport(from, obstacles(from.checked), call);
    return ERRORS;
  }
  const text = exporter(from, { openapi: openapi as ExportOptions["openapi"] });
  io.out(text);
  if (text === "") {
    io.err(`lacuna: ${input.file} states no states and no resources: there is nothing to draw\n`);
  }
  return DONE;
}

export const export_: CommandModule<Options> = { define, run };
