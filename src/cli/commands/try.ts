/** `lacuna try`: runs the `http` examples of a document against the service that it states. */
import type { Command } from "commander";
import { positionOf } from "../../base/index.ts";
import { plan as compile, type Planned } from "../../check/index.ts";
import { type Call, type CommandModule, DONE, ERRORS, examples, refuse } from "../command.ts";
import { readInput } from "../files.ts";
import type { Io } from "../io.ts";
import { originsOf } from "../origins.ts";
import { ASSUME, CODE, obstacles, readReport } from "../pipeline.ts";
import { refuseReport } from "../refusal.ts";
import { excerpt } from "../render/excerpt.ts";
import { counted } from "../render/wrap.ts";
import type { Report } from "../report/model.ts";
import { type Block, blocksIn, blocksOf } from "../trial/blocks.ts";
import type { Difference } from "../trial/exchange.ts";
import { isWrong, type Tried, triedJson, triedJunit } from "../trial/tried.ts";

interface Options {
  readonly rows?: string;
  readonly assume?: string;
  readonly code?: string;
  readonly examples?: string;
  readonly url?: string;
  readonly format: string;
}

const FORMATS = ["text", "json", "junit"];
const BODY_SHOWN_MAX = 400;

function define(command: Command): void {
  command
    .description(
      "Runs the `http` examples of a document, each against a service of its own that starts " +
        "empty,\nand says where an answer is otherwise than the example says. The clock moves " +
        "as the example says.",
    )
    .argument("<file>", "a document; `-` is the standard input")
    .option("--rows <file>", "JSON with the rows that are given when the service starts")
    .option(...ASSUME)
    .option(...CODE)
    .option("--examples <file>", "Markdown with more `http` blocks, run behind the document's")
    .option("--url <url>", "ask a service that runs there, of whatever make")
    .option("--format <format>", FORMATS.join(", "), "text")
    .addHelpText(
      "after",
      `${examples(
        ["lacuna try spec.md", "all examples of the document"],
        ["lacuna try spec.md --assume a.md", "with answers for what is not shown"],
        ["lacuna try spec.md --code calls.mjs", "with the code that it calls"],
        ["lacuna try spec.md --examples more.md", "and the examples of another file"],
        ["lacuna try spec.md --url http://localhost:3000", "against any service"],
        ["lacuna try spec.md --format junit > try.xml", "for continuous integration"],
      )}
Without --code each call says its stand-in.
A setting of the document is taken from the environment: LACUNA_SETTING_NAME.
Exit codes: 0 as the examples say, 1 otherwise or errors in the document, 2 wrong use.
`,
    );
}

interface Ready {
  readonly planned: Planned;
  readonly report: Report;
  readonly startRows?: string;
  readonly blocks: readonly Block[];
}

/** Why the options do not go together; undefined: they do. */
function oddOptions({ url, rows, code, format }: Options): string | undefined {
  if (!FORMATS.includes(format)) {
    return `there is no format \`${format}\`; there are ${FORMATS.join(", ")}`;
  }
  if (url === undefined) return undefined;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    return `\`${url}\` is no address; write such as http://localhost:3000`;
  }
  if (rows === undefined && code === undefined) return undefined;
  return "--rows and --code are for a service of its own: with --url there is none";
}

async function prepare(call: Call<Options>): Promise<Ready | number> {
  const { io, options, args } = call;
  const odd = oddOptions(options);
  if (odd !== undefined) return refuse(io, odd);
  const named = [args[0], options.assume, options.rows, options.examples];
  if (named.filter((each) => each === "-").length > 1) {
    return refuse(io, "`-` can be named once");
  }
  const report = await readReport(io, args[0] ?? "", options.assume);
  if (typeof report === "string") return refuse(io, report);
  const rows = options.rows === undefined ? undefined : await readInput(io, options.rows);
  if (typeof rows === "string") return refuse(io, rows);
  const more = options.examples === undefined ? [] : await moreBlocks(io, options.examples);
  if (typeof more === "string") return refuse(io, more);
  const planned = compile(report.checked);
  if (planned === undefined) {
    refuseReport(report, obstacles(report.checked), call);
    return ERRORS;
  }
  const given = rows === undefined ? {} : { startRows: new TextDecoder().decode(rows.bytes) };
  return { planned, report, blocks: [...blocksOf(planned, report), ...more], ...given };
}

