/** `lacuna check`: says what each document states, and what is wrong, silent or not shown. */
import type { Command } from "commander";
import { type Call, type CommandModule, DONE, ERRORS, examples, refuse } from "../command.ts";
import { describedReport } from "../described.ts";
import { encodedLike, type Input, readInputs, replaceFile } from "../files.ts";
import { fitToBytes } from "../heap.ts";
import { mended } from "../mend.ts";
import { isDescription } from "../notation.ts";
import { ASSUME, readReport, reportsOf } from "../pipeline.ts";
import { counted } from "../render/wrap.ts";
import { fails, type Report } from "../report/model.ts";

interface Options {
  readonly format: string;
  readonly complete?: boolean;
  readonly fix?: boolean;
  readonly all?: boolean;
  readonly review?: boolean;
  readonly assume?: string;
  readonly watch?: boolean;
}

const CLEARED = "\u001b[2J\u001b[3J\u001b[H";
const WATCHING = "\nIt is checked again at each change. Ctrl-C ends.\n";
const FORMATS = ["text", "json", "sarif", "github", "markdown", "unix"];

function define(command: Command): void {
  command
    .description(
      "Says for each document what its nine parts state, and what is wrong, silent or not shown.",
    )
    .argument("<file...>", "documents; `-` is the standard input")
    .option("--format <format>", FORMATS.join(", "), "text")
    .option("--complete", "fail on anything that is not shown, too")
    .option("--fix", "write `not shown` for what is silent, and nothing else")
    .option("--all", "show every finding, however many are alike")
    .option("--review", "ask what a careful reviewer would ask, too; never an error")
    .option("--watch", "check again when a file is changed, until Ctrl-C")
    .option(...ASSUME)
    .addHelpText(
      "after",
      `${examples(
        ["lacuna check spec.md", "for people"],
        ["lacuna check spec.md --assume a.md", "what is open still, and what is assumed"],
        ["lacuna check --review spec.md", "questions of judgement, too"],
        ["lacuna check --complete spec.md", "exit code 1 while a gap is left"],
        ["lacuna check --fix spec.md", "record what nobody has answered"],
        ["lacuna check --format json *.md", "for other tools (docs/schema/check.schema.json)"],
        ["lacuna check --watch spec.md", "again at each change, while you write"],
        ["cat spec.md | lacuna check -", "from the standard input"],
      )}
Exit codes: 0 no errors (with --complete: and no gaps), 1 errors, 2 wrong use; with --watch
that of the last check.
`,
    );
}

/** The report in pieces: all of it can be larger than what it is about. */
async function pieces(reports: readonly Report[], call: Call<Options>): Promise<Iterable<string>> {
  const { format, complete = false, all = false } = call.options;
  if (format === "json") return (await import("../report/json.ts")).jsonReport(reports);
  if (format === "sarif") return (await import("../report/sarif.ts")).sarifReport(reports);
  if (format === "unix") return (await import("../report/unix.ts")).unixReport(reports);
  if (format === "github") return (await import("../report/github.ts")).githubReport(reports);
  if (format === "markdown") {
    return [(await import("../report/markdown.ts")).markdownReport(reports, complete)];
  }
  const { textReport } = await import("../report/terminal.ts");
  const { columns } = call.io;
  return [textReport(reports, { paint: call.paint, columns, all, complete })];
}

async function print(reports: readonly Report[], call: Call<Options>): Promise<void> {
  for (const piece of await pieces(reports, call)) call.io.out(piece);
}

function fixMessage(recorded: number, left: number, unread: number): string {
  if (unread > 0) {
    return (
      `left as it is: mend the ${counted(unread, "error")} of reading first, or what ` +
      "stands there would be recorded as not shown"
    );
  }
  const rest = left === 0 ? "" : `; ${left} left, answer them by hand`;
  return `${counted(recorded, "silent point")} recorded as not shown${rest}`;
}

/** The reports on documents and descriptions, in their order; empties the list. */
function takenReports(taken: Input[], { io, options }: Call<Options>): Report[] {
  const reports: Report[] = [];
  while (taken.length > 0) {
    const input = taken.shift() as Input;
    if (isDescription(input)) reports.push(describedReport(input));
    else reports.push(...reportsOf(io, [input], options));
  }
  return reports;
}

