/** `lacuna diff`: says what has changed between two documents, or two files in OpenAPI. */
import type { Command } from "commander";
import { plan as compile } from "../../check/index.ts";
import { type Call, type CommandModule, DONE, ERRORS, examples, refuse } from "../command.ts";
import { describeInput, unreadable } from "../described.ts";
import { type DescribedSide, describedDiff } from "../diff/described.ts";
import { diffJson } from "../diff/json.ts";
import { diffMarkdown } from "../diff/markdown.ts";
import { type Diff, diffOf } from "../diff/model.ts";
import type { Side } from "../diff/places.ts";
import { diffText } from "../diff/text.ts";
import { type Input, readInput } from "../files.ts";
import { withCompilers } from "../heap.ts";
import { isDescription } from "../notation.ts";
import { obstacles, reportsOf } from "../pipeline.ts";
import { refuseReport } from "../refusal.ts";
import { assumedRules } from "../shipped.ts";

interface Options {
  readonly format: string;
  readonly rules?: string;
}

const FORMATS = ["text", "json", "markdown"];

/** What `--rules` names the table that is shipped. */
const ASSUMED = "assumed";

function define(command: Command): void {
  command
    .description(
      "Says what has changed its meaning between two documents, or two files in OpenAPI or " +
        "Swagger, with the lines of both, whom it matters for, and what it asks of rows that are " +
        "kept. The compatibility table of the first document judges, or that of `--rules`; what " +
        "it does not say is not judged.",
    )
    .argument("<old>", "what callers know; `-` is the standard input")
    .argument("<new>", "what is to take its place; `-` is the standard input")
    .option("--format <format>", FORMATS.join(", "), "text")
    .option(
      "--rules <file>",
      `a document whose compatibility table judges; \`${ASSUMED}\`: the one that is shipped`,
    )
    .addHelpText(
      "after",
      `${examples(
        ["lacuna diff old.md new.md", "for people"],
        ["git show main:spec.md | lacuna diff - spec.md", "what a branch changes"],
        ["lacuna diff --format markdown old.md new.md", "for a pull request"],
        ["lacuna diff old.yaml new.yaml", "files in OpenAPI: told, and not judged"],
        ["lacuna diff --rules assumed old.yaml new.yaml", "judged by what most tools assume"],
        ["lacuna diff --rules ours.md old.yaml new.yaml", "judged by your own table"],
      )}
Files in OpenAPI have no compatibility table. The one that is shipped is an assumption:
docs/assumed-compatibility.md. Copy it, and let its rows say what you promise your callers.

Exit codes: 0 nothing breaks callers, 1 something does, or a document has errors, 2 wrong use.
`,
    );
}

/** A document with its plan; the exit code where it has none. */
function sideOf(input: Input, call: Call<Options>): Side | number {
  const [report] = reportsOf(call.io, [input]);
  const planned = report && compile(report.checked);
  if (report !== undefined && planned !== undefined) return { report, planned };
  if (report !== undefined) refuseReport(report, obstacles(report.checked), call);
  return ERRORS;
}

/** A file in OpenAPI or Swagger; the exit code where it cannot be compared. */
function describedSide(input: Input, call: Call<Options>): DescribedSide | number {
  const description = withCompilers(() => describeInput(input));
  if ("code" in description) {
    const report = unreadable(input, description);
    refuseReport(report, report.checked.findings, call);
    return ERRORS;
  }
  if (description.kind === "asyncapi") {
    return refuse(call.io, `${input.file}: files in AsyncAPI are not compared`);
  }
  return { file: input.file, description };
}

/** The document whose table judges; undefined: none is named; or an exit code. */
async function judgeOf(call: Call<Options>): Promise<Side | number | undefined> {
  const { rules } = call.options;
  if (rules === undefined) return undefined;
  const isShipped = rules === ASSUMED;
  const input = await readInput(call.io, isShipped ? assumedRules() : rules);
  if (typeof input === "string") return refuse(call.io, input);
  if (isDescription(input)) {
    return refuse(call.io, `${rules}: \`--rules\` names a document of nine parts`);
  }
  return sideOf(isShipped ? { ...input, file: "docs/assumed-compatibility.md" } : input, call);
}

