/** `lacuna verify`: tests a running service against all that its document states. */
import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import type { Command } from "commander";
import { plan as compile, occurrencesOf } from "../../check/index.ts";
import { parseStatedDuration } from "../../expr/index.ts";
import { writtenDocument } from "../../openapi/index.ts";
import { type Session, verify as test } from "../../verify/index.ts";
import { type Call, type CommandModule, DONE, ERRORS, examples, refuse } from "../command.ts";
import { describeInput } from "../described.ts";
import { readInput } from "../files.ts";
import { interruptible } from "../interrupted.ts";
import type { Io } from "../io.ts";
import { isDescription } from "../notation.ts";
import { ASSUME, checkBytes, obstacles, readReport } from "../pipeline.ts";
import { refuseReport } from "../refusal.ts";
import { writeReplays } from "../replays.ts";
import { type DocumentReport, reportOn } from "../report/model.ts";
import { lookedAt, type Outcome } from "../report/verified/model.ts";
import {
  defineReports,
  type ReportOptions,
  writeReports,
  wrongReports,
} from "../report/verified/outputs.ts";
import { Panel } from "../report/verified/panel.ts";
import { toldIn, urlIn } from "../told.ts";

interface Options extends ReportOptions {
  readonly assume?: string;
  readonly given?: string;
  readonly seed: string;
  readonly requests: string;
  readonly seconds: string;
  readonly races: string;
  readonly shrink: string;
  readonly replays?: string;
  readonly breaks: string;
  readonly patience: string;
  readonly fresh?: boolean;
}

/** It could not be tested. */
const UNTESTED = 3;
const TAG_BYTES = 4;

function define(command: Command): void {
  command
    .description(
      "Tests a running service, in any language, against everything that its document states, " +
        "over HTTP alone, and says of each item: held, broken, not reached or unstated. What the " +
        "document leaves open is never held against a service. It makes data of its own there.",
    )
    .argument("<file>", "a document, or a file in OpenAPI or Swagger; `-` is the standard input")
    .argument("<url>", "where the service is: `http://127.0.0.1:8080`")
    .option(...ASSUME)
    .option("--given <file>", "JSON with the settings and the rows at the start of the service")
    .option("--seed <n>", "chooses the requests", "1")
    .option("--requests <n>", "at most so many", "3000")
    .option("--seconds <n>", "at most so long", "60")
    .option("--races <n>", "at most so many more for requests at the same time", "1000")
    .option("--shrink <n>", "at most so many more to show what is broken in fewer", "2000")
    .option("--replays <folder>", "writes a script and a file for each of these there")
    .option("--breaks <n>", "end after so many broken answers", "25")
    .option("--patience <time>", "how long is waited for what is to happen by itself", "5 s")
    .option("--fresh", "the service was just started: nobody has used what its limits let through");
  defineReports(command).addHelpText(
    "after",
    `${examples(
      ["lacuna verify spec.md http://127.0.0.1:8080", "for people"],
      ["lacuna verify spec.md URL --seed 7", "other requests"],
      ["lacuna verify spec.md URL --given told.json", "with what only the operator knows"],
      ["lacuna verify spec.md URL --format json", "for other tools"],
      ["lacuna verify spec.md URL --report html=page.html", "and as a page for a browser"],
    )}
Exit codes: 0 nothing is broken, 1 something is, 2 wrong use, 3 it could not be tested,
130 it was interrupted: the report says what was found up to then.
`,
  );
}

function numberIn(text: string, most: number): number | undefined {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return number >= 0 && number <= most ? number : undefined;
}

/** What is wrong with the options; undefined: nothing. */
function wrongIn(options: Options, url: string): string | undefined {
  const { seed, requests, seconds, breaks, races, shrink, patience } = options;
  if (urlIn(url) === undefined) return `\`${url}\` is no address such as http://127.0.0.1:8080`;
  if (parseStatedDuration(patience) === undefined) {
    return `\`--patience ${patience}\` is no time such as \`5 s\``;
  }
  for (const [name, text] of Object.entries({ seed, requests, seconds, breaks, races, shrink })) {
    const isRight = numberIn(text, 2 ** 32 - 1) !== undefined;
    if (!isRight) return `\`--${name} ${text}\` is no whole number from 0 on`;
  }
  return wrongReports(options);
}

