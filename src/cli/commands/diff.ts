/** `lacuna diff`: says what has changed between two documents, judged by the first one's table. */
import type { Command } from "commander";
import { plan as compile } from "../../check/index.ts";
import { type Call, type CommandModule, DONE, ERRORS, examples, refuse } from "../command.ts";
import { diffJson } from "../diff/json.ts";
import { diffMarkdown } from "../diff/markdown.ts";
import { type Diff, diffOf } from "../diff/model.ts";
import type { Side } from "../diff/places.ts";
import { diffText } from "../diff/text.ts";
import { obstacles, readReport } from "../pipeline.ts";
import { refuseReport } from "../refusal.ts";

interface Options {
  readonly format: string;
}

const FORMATS = ["text", "json", "markdown"];

function define(command: Command): void {
  command
    .description(
      "Says what has changed its meaning between two documents, with the lines of both, whom it " +
        "matters for, and what it asks of rows that are kept. The compatibility table of the " +
        "first one judges; what it does not say is not judged. Wording is no change.",
    )
    .argument("<old>", "the document that callers know; `-` is the standard input")
    .argument("<new>", "the one that is to take its place; `-` is the standard input")
    .option("--format <format>", FORMATS.join(", "), "text")
    .addHelpText(
      "after",
      `${examples(
        ["lacuna diff old.md new.md", "for people"],
        ["git show main:spec.md | lacuna diff - spec.md", "what a branch changes"],
        ["lacuna diff --format markdown old.md new.md", "for a pull request"],
      )}
Exit codes: 0 nothing breaks callers, 1 something does, or a document has errors, 2 wrong use.
`,
    );
}

/** A document with its plan; the exit code where it has none. */
async function sideOf(file: string, call: Call<Options>): Promise<Side | number> {
  const report = await readReport(call.io, file);
  if (typeof report === "string") return refuse(call.io, report);
  const planned = compile(report.checked);
  if (planned !== undefined) return { report, planned };
  refuseReport(report, obstacles(report.checked), call);
  return ERRORS;
}

function print(diff: Diff, { io, paint, options }: Call<Options>): void {
  if (options.format === "json") io.out(diffJson(diff));
  else if (options.format === "markdown") io.out(diffMarkdown(diff));
  else io.out(diffText(diff, paint));
}

async function run(call: Call<Options>): Promise<number> {
  const { io, args, options } = call;
  if (!FORMATS.includes(options.format)) {
    return refuse(io, `there is no format \`${options.format}\`; there are ${FORMATS.join(", ")}`);
  }
  const [old = "", own = ""] = args;
  if (old === "-" && own === "-") return refuse(io, "`-` can be named once");
  const before = await sideOf(old, call);
  if (typeof before === "number") return before;
  const now = await sideOf(own, call);
  if (typeof now === "number") return now;
  const diff = diffOf(before, now);
  print(diff, call);
  for (const one of diff.unnamed) {
    io.err(`lacuna: no kind of change names this, which is a fault of lacuna: ${one}\n`);
  }
  if (diff.unnamed.length > 0) return ERRORS;
  return diff.entries.some(({ verdict }) => verdict === "breaking") ? ERRORS : DONE;
}

export const diff: CommandModule<Options> = { define, run };
