/** `lacuna verify`: tests a running service against all that its document states. */
import { randomBytes } from "node:crypto";
import type { Command } from "commander";
import { plan as compile, occurrencesOf } from "../../check/index.ts";
import type { Plan } from "../../plan/index.ts";
import { readTold, type Told, verify as test } from "../../verify/index.ts";
import { type Call, type CommandModule, DONE, ERRORS, examples, refuse } from "../command.ts";
import { readInput } from "../files.ts";
import type { Io } from "../io.ts";
import { ASSUME, obstacles, readReport } from "../pipeline.ts";
import { refuseReport } from "../refusal.ts";
import type { DocumentReport } from "../report/model.ts";
import { type Outcome, verifiedJson, verifiedText } from "../report/verified.ts";

interface Options {
  readonly assume?: string;
  readonly given?: string;
  readonly seed: string;
  readonly requests: string;
  readonly seconds: string;
  readonly format: string;
  readonly all?: boolean;
}

/** It could not be tested. */
const UNTESTED = 3;
const TAG_BYTES = 4;
const BEGIN_LINE = "\r\u001b[2K";
const NOTHING: Told = { settings: new Map(), rows: new Map() };

function define(command: Command): void {
  command
    .description(
      "Tests a running service, in any language, against everything that its document states, " +
        "over HTTP alone, and says of each item: held, broken, not reached or unstated. What the " +
        "document leaves open is never held against a service. It makes data of its own there.",
    )
    .argument("<file>", "a document; `-` is the standard input")
    .argument("<url>", "where the service is: `http://127.0.0.1:8080`")
    .option(...ASSUME)
    .option("--given <file>", "JSON with the settings and the rows at the start of the service")
    .option("--seed <n>", "chooses the requests", "1")
    .option("--requests <n>", "at most so many", "3000")
    .option("--seconds <n>", "at most so long", "60")
    .option("--format <format>", "text, json", "text")
    .option("--all", "show every item, those that were held, too")
    .addHelpText(
      "after",
      `${examples(
        ["lacuna verify spec.md http://127.0.0.1:8080", "for people"],
        ["lacuna verify spec.md URL --seed 7", "other requests"],
        ["lacuna verify spec.md URL --given told.json", "with what only the operator knows"],
        ["lacuna verify spec.md URL --format json", "for other tools"],
      )}
Exit codes: 0 nothing is broken, 1 something is, 2 wrong use, 3 it could not be tested.
`,
    );
}

function numberIn(text: string, most: number): number | undefined {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return number >= 0 && number <= most ? number : undefined;
}

function urlIn(text: string): URL | undefined {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
}

async function toldIn(io: Io, plan: Plan, file: string | undefined): Promise<Told | string[]> {
  if (file === undefined) return NOTHING;
  const input = await readInput(io, file);
  if (typeof input === "string") return [input];
  const told = readTold(plan, new TextDecoder().decode(input.bytes));
  return "settings" in told ? told : told.map((reason) => `${file}: ${reason}`);
}

/** What is wrong with the options; undefined: nothing. */
function wrongIn(options: Options, url: string): string | undefined {
  const { format, seed, requests, seconds } = options;
  if (urlIn(url) === undefined) return `\`${url}\` is no address such as http://127.0.0.1:8080`;
  if (format !== "text" && format !== "json") {
    return `there is no format \`${format}\`; there are text, json`;
  }
  for (const [name, text] of Object.entries({ seed, requests, seconds })) {
    const isRight = numberIn(text, 2 ** 32 - 1) !== undefined;
    if (!isRight) return `\`--${name} ${text}\` is no whole number from 0 on`;
  }
  return undefined;
}

async function run(call: Call<Options>): Promise<number> {
  const { io, args, options } = call;
  const [file = "", address = ""] = args;
  const wrong = wrongIn(options, address);
  if (wrong !== undefined) return refuse(io, wrong);
  const report = await readReport(io, file, options.assume);
  if (typeof report === "string") return refuse(io, report);
  const planned = compile(report.checked);
  if (planned === undefined) {
    refuseReport(report, obstacles(report.checked), call);
    return UNTESTED;
  }
  const { plan, origins } = planned;
  const told = await toldIn(io, plan, options.given);
  if (!("settings" in told)) return refuse(io, ...told);
  const verified = await test(plan, urlIn(address) as URL, {
    seed: Number(options.seed),
    tag: `v${randomBytes(TAG_BYTES).toString("hex")}`,
    requestsMax: Number(options.requests),
    secondsMax: Number(options.seconds),
    settings: told.settings,
    given: told.rows,
    occurring: occurrencesOf(report.checked.service),
    progress: progressOn(io),
  });
  if (io.isErrTerminal) io.err(BEGIN_LINE);
  if (verified.ended === "no answer") {
    io.err(`lacuna: ${address} gave no answer: ${verified.fault}\n`);
    return UNTESTED;
  }
  const outcome: Outcome = { report, origins, verified, address, seed: Number(options.seed) };
  print(outcome, report, call);
  return verified.breaks.length === 0 ? DONE : ERRORS;
}

function progressOn(io: Io): (requests: number, broken: number) => void {
  if (!io.isErrTerminal) return () => {};
  return (requests, broken) =>
    io.err(`${BEGIN_LINE}${requests} requests, ${broken} broken answers …`);
}

function print(outcome: Outcome, _: DocumentReport, { io, options, paint }: Call<Options>): void {
  if (options.format === "json") io.out(verifiedJson(outcome));
  else io.out(verifiedText(outcome, { paint, columns: io.columns, all: options.all === true }));
}

export const verify: CommandModule<Options> = { define, run };