/** The document in the file, or that of what a file in another notation states. */
async function reportIn(io: Io, file: string, assume?: string): Promise<DocumentReport | string> {
  if (file === "-") return readReport(io, file, assume);
  const input = await readInput(io, file);
  if (typeof input === "string") return input;
  if (!isDescription(input)) return readReport(io, file, assume);
  if (assume !== undefined) return "`--assume` is for documents, and this is no document";
  const described = describeInput(input);
  if ("code" in described) return `${file}: ${described.message}`;
  const text = writtenDocument(described, basename(file));
  return reportOn(`${file}, imported`, checkBytes(Buffer.from(text)));
}

async function run(call: Call<Options>): Promise<number> {
  const { io, args, options } = call;
  const [file = "", address = ""] = args;
  const wrong = wrongIn(options, address);
  if (wrong !== undefined) return refuse(io, wrong);
  const report = await reportIn(io, file, options.assume);
  if (typeof report === "string") return refuse(io, report);
  const planned = compile(report.checked);
  if (planned === undefined) {
    refuseReport(report, obstacles(report.checked), call);
    return UNTESTED;
  }
  const { plan, origins } = planned;
  const told = await toldIn(io, plan, options.given);
  if (!("settings" in told)) return refuse(io, ...told);
  const occurring = occurrencesOf(report.checked.service);
  const seed = Number(options.seed);
  const panel = new Panel(io, call.errPaint, origins);
  const { result: verified, code } = await interruptible(
    (signal) =>
      test(plan, urlIn(address) as URL, {
        seed,
        tag: `v${randomBytes(TAG_BYTES).toString("hex")}`,
        requestsMax: Number(options.requests),
        secondsMax: Number(options.seconds),
        racesMax: Number(options.races),
        shrinkMax: Number(options.shrink),
        breaksMax: Number(options.breaks),
        patienceMs: Number((parseStatedDuration(options.patience) ?? 0n) / 1000n),
        receiver: told.receiver,
        settings: told.settings,
        given: told.rows,
        occurring,
        isShared: options.fresh !== true,
        progress: (session) => panel.update(session),
        shrinking: (done, of) => panel.say(`showing what is broken in fewer: ${done + 1} of ${of}`),
        signal,
      }),
    () => panel.say("It is being stopped; press Ctrl-C again to end at once."),
  ).finally(() => panel.end());
  const showsSecrets = options.showSecrets === true;
  const found = { report, origins, verified, address, seed, told, occurring, showsSecrets };
  return (await say(found, call)) ?? code ?? (isBroken(verified.session) ? ERRORS : DONE);
}

function isBroken({ breaks, eventBreaks }: Session): boolean {
  return breaks.length + eventBreaks.length > 0;
}

/** Writes the reports; gives the exit code where that is not told by what was found. */
async function say(outcome: Outcome, call: Call<Options>): Promise<number | undefined> {
  const { verified, address } = outcome;
  const { session, ended, fault } = verified;
  const { io, options } = call;
  if (ended === "no answer") {
    io.err(`lacuna: ${address} gave no answer: ${fault}\n`);
    if (session.requests === 0) return UNTESTED;
  }
  const looked = lookedAt(outcome);
  const wrong = await writeReports(looked, call);
  if (wrong !== undefined) return refuse(io, wrong);
  const unwritten = options.replays === undefined ? [] : writeReplays(looked, options.replays);
  if (unwritten.length > 0) return refuse(io, ...unwritten);
  if (ended === "stopped") io.err("lacuna: it was interrupted; this is what was found so far\n");
  return ended === "no answer" && !isBroken(session) ? UNTESTED : undefined;
}

export const verify: CommandModule<Options> = { define, run };
