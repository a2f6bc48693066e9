/** `lacuna serve`: runs the service that a document states, until it is told to stop. */
import { mkdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import { plan as compile } from "../../check/index.ts";
import type { Plan } from "../../plan/index.ts";
import {
  CannotServe,
  type HostBounds,
  serve as start,
  startThread,
  type Thread,
} from "../../serve/index.ts";
import { boundsOf } from "../bounds.ts";
import { type Call, type CommandModule, DONE, ERRORS, examples, refuse } from "../command.ts";
import { readInput } from "../files.ts";
import { fitToOneRun, fitToService } from "../heap.ts";
import { originsOf } from "../origins.ts";
import { CODE, obstacles, readReport } from "../pipeline.ts";
import { refuseReport } from "../refusal.ts";
import { counted } from "../render/wrap.ts";
import { sampleRequest } from "../sample.ts";

interface Options {
  readonly port: string;
  readonly host: string;
  readonly data?: string;
  readonly memory?: boolean;
  readonly rows?: string;
  readonly log?: boolean;
  readonly assume?: string;
  readonly shake?: string;
  readonly code?: string;
  readonly standIn?: boolean;
  readonly allowPrivateReceivers?: boolean;
  readonly bound: readonly string[];
}

const PORT_DEFAULT = 8080;
const PORT_MAX = 65_535;
const INTERRUPTED = 130;
/** An internal fault, EX_SOFTWARE of sysexits.h: who supervises the service starts it again. */
const FAILED = 70;
const FOLDER = ".lacuna";

function define(command: Command): void {
  command
    .description(
      "Runs the service that a document states, on a durable database. What is not shown or " +
        "silent is answered with 501 and the gap that was met. Ctrl-C stops it when the " +
        "requests that run are answered; a second Ctrl-C stops it at once.",
    )
    .argument("<file>", "a document; `-` is the standard input")
    .option("--port <n>", "port; 0 takes a free one", String(PORT_DEFAULT))
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--data <path>", `the database; else ${FOLDER}/ in the current folder`)
    .option("--memory", "keep nothing: everything is gone when the service stops")
    .option("--rows <file>", "JSON with the rows that are given when the service starts")
    .option("--log", "a line for each request on standard error")
    .option("--assume <file>", "assumptions that fill gaps; answers they touch say so")
    .option("--allow-private-receivers", "send events to addresses of this host's own network too")
    .option("--shake <seed>", "vary what the document leaves free, by this seed")
    .option(...CODE)
    .option(
      "--bound <name=n>",
      "set a bound of the host itself, such as `body-bytes=67108864`; may be named several times",
      (one: string, all: readonly string[]) => [...all, one],
      [] as readonly string[],
    )
    .option("--stand-in", "in tests: stand-ins answer calls behind which no code is")
    .addHelpText(
      "after",
      `${examples(
        ["lacuna serve spec.md", "at port 8080, in .lacuna/"],
        ["lacuna serve spec.md --port 0 --memory", "to try it"],
        ["lacuna serve spec.md --assume a.md", "with answers for what is not shown"],
        ["lacuna serve spec.md --code calls.mjs", "with the code that it calls"],
        ["lacuna serve spec.md --data /var/lib/orders.sqlite", "where the data shall stay"],
      )}
A setting of the document is taken from the environment: LACUNA_SETTING_NAME.
The database is named after the document; \`spec.md\` after the folder it is in.
Exit codes: 0 stopped, 1 errors other than silence in the document, 2 wrong use,
70 nothing can be written any more: start it again.
`,
    );
}

/** Name of the database for a document. */
export function dataName(file: string): string {
  if (file === "-") return "stdin";
  const name = basename(file).replace(/\.(md|markdown)$/i, "");
  return name === "spec" ? basename(dirname(resolve(file))) || name : name;
}

/** What is wrong with the options, or nothing. */
function wrongOptions(options: Options): string | undefined {
  const { port, memory, data } = options;
  if (!/^\d{1,5}$/.test(port) || Number(port) > PORT_MAX) {
    return `\`${port}\` is no port; a port is a number from 0 to ${PORT_MAX}`;
  }
  if (memory === true && data !== undefined) return "name `--data` or `--memory`, not both";
  const bounds = boundsOf(options.bound);
  return typeof bounds === "string" ? bounds : undefined;
}

/** The file of the database, its folder made; undefined for none. */
function dataFile(file: string, { data, memory }: Options): string | undefined {
  if (memory === true) return undefined;
  const path = data ?? join(FOLDER, `${dataName(file)}.sqlite`);
  mkdirSync(dirname(resolve(path)), { recursive: true });
  return path;
}

/** What the document does not say, and how much of it answers depend on. */
export function gapLine(plan: Plan): string {
  const silent = plan.gaps.filter((gap) => gap.silent).length;
  const blocking = plan.gaps.filter((gap) => gap.blocking).length;
  if (plan.gaps.length === 0) return "none: everything is said";
  const more = silent === 0 ? "" : `, ${silent} of them silent`;
  return `${counted(plan.gaps.length, "gap")}${more}; ${blocking} can be met, and answer 501`;
}

function callLine({ calls }: Plan, { code, standIn }: Options): string | undefined {
  if (calls.length === 0) return code && `none: ${code} is not used`;
  const all = counted(calls.length, "call");
  if (code !== undefined) return `${all}, by ${code}${standIn === true ? " and stand-ins" : ""}`;
  return standIn === true
    ? `${all}, by stand-ins`
    : `${all} without code, which answer 501: name it with --code`;
}

interface Started {
  readonly address: string;
  readonly ready: Ready;
  readonly data: string | undefined;
}

function announce(call: Call<Options>, { address, ready, data }: Started): void {
  const {
    io,
    paint,
    options: { shake },
  } = call;
  const { plan, assumed } = ready;
  const title = plan.title === "" ? "The service" : plan.title;
  const row = (label: string, text: string): string => `  ${paint.dim(label.padEnd(8))} ${text}\n`;
  io.out(`${paint.bold(title)} is served at ${paint.code(address)}\n\n`);
  io.out(
    row(
      "serves",
      plan.endpoints.length === 0
        ? "nothing: no endpoint is stated"
        : counted(plan.endpoints.length, "endpoint"),
    ),
  );
  io.out(row("gaps", gapLine(plan)));
  if (assumed !== undefined) io.out(row("assumed", assumed));
  const calls = callLine(plan, call.options);
  if (calls !== undefined) io.out(row("calls", calls));
  io.out(row("data", data ?? "in memory; it is gone when the service stops"));
  if (shake !== undefined) {
    io.out(row("shaken", `by \`${shake}\`: what is free varies, and secrets can be guessed`));
  }
  io.out(row("try", paint.good(sampleRequest(plan, address))));
  io.out(`\nCtrl-C stops it.\n`);
}

/** Waits for the signal to stop; a second one ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((stop) => {
    process.removeAllListeners("SIGINT");
    const first = (): void => {
      process.once("SIGINT", () => process.exit(INTERRUPTED));
      stop();
    };
    process.once("SIGINT", first);
    process.once("SIGTERM", first);
  });
}

/** What is needed to start. The checked document is not kept: it is larger than all the rest. */
interface Ready {
  readonly plan: Plan;
  /** JSON text: item to file, line and column. */
  readonly origins: string;
  readonly file: string;
  /** How many answers are assumed, and where. */
  readonly assumed: string | undefined;
  /** Text of the file that `--rows` names. */
  readonly rows: string | undefined;
}

/** Everything that is needed to start, or the exit code where something is wrong. */
async function prepare(call: Call<Options>): Promise<Ready | number> {
  const { io, options, args } = call;
  const report = await readReport(io, args[0] ?? "", options.assume);
  if (typeof report === "string") return refuse(io, report);
  const rows = options.rows === undefined ? undefined : await readInput(io, options.rows);
  if (typeof rows === "string") return refuse(io, rows);
  const planned = compile(report.checked);
  if (planned === undefined) {
    refuseReport(report, obstacles(report.checked), call);
    return ERRORS;
  }
  const {
    assumptions,
    checked: { assumed = [] },
  } = report;
  return {
    plan: planned.plan,
    origins: originsOf(report, planned),
    file: report.file,
    assumed: assumptions && `${counted(assumed.length, "answer")} of ${assumptions.file}`,
    rows: rows && new TextDecoder().decode(rows.bytes),
  };
}

/** The line for an operator about what kept the service from starting; a bug is thrown on. */
function refuseFault({ io, options }: Call<Options>, error: unknown): number {
  const { code, message } = error as { code?: string; message: string };
  if (code === "EADDRINUSE") {
    return refuse(io, `port ${options.port} is in use; \`--port 0\` takes a free one`);
  }
  if (error instanceof CannotServe) return refuse(io, ...error.reasons);
  if (code === undefined) throw error;
  return refuse(io, `it cannot be served: ${message}`);
}

/** Serves until it is told to stop. */
async function serveReady(call: Call<Options>, ready: Ready, thread?: Thread): Promise<number> {
  const { io, options } = call;
  try {
    const data = dataFile(ready.file, options);
    const running = await start(ready.plan, {
      ...(data === undefined ? { memory: true } : { file: data }),
      startRows: ready.rows,
      host: options.host,
      port: Number(options.port),
      origins: ready.origins,
      log: (line: string) => io.err(`${line}\n`),
      accessLog: options.log ?? false,
      shake: options.shake,
      code: options.code,
      standIns: options.standIn,
      bounds: boundsOf(options.bound) as Partial<HostBounds>,
      allowPrivateReceivers: options.allowPrivateReceivers,
      thread,
    });
    announce(call, { address: running.address, ready, data });
    const failed = await Promise.race([stopSignal(), running.failed]);
    if (failed !== undefined) io.err(`lacuna: the service ends: ${failed}\n`);
    else io.err("lacuna: stopping when the requests that run are answered\n");
    await running.stop();
    return failed === undefined ? DONE : FAILED;
  } catch (error) {
    return refuseFault(call, error);
  }
}

async function run(call: Call<Options>): Promise<number> {
  const { io, options, args } = call;
  const wrong = wrongOptions(options);
  if (wrong !== undefined) return refuse(io, wrong);
  if ([args[0], options.assume, options.rows].filter((each) => each === "-").length > 1) {
    return refuse(io, "`-` can be named once");
  }
  // The thread that writes loads its modules while this one reads the document.
  const thread = options.memory === true ? undefined : startThread();
  try {
    fitToOneRun();
    const ready = await prepare(call);
    fitToService();
    return typeof ready === "number" ? ready : await serveReady(call, ready, thread);
  } finally {
    await thread?.end();
  }
}

export const serve: CommandModule<Options> = { define, run };
