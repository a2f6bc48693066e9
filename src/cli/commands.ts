/** Reads the command line and runs the command that it names; gives the exit code. */
import type { Command } from "commander";
import type { CommandModule } from "./command.ts";
import { helpText, type Listed } from "./help.ts";
import { type Io, processIo } from "./io.ts";
import { paintFor } from "./paint.ts";
import { version } from "./version.ts";

interface Entry extends Listed {
  load(): Promise<unknown>;
}

/** Each command loads its own file, and that alone: what `check` does not need, it never reads. */
const entries: readonly Entry[] = [
  {
    name: "check",
    args: "FILE...",
    does: "say what each document states, and what is wrong, silent or not shown",
    load: async () => (await import("./commands/check.ts")).check,
  },
  {
    name: "serve",
    args: "FILE...",
    does: "run the service that a document states, or several versions of one",
    load: async () => (await import("./commands/serve.ts")).serve,
  },
  {
    name: "verify",
    args: "FILE URL",
    does: "test a running service against all that its document states",
    load: async () => (await import("./commands/verify.ts")).verify,
  },
  {
    name: "proxy",
    args: "FILE URL",
    does: "stand in front of a running service and judge its traffic by its document",
    load: async () => (await import("./commands/proxy.ts")).proxy,
  },
  {
    name: "replay",
    args: "FILE [URL]",
    does: "make the requests again that were answered wrongly, and say whether they still are",
    load: async () => (await import("./commands/replay.ts")).replay,
  },
  {
    name: "backup",
    args: "FILE TO",
    does: "copy a store as a whole, while it is served, too",
    load: async () => (await import("./commands/backup.ts")).backup,
  },
  {
    name: "restore",
    args: "FROM FILE",
    does: "put a backup in the place of a store",
    load: async () => (await import("./commands/backup.ts")).restore,
  },
  {
    name: "copy",
    args: "FROM TO",
    does: "move a store between SQLite and PostgreSQL",
    load: async () => (await import("./commands/copy.ts")).copy,
  },
  {
    name: "rows",
    args: "FILE RESOURCE",
    does: "print the rows of a store as JSON lines, or add some",
    load: async () => (await import("./commands/rows.ts")).rows,
  },
  {
    name: "try",
    args: "FILE",
    does: "run the examples of a document against the service that it states",
    load: async () => (await import("./commands/try.ts")).try_,
  },
  {
    name: "new",
    args: "[FILE]",
    does: "write a document of nine parts in which everything is not shown",
    load: async () => (await import("./commands/new.ts")).new_,
  },
  {
    name: "fmt",
    args: "FILE...",
    does: "put documents in their normal form; no meaning changes",
    load: async () => (await import("./commands/fmt.ts")).fmt,
  },
  {
    name: "ask",
    args: "FILE",
    does: "write the open questions to the author, as Markdown",
    load: async () => (await import("./commands/ask.ts")).ask,
  },
  {
    name: "why",
    args: 'FILE "GET /path" [STATUS]',
    does: "show the lines that determine an answer",
    load: async () => (await import("./commands/why.ts")).why,
  },
  {
    name: "diff",
    args: "OLD NEW",
    does: "say what has changed between two documents, and what breaks callers",
    load: async () => (await import("./commands/diff.ts")).diff,
  },
  {
    name: "explain",
    args: "[CODE]",
    does: "explain a finding: what it means, how to mend it",
    load: async () => (await import("./commands/explain.ts")).explain,
  },
  {
    name: "export",
    args: "FILE --to FORM",
    does: "write a document in a form that other tools read",
    load: async () => (await import("./commands/export.ts")).export_,
  },
  {
    name: "import",
    args: "FILE",
    does: "write the document of nine parts for a file in OpenAPI, Swagger or AsyncAPI",
    load: async () => (await import("./commands/import.ts")).import_,
  },
  {
    name: "propose",
    args: "FILE",
    does: "write assumptions of conventional effects, for a person to read and edit",
    load: async () => (await import("./commands/propose.ts")).propose_,
  },
  {
    name: "migrate",
    args: "OLD NEW --data FILE",
    does: "make the data of one document the data of another",
    load: async () => (await import("./commands/migrate.ts")).migrate,
  },
  {
    name: "plan",
    args: "FILE",
    does: "print the compiled plan as JSON",
    load: async () => (await import("./commands/plan.ts")).plan,
  },
];

/** Runs `args` (without node and script); the exit code is 0, 1 for errors, 2 for wrong use. */
export async function run(args: readonly string[], io: Io = processIo()): Promise<number> {
  const [first, ...rest] = args;
  if (first === "--version" || first === "-V") {
    io.out(`${version()}\n`);
    return 0;
  }
  const globals = new Set(["--color", "--no-color"]);
  if (first !== undefined && globals.has(first)) return run([...rest, first], io);
  if (first === undefined || first === "--help" || first === "-h") {
    return firstPage(io, first === undefined, rest);
  }
  if (first === "help") return run(rest[0] === undefined ? ["--help"] : [rest[0], "--help"], io);
  const entry = entries.find((each) => each.name === first);
  if (entry === undefined) return unknownCommand(io, first);
  return runCommand(entry, rest, io);
}

/** The first help page: asked for, it is the output; without a command, a complaint. */
function firstPage(io: Io, isComplaint: boolean, rest: readonly string[]): number {
  const colours = rest.includes("--color") || (rest.includes("--no-color") ? false : undefined);
  const isTerminal = isComplaint ? io.isErrTerminal : io.isTerminal;
  const text = helpText(entries, paintFor(io, colours, isTerminal));
  (isComplaint ? io.err : io.out)(text);
  return isComplaint ? 2 : 0;
}

async function unknownCommand(io: Io, word: string): Promise<number> {
  const { nearest } = await import("../base/index.ts");
  const near = nearest(
    word,
    entries.map((each) => each.name),
  );
  const what = word.startsWith("-") ? "option" : "command";
  const hint = near === undefined || what === "option" ? "" : ` Did you mean \`lacuna ${near}\`?`;
  io.err(`lacuna: there is no ${what} \`${word}\`.${hint}\n`);
  io.err(`Commands: ${entries.map((each) => each.name).join(", ")}. See \`lacuna --help\`.\n`);
  return 2;
}

interface Shared {
  readonly color?: boolean;
}

async function runCommand(entry: Entry, args: readonly string[], io: Io): Promise<number> {
  const { Command, CommanderError } = await import("commander");
  const module = (await entry.load()) as CommandModule<Shared>;
  const command: Command = new Command(`lacuna ${entry.name}`);
  command
    .exitOverride()
    .allowExcessArguments(false)
    .helpOption("-h, --help", "this page")
    .configureOutput({
      writeOut: io.out,
      writeErr: io.err,
      outputError: (text, write) => write(text.replace(/^error: /, "lacuna: ")),
    })
    .showHelpAfterError(`See \`lacuna ${entry.name} --help\`.`);
  module.define(command);
  command
    .option("--color", "colours even where there is no terminal")
    .option("--no-color", "no colours");
  // Commander takes a missing `--no-color` for `--color`.
  command.setOptionValueWithSource("color", undefined, "default");
  try {
    command.parse(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
  const options = command.opts<Shared>();
  return module.run({
    args: command.args,
    options,
    io,
    paint: paintFor(io, options.color, io.isTerminal),
    errPaint: paintFor(io, options.color, io.isErrTerminal),
  });
}