/** Places of a file that are not compared as they are meant, because something is wrong there. */
function wrongIn({ file, description }: DescribedSide): string[] {
  return description.problems().map(({ code, message, place }) => {
    const { line, column } = description.files.positionOf(place.file, place.start);
    const name = place.file === 0 ? file : description.files.all[place.file]?.name;
    return `${name}:${line}:${column} ${code} ${message}`;
  });
}

/** Says what is wrong in the files; gives whether anything is. */
function tellWrong({ wrong = [] }: Compared, { io }: Call<Options>): boolean {
  for (const one of wrong.slice(0, WRONG_MAX)) io.err(`${one}\n`);
  const rest = wrong.length - WRONG_MAX;
  if (rest > 0) io.err(`… and ${rest} more\n`);
  if (wrong.length > 0) io.err("lacuna: what these places mean is not compared\n");
  return wrong.length > 0;
}

function print(diff: Diff, { io, paint, options }: Call<Options>): void {
  if (options.format === "json") io.out(diffJson(diff));
  else if (options.format === "markdown") io.out(diffMarkdown(diff));
  else io.out(diffText(diff, paint));
}

/** With lines on what is wrong in the files, if anything is. */
interface Compared extends Diff {
  readonly wrong?: readonly string[];
}

const WRONG_MAX = 5;

/** Compares what was named; or an exit code. Takes the inputs away: they can be large. */
function compared(
  inputs: Input[],
  judge: Side | undefined,
  call: Call<Options>,
): Compared | number {
  const kinds = inputs.map(isDescription);
  if (kinds[0] !== kinds[1]) {
    const [described, document] = kinds[0] === true ? inputs : inputs.toReversed();
    const [one, other] = [described?.file, document?.file];
    return refuse(
      call.io,
      `${one} is a file in another notation, and ${other} a document of nine parts`,
      `make a document of it first: \`lacuna import ${one}\``,
    );
  }
  if (kinds[0] === true) {
    const before = describedSide(inputs.shift() as Input, call);
    if (typeof before === "number") return before;
    const now = describedSide(inputs.shift() as Input, call);
    if (typeof now === "number") return now;
    const found = describedDiff(before, now, judge);
    // Last: references are followed when something is compared.
    return { ...found, wrong: [before, now].flatMap(wrongIn) };
  }
  const before = sideOf(inputs.shift() as Input, call);
  if (typeof before === "number") return before;
  const now = sideOf(inputs.shift() as Input, call);
  return typeof now === "number" ? now : diffOf(before, now, judge);
}

async function run(call: Call<Options>): Promise<number> {
  const { io, args, options } = call;
  if (!FORMATS.includes(options.format)) {
    return refuse(io, `there is no format \`${options.format}\`; there are ${FORMATS.join(", ")}`);
  }
  const [old = "", own = ""] = args;
  if ([old, own, options.rules].filter((each) => each === "-").length > 1) {
    return refuse(io, "`-` can be named once");
  }
  const judge = await judgeOf(call);
  if (typeof judge === "number") return judge;
  const inputs: Input[] = [];
  for (const file of [old, own]) {
    const input = await readInput(io, file);
    if (typeof input === "string") return refuse(io, input);
    inputs.push(input);
  }
  const diff = compared(inputs, judge, call);
  if (typeof diff === "number") return diff;
  print(diff, call);
  for (const one of diff.unnamed) {
    io.err(`lacuna: no kind of change names this, which is a fault of lacuna: ${one}\n`);
  }
  if (tellWrong(diff, call) || diff.unnamed.length > 0) return ERRORS;
  return diff.entries.some(({ verdict }) => verdict === "breaking") ? ERRORS : DONE;
}

export const diff: CommandModule<Options> = { define, run };