/** Writes the mended document back; a message for people goes to standard error. */
function fix(input: Input, call: Call<Options>): Input | string {
  const { io } = call;
  const { text, recorded, left, unread } = mended(input.bytes);
  const bytes = recorded === 0 ? input.bytes : encodedLike(input.bytes, text);
  if (input.file === "-") io.out(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  else if (recorded > 0) {
    const wrong = replaceFile(input.file, bytes);
    if (wrong !== undefined) return wrong;
  }
  io.err(`lacuna: ${input.file}: ${fixMessage(recorded, left, unread)}\n`);
  return { file: input.file, bytes };
}

/** The report on one document with its assumptions. */
async function runAssumed(call: Call<Options>, assume: string): Promise<number> {
  const { io, args, options } = call;
  if (args.length > 1) return refuse(io, "`--assume` goes with one document");
  if (options.fix === true) return refuse(io, "name `--fix` or `--assume`, not both");
  const report = await readReport(io, args[0] ?? "", assume, options);
  if (typeof report === "string") return refuse(io, report);
  await print([report], call);
  return fails(report.checked, options.complete ?? false) ? ERRORS : DONE;
}

/** Checks at each change until it is ended; gives what the last check gave. */
async function watch(call: Call<Options>): Promise<number> {
  const { io, args, options, paint } = call;
  if (args.includes("-") || options.assume === "-") {
    return refuse(io, "`--watch` looks at files, and `-` is none");
  }
  if (options.fix === true) return refuse(io, "name `--fix` or `--watch`, not both");
  const files = [...args, ...(options.assume === undefined ? [] : [options.assume])];
  const { lookAt, watchFiles } = await import("../watch.ts");
  const watched = lookAt(files);
  let code = await once(call);
  if (code !== DONE && code !== ERRORS) return code;
  let ready = Promise.resolve();
  const again = async (): Promise<void> => {
    // On a terminal each report stands alone; elsewhere one follows the other.
    if (io.isTerminal) io.out(CLEARED);
    code = await once(call);
    if (io.isTerminal) io.err(paint.dim(WATCHING));
  };
  const stop = watchFiles(watched, () => {
    ready = ready.then(again);
  });
  if (io.isTerminal) io.err(paint.dim(WATCHING));
  await new Promise<void>((resolve) => {
    process.removeAllListeners("SIGINT");
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  stop();
  await ready;
  return code;
}

const run = (call: Call<Options>): Promise<number> =>
  call.options.watch === true ? watch(call) : once(call);

async function once(call: Call<Options>): Promise<number> {
  const { io, options } = call;
  if (!FORMATS.includes(options.format)) {
    return refuse(io, `there is no format \`${options.format}\`; there are ${FORMATS.join(", ")}`);
  }
  if (call.args.filter((file) => file === "-").length > 1) {
    return refuse(io, "`-` can be named once");
  }
  if (options.assume !== undefined) return runAssumed(call, options.assume);
  const inputs = await readInputs(io, call.args);
  // No name for the first: it would be kept.
  if (typeof inputs[0] !== "object") return refuse(io, ...(inputs as string[]));
  const complete = options.complete ?? false;
  const taken = inputs as Input[];
  const bytes = taken.reduce((sum, each) => sum + each.bytes.length, 0);
  fitToBytes(bytes, taken.every(isDescription) ? "descriptions" : "documents");
  if (options.fix !== true) {
    const reports = takenReports(taken, call);
    await print(reports, call);
    return reports.some((each) => fails(each.checked, complete)) ? ERRORS : DONE;
  }
  const described = taken.find(isDescription);
  if (described !== undefined) {
    return refuse(io, `${described.file}: \`--fix\` mends documents of nine parts alone`);
  }
  const fixed = taken.map((input) => fix(input, call));
  const wrong = fixed.filter((each) => typeof each === "string");
  if (wrong.length > 0) return refuse(io, ...wrong);
  const after = reportsOf(io, fixed as Input[], options);
  // The document itself is what the standard output is for when it came by the standard input.
  if (!call.args.includes("-")) await print(after, call);
  return after.some((each) => fails(each.checked, complete)) ? ERRORS : DONE;
}

export const check: CommandModule<Options> = { define, run };
