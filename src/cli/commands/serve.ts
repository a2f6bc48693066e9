/** `lacuna serve`: runs the service that a document states, until it is told to stop. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import {
  CannotServe,
  eventLine,
  serve as start,
  startThread,
  type Thread,
} from "../../serve/index.ts";
import { placeNamed } from "../../store/index.ts";
import { addressOf } from "../address.ts";
import { announce } from "../announce.ts";
import { type Call, type CommandModule, DONE, examples, refuse } from "../command.ts";
import { readConfig } from "../config.ts";
import { followEdits } from "../edits.ts";
import { fitToOneRun, fitToService } from "../heap.ts";
import { type Ready, readyOf, type Wanted } from "../ready.ts";
import { flagOf, OPTION_NAMES, optionAt, type ServeSettings } from "../serve-options.ts";
import { type Flags, type Settled, settled } from "../settings.ts";
import { version } from "../version.ts";
import { lookAt, type Watched } from "../watch.ts";

const PORT_DEFAULT = 8080;
const INTERRUPTED = 130;
/** An internal fault, EX_SOFTWARE of sysexits.h: who supervises the service starts it again. */
const FAILED = 70;
const FOLDER = ".lacuna";
/** Names the configuration file in the environment. */
const CONFIG = "LACUNA_CONFIG";

const together = (one: string, all: readonly string[] = []): readonly string[] => [...all, one];

function define(command: Command): void {
  const described = command
    .description(
      "Runs the service that a document states, on a durable database. What is not shown or " +
        "silent is answered with 501 and the gap that was met. Ctrl-C stops it when the " +
        "requests that run are answered; a second Ctrl-C stops it at once.",
    )
    .argument(
      "<file...>",
      "a document; `-` is the standard input. Of several versions the newest comes last",
    );
  for (const name of OPTION_NAMES) {
    const { kind, means } = optionAt(name);
    if (kind === "list") described.option(flagOf(name), means, together);
    else described.option(flagOf(name), means);
  }
  described
    .option(
      "--bound <name=n>",
      "set a bound of the host itself, such as `body-bytes=67108864`; may be named several times",
      together,
    )
    .option("--config <file>", "options and bounds in a file, JSON")
    .addHelpText(
      "after",
      `${examples(
        ["lacuna serve spec.md", "at port 8080, in .lacuna/"],
        ["lacuna serve spec.md --port 0 --memory", "to try it"],
        ["lacuna serve spec.md --assume a.md", "with answers for what is not shown"],
        ["lacuna serve spec.md --code calls.mjs", "with the code that it calls"],
        ["lacuna serve spec.md --watch", "and as it is edited"],
        ["lacuna serve spec.md --data /var/lib/orders.sqlite", "where the data shall stay"],
        ["lacuna serve v1.md v2.md", "two versions over one store, the newest last"],
      )}
Options stand in the environment too (PORT, LACUNA_DATA, LACUNA_BOUND_BODY_BYTES ...) and in a file
that --config or LACUNA_CONFIG names; a flag goes before the environment, that before the file.
A setting of the document is taken from the environment: LACUNA_SETTING_NAME.
SIGHUP has it read the document again, as --watch does; not on Windows.
The database is named after the newest document; \`spec.md\` after the folder it is in.
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

/** What was told, from all sources; or the exit code where something is wrong with it. */
async function settle({ io, options, args }: Call<Flags>): Promise<Settled | number> {
  const file = options.config ?? io.env[CONFIG];
  const config = file === undefined ? undefined : await readConfig(io, file);
  if (config !== undefined && "length" in config) return refuse(io, ...config);
  const told = settled(options, io.env, config);
  if ("length" in told) return refuse(io, ...told);
  const { memory, data, assume, rows, admin } = told.settings;
  if (memory === true && data !== undefined) {
    return refuse(io, "name `--data` or `--memory`, not both");
  }
  if (admin !== undefined && addressOf(admin) === undefined) {
    return refuse(io, `\`--admin ${admin}\`: name a port, or an address with one: 10.0.0.5:9090`);
  }
  const named = [...args, assume, rows, file].filter((each) => each === "-");
  if (named.length > 1) return refuse(io, "`-` can be named once");
  if (named.length > 0 && told.settings.watch === true) {
    return refuse(io, "the standard input cannot be watched: name files");
  }
  const alone = ALONE.filter((name) => told.settings[name] !== undefined);
  if (args.length > 1 && alone.length > 0) {
    const flags = alone.map((name) => `\`--${name}\``).join(", ");
    return refuse(io, `${flags}: for one document alone, and ${args.length} are named`);
  }
  return told;
}

/** What is of one document, or has one taken in place of another. */
const ALONE = ["watch", "assume", "shake"] as const;

/** A file that is gone when the service stops. */
class Scratch {
  private folder: string | undefined;

  /** What is in memory is of one document: where that is edited, a file stands in for it. */
  take({ memory, watch }: ServeSettings): string | undefined {
    if (memory !== true || watch !== true) return undefined;
    this.folder = mkdtempSync(join(tmpdir(), "lacuna-"));
    return join(this.folder, "data.sqlite");
  }

