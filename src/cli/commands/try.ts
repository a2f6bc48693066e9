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
import type { Played } from "../trial/play.ts";

interface Options {
  readonly rows?: string;
  readonly assume?: string;
  readonly code?: string;
  readonly examples?: string;
}

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
    .addHelpText(
      "after",
      `${examples(
        ["lacuna try spec.md", "all examples of the document"],
        ["lacuna try spec.md --assume a.md", "with answers for what is not shown"],
        ["lacuna try spec.md --code calls.mjs", "with the code that it calls"],
        ["lacuna try spec.md --examples more.md", "and the examples of another file"],
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

async function prepare(call: Call<Options>): Promise<Ready | number> {
  const { io, options, args } = call;
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

async function playAll(call: Call<Options>, ready: Ready): Promise<number> {
  const { io, paint } = call;
  const { planned, report, startRows, blocks } = ready;
  const { play } = await import("../trial/play.ts");
  const options = {
    origins: originsOf(report, planned),
    environment: io.env,
    ...(startRows === undefined ? {} : { startRows }),
    ...(call.options.code === undefined ? {} : { code: call.options.code }),
  };
  let wrong = 0;
  for (const block of blocks) {
    const { title, text } = block;
    const played: Played = await play(planned.plan, text, options);
    const { right, exchanges, difference, notes } = played;
    if (difference === undefined) {
      io.out(`${paint.good("✓")} ${title} ${paint.dim(counted(exchanges, "exchange"))}\n`);
      continue;
    }
    wrong++;
    io.out(`${paint.error("✗")} ${title} ${paint.dim(`exchange ${right + 1} of ${exchanges}`)}\n`);
    printDifference(call, block, difference);
    for (const note of notes) io.out(`  ${note}\n`);
    io.out("\n");
  }
  const all = counted(blocks.length, "example");
  io.out(wrong === 0 ? `${all} as stated\n` : `${all}, ${wrong} not answered as stated\n`);
  return wrong === 0 ? DONE : ERRORS;
}

async function run(call: Call<Options>): Promise<number> {
  const { io } = call;
  const ready = await prepare(call);
  if (typeof ready === "number") return ready;
  if (ready.blocks.length === 0) {
    io.out("The document has no example: no fenced block begins with `http` and a title.\n");
    return DONE;
  }
  const { CannotServe } = await import("../../serve/index.ts");
  try {
    return await playAll(call, ready);
  } catch (error) {
    if (error instanceof CannotServe) return refuse(io, ...error.reasons);
    throw error;
  }
}

export const try_: CommandModule<Options> = { define, run };