async function moreBlocks(io: Io, file: string): Promise<Block[] | string> {
  const input = await readInput(io, file);
  return typeof input === "string" ? input : blocksIn(input);
}

function printDifference(
  { io, paint }: Call<Options>,
  { start, source }: Block,
  { message, at, body }: Difference,
): void {
  const span = { start: start + at.start, end: start + at.end };
  const { file, text, table } = source;
  const { line, column } = positionOf(table, span.start);
  const margin = String(line).length;
  const lines = excerpt(text, table, span, {
    columns: io.columns - margin - 3,
    margin,
    mark: paint.error,
    dim: paint.dim,
  });
  io.out(`\n  ${paint.code(`${file}:${line}:${column}`)}\n${lines.join("\n")}\n  ${message}\n`);
  if (body !== undefined && body !== "") {
    io.out(`  ${paint.dim(body.replace(/\s+/g, " ").slice(0, BODY_SHOWN_MAX))}\n`);
  }
}

/** Plays each example, and tells of each as soon as it is known. */
async function playAll(
  call: Call<Options>,
  { planned, report, startRows, blocks }: Ready,
  tell: (one: Tried) => void,
): Promise<readonly Tried[]> {
  const { url, code } = call.options;
  const { play, playAt, whyNotPlayed } = await import("../trial/play.ts");
  const options = {
    origins: originsOf(report, planned),
    environment: call.io.env,
    ...(startRows === undefined ? {} : { startRows }),
    ...(code === undefined ? {} : { code }),
  };
  const all: Tried[] = [];
  for (const block of blocks) {
    const { text } = block;
    const reason = url === undefined ? undefined : whyNotPlayed(text);
    const play_ = () => (url === undefined ? play(planned.plan, text, options) : playAt(url, text));
    const one = reason === undefined ? { block, played: await play_() } : { block, reason };
    all.push(one);
    tell(one);
  }
  return all;
}

function printOne(call: Call<Options>, { block, played, reason }: Tried): void {
  const { io, paint } = call;
  const { title } = block;
  if (played === undefined) {
    io.out(`${paint.dim("–")} ${title} ${paint.dim(`not run: ${reason}`)}\n`);
    return;
  }
  const { right, exchanges, difference, notes } = played;
  if (difference === undefined) {
    io.out(`${paint.good("✓")} ${title} ${paint.dim(counted(exchanges, "exchange"))}\n`);
    return;
  }
  io.out(`${paint.error("✗")} ${title} ${paint.dim(`exchange ${right + 1} of ${exchanges}`)}\n`);
  printDifference(call, block, difference);
  for (const note of notes) io.out(`  ${note}\n`);
  io.out("\n");
}

/** The last line: how many went how. */
function sumOf(all: readonly Tried[]): string {
  const wrong = all.filter(isWrong).length;
  const left = all.filter(({ played }) => played === undefined).length;
  const examples = counted(all.length, "example");
  const tail = left === 0 ? "" : `, ${left} not run`;
  return wrong === 0
    ? `${examples}${left === 0 ? " as stated" : `: ${all.length - left} as stated`}${tail}\n`
    : `${examples}, ${wrong} not answered as stated${tail}\n`;
}

async function playReport(call: Call<Options>, ready: Ready): Promise<number> {
  const { io, options } = call;
  const isText = options.format === "text";
  const all = await playAll(call, ready, (one) => isText && printOne(call, one));
  if (options.format === "json") io.out(triedJson(all));
  else if (options.format === "junit") io.out(triedJunit(all));
  else io.out(sumOf(all));
  return all.some(isWrong) ? ERRORS : DONE;
}

async function run(call: Call<Options>): Promise<number> {
  const { io } = call;
  const ready = await prepare(call);
  if (typeof ready === "number") return ready;
  if (ready.blocks.length === 0 && call.options.format === "text") {
    io.out("The document has no example: no fenced block begins with `http` and a title.\n");
    return DONE;
  }
  const { CannotServe } = await import("../../serve/index.ts");
  try {
    return await playReport(call, ready);
  } catch (error) {
    if (error instanceof CannotServe) return refuse(io, ...error.reasons);
    throw error;
  }
}

export const try_: CommandModule<Options> = { define, run };