  end(): void {
    if (this.folder !== undefined) rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The file of the database, its folder made; undefined for none. */
function dataFile(file: string, { data, memory }: ServeSettings): string | undefined {
  if (memory === true) return undefined;
  const path = data ?? join(FOLDER, `${dataName(file)}.sqlite`);
  if ("file" in placeNamed(path)) mkdirSync(dirname(resolve(path)), { recursive: true });
  return path;
}

const ORPHAN_POLL_MS = 250;

/** npm passes SIGTERM to its shell alone; a shell that dies of it leaves this process behind. */
function whenLeft(act: () => void): void {
  if (process.env["npm_lifecycle_event"] === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    act();
  }, ORPHAN_POLL_MS);
  watch.unref();
}

/** Waits for the signal to stop; a second one ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((stop) => {
    whenLeft(stop);
    process.removeAllListeners("SIGINT");
    const first = (): void => {
      process.once("SIGINT", () => process.exit(INTERRUPTED));
      stop();
    };
    process.once("SIGINT", first);
    process.once("SIGTERM", first);
  });
}

/** What of the command line says what is served. */
function wantedOf({ args }: Call<Flags>, { assume, rows }: ServeSettings): Wanted {
  return { file: args.at(-1) ?? "", assume, rows };
}

/** The documents of older versions; or the exit code where something is wrong with one. */
async function olderOf(call: Call<Flags>): Promise<readonly Ready[] | number> {
  const made: Ready[] = [];
  for (const file of call.args.slice(0, -1)) {
    const ready = await readyOf(call, { file, assume: undefined, rows: undefined });
    if (typeof ready === "number") return ready;
    made.push(ready);
  }
  return made;
}

/** The line for an operator about what kept the service from starting; a bug is thrown on. */
function refuseFault({ io }: Call<Flags>, port: number, error: unknown): number {
  const { code, message } = error as { code?: string; message: string };
  if (code === "EADDRINUSE") {
    return refuse(io, `port ${port} is in use; \`--port 0\` takes a free one`);
  }
  if (error instanceof CannotServe) return refuse(io, ...error.reasons);
  if (code === undefined) throw error;
  return refuse(io, `it cannot be served: ${message}`);
}

interface Serving extends Settled {
  readonly older: readonly Ready[];
  readonly thread: Thread | undefined;
  readonly watched: Watched | undefined;
}

/** Serves until it is told to stop. */
async function serveReady(
  call: Call<Flags>,
  ready: Ready,
  { settings, bounds, older, thread, watched }: Serving,
): Promise<number> {
  const { io } = call;
  const { port = PORT_DEFAULT, log } = settings;
  const admin = settings.admin === undefined ? undefined : addressOf(settings.admin);
  const scratch = new Scratch();
  const worded = (event: string, text: string): string =>
    log === "json" ? eventLine(event, { text }) : `lacuna: ${text}`;
  const lines = io.lines((count) =>
    worded("lost", `${count} lines of the log were lost: nobody took them`),
  );
  const tell = (event: string, text: string): void => lines.write(worded(event, text));
  try {
    const data = dataFile(ready.file, settings);
    const kept = data ?? scratch.take(settings);
    const running = await start(ready.plan, {
      ...(kept === undefined ? { memory: true } : { file: kept }),
      startRows: ready.rows,
      older: older.map(({ plan, origins, file }) => ({ plan, origins, name: file })),
      name: ready.file,
      host: settings.host,
      port,
      origins: ready.origins,
      log: (line: string) => lines.write(line),
      logAs: log,
      linesLost: () => lines.lost,
      admin: admin && { ...admin, version: version() },
      traces: settings.otel === true ? { version: version() } : undefined,
      trustProxy: settings["trust-proxy"],
      threads: settings.threads,
      shake: settings.shake,
      examples: settings.examples,
      explains: settings.explain,
      code: settings.code,
      standIns: settings["stand-in"],
      bounds,
      allowPrivateReceivers: settings["allow-private-receivers"],
      thread,
    });
    const { address, admin: adminAddress } = running;
    if (log === "json") {
      const about = { version: version(), title: ready.plan.title, data: data ?? null };
      lines.write(eventLine("started", { address, admin: adminAddress, ...about }));
    } else announce(call, settings, { address, admin: adminAddress, ready, older, data });
    const edits = followEdits(call, running, {
      wanted: wantedOf(call, settings),
      served: ready,
      watched,
      isAlone: older.length === 0,
      tell,
    });
    const failed = await Promise.race([stopSignal(), edits.hungUp, running.failed]);
    edits.stop();
    if (failed !== undefined) tell("failed", `the service ends: ${failed}`);
    else tell("stopping", "stopping when the requests that run are answered");
    await running.stop();
    return failed === undefined ? DONE : FAILED;
  } catch (error) {
    return refuseFault(call, port, error);
  } finally {
    scratch.end();
    await lines.end();
  }
}

async function run(call: Call<Flags>): Promise<number> {
  const told = await settle(call);
  if (typeof told === "number") return told;
  // The thread that writes loads its modules while this one reads the document.
  const thread = told.settings.memory === true ? undefined : startThread();
  try {
    fitToOneRun();
    const older = await olderOf(call);
    if (typeof older === "number") return older;
    const wanted = wantedOf(call, told.settings);
    const files = [wanted.file, ...(wanted.assume === undefined ? [] : [wanted.assume])];
    const watched = told.settings.watch === true ? lookAt(files) : undefined;
    const ready = await readyOf(call, wanted);
    fitToService();
    if (typeof ready === "number") return ready;
    return await serveReady(call, ready, { ...told, older, thread, watched });
  } finally {
    await thread?.end();
  }
}

export const serve: CommandModule<Flags> = { define, run };
