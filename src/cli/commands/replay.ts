/** `lacuna replay`: makes requests again that were answered wrongly, and says what became of it. */
import { randomBytes } from "node:crypto";
import type { Command } from "commander";
import { plan as compile, occurrencesOf } from "../../check/index.ts";
import {
  Client,
  type Replayed,
  type ReplayFile,
  readReplay,
  readTold,
  replayAgain,
  Session,
} from "../../verify/index.ts";
import { type Call, type CommandModule, DONE, ERRORS, examples, refuse } from "../command.ts";
import { readInput } from "../files.ts";
import { ASSUME, obstacles, readReport } from "../pipeline.ts";
import { refuseReport } from "../refusal.ts";
import { counted } from "../render/wrap.ts";
import { digestOf } from "../replays.ts";

interface Options {
  readonly spec?: string;
  readonly assume?: string;
  readonly given?: string;
  readonly format: string;
}

/** It cannot be told. */
const UNTOLD = 3;
const TAG_BYTES = 4;
const MICROS_OF_MILLI = 1000;

function define(command: Command): void {
  command
    .description(
      "Makes the requests of a replay again, which `lacuna verify --replays` has written, with " +
        "data of their own, and says whether the last answer is still wrong: fixed, still " +
        "broken, drifted (neither as expected nor as it was) or unstated.",
    )
    .argument("<file>", "a replay; `-` is the standard input")
    .argument("[url]", "where the service is now, if elsewhere")
    .option("--spec <file>", "judges by this document instead of what was expected then")
    .option(...ASSUME)
    .option("--given <file>", "JSON with the settings and the rows at the start of the service")
    .option("--format <format>", "text, json", "text")
    .addHelpText(
      "after",
      `${examples(
        ["lacuna replay replays/1-get-todos-id.json", "where it was found"],
        ["lacuna replay FILE http://127.0.0.1:8080", "elsewhere"],
        ["lacuna replay FILE --spec spec.md", "by what the document states now"],
      )}
Exit codes: 0 fixed, 1 still broken, 2 wrong use, 3 it cannot be told: drifted, unstated, no answer.
`,
    );
}

type Judging = { readonly session: Session; readonly isChanged: boolean };

/** The session that judges by a document; a number: the exit code where there is none. */
async function judging(
  file: ReplayFile,
  tag: string,
  call: Call<Options>,
): Promise<Judging | undefined | number> {
  const { io, options } = call;
  if (options.spec === undefined) return undefined;
  const report = await readReport(io, options.spec, options.assume);
  if (typeof report === "string") return refuse(io, report);
  const planned = compile(report.checked);
  if (planned === undefined) {
    refuseReport(report, obstacles(report.checked), call);
    return UNTOLD;
  }
  const { plan } = planned;
  const given = options.given === undefined ? undefined : await readInput(io, options.given);
  if (typeof given === "string") return refuse(io, given);
  const told = readTold(plan, given === undefined ? "{}" : new TextDecoder().decode(given.bytes));
  if (!("settings" in told)) return refuse(io, ...told.map((one) => `${options.given}: ${one}`));
  const session = new Session(plan, {
    tag,
    settings: told.settings,
    given: told.rows,
    occurring: occurrencesOf(report.checked.service),
    hasPast: true,
    now: BigInt(Math.round((performance.timeOrigin + performance.now()) * MICROS_OF_MILLI)),
  });
  return { session, isChanged: digestOf(report) !== file.document.sha256 };
}

async function run(call: Call<Options>): Promise<number> {
  const { io, args, options } = call;
  const [name = ""] = args;
  if (options.format !== "text" && options.format !== "json") {
    return refuse(io, `there is no format \`${options.format}\`; there are text, json`);
  }
  const input = await readInput(io, name);
  if (typeof input === "string") return refuse(io, input);
  const file = readReplay(new TextDecoder().decode(input.bytes));
  if (typeof file === "string") return refuse(io, `${name}: ${file}`);
  const address = args[1] ?? file.url;
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return refuse(io, `\`${address}\` is no address such as http://127.0.0.1:8080`);
  }
  const tag = `v${randomBytes(TAG_BYTES).toString("hex")}`;
  const by = await judging(file, tag, call);
  if (typeof by === "number") return by;
  const client = new Client(url);
  try {
    const replayed = await replayAgain(file, client, { tag, ...(by && { session: by.session }) });
    if (options.format === "json") io.out(jsonOf(replayed, file, address));
    else io.out(textOf(replayed, { file, address, isChanged: by?.isChanged === true }, call));
    if (replayed.is === "fixed") return DONE;
    return replayed.is === "still broken" ? ERRORS : UNTOLD;
  } finally {
    client.close();
  }
}

function jsonOf({ is, why, exchanges }: Replayed, file: ReplayFile, address: string): string {
  const last = exchanges.at(file.race?.wrong ?? -1);
  const answered = last && { status: last.answer.status, body: last.answer.body ?? null };
  const told = { verdict: is, why, address, requests: exchanges.length, answered };
  return `${JSON.stringify(told, null, 2)}\n`;
}

interface Told {
  readonly file: ReplayFile;
  readonly address: string;
  readonly isChanged: boolean;
}

function textOf(
  { is, why, exchanges }: Replayed,
  { file, address, isChanged }: Told,
  { paint, io }: Call<Options>,
): string {
  const word = is === "fixed" ? paint.good(is) : is === "still broken" ? paint.error(is) : is;
  const cut = (text: string): string =>
    text.length > io.columns ? `${text.slice(0, io.columns - 1)}…` : text;
  const answer = exchanges.at(file.race?.wrong ?? -1)?.answer;
  const { expected, seen, broken } = file;
  const lines = [
    `${paint.bold(word)}: ${why}`,
    ...broken.map(({ file: of, line, column, text }) => cut(`  ${of}:${line}:${column}  ${text}`)),
    ...exchanges.map(({ request, answer: { status } }) =>
      cut(`  ${status}  ${request.method} ${request.target}`),
    ),
    ...(answer === undefined ? [] : [cut(`  answered ${answer.status} ${answer.body ?? ""}`)]),
    cut(`  expected ${expected.status} ${expected.body ?? ""}`),
    cut(`  before   ${seen.status} ${seen.body ?? ""}`),
    ...(isChanged ? [paint.dim("The document has changed since.")] : []),
    paint.dim(`${counted(exchanges.length, "request")} at ${address}`),
  ];
  return `${lines.join("\n")}\n`;
}

export const replay: CommandModule<Options> = { define, run };
