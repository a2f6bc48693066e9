/** `lacuna migrate`: makes the data of one document the data of another. */
import { existsSync } from "node:fs";
import { type Command, Option } from "commander";
import { positionOf } from "../../base/index.ts";
import { plan as compile } from "../../check/index.ts";
import type { Plan } from "../../plan/index.ts";
import { CannotServe, type Migrated, migrate as run, systemClock } from "../../serve/index.ts";
import { shownPlace } from "../../store/index.ts";
import { type Call, type CommandModule, DONE, ERRORS, examples, refuse } from "../command.ts";
import { readInput } from "../files.ts";
import { type Read, readDecisions, type Wrong } from "../migrate/read.ts";
import { resolveDecisions } from "../migrate/resolve.ts";
import { countText, decisionsFile, writtenDecisions } from "../migrate/write.ts";
import { originsOf } from "../origins.ts";
import { ASSUME, obstacles, readReport } from "../pipeline.ts";
import { refuseReport } from "../refusal.ts";

interface Options {
  readonly data?: string;
  readonly decisions?: string;
  readonly dryRun?: boolean;
  readonly assume?: string;
}

function define(command: Command): void {
  command
    .description(
      "Makes the data that one document has written the data of another. Says what has " +
        "changed and how many rows that is about. What the documents do not tell is asked for " +
        "in a small file, which is printed where it lacks something. All is done at once, or " +
        "nothing is: the command can be killed at any moment. A copy of the data is made before.",
    )
    .argument("<old>", "the document that wrote the data")
    .argument("<new>", "the document that is to be served")
    .addOption(
      new Option("--data <file>", "the database, a file or `postgres://...`").makeOptionMandatory(),
    )
    .option("--decisions <file>", "what is decided of what the documents do not tell")
    .option("--dry-run", "do everything, say what comes of it, and undo it")
    .option(...ASSUME)
    .addHelpText(
      "after",
      `${examples(
        ["lacuna migrate old.md new.md --data d.sqlite --dry-run", "what would happen"],
        ["lacuna migrate old.md new.md --data d.sqlite > decisions.md", "what is to be decided"],
        ["lacuna migrate old.md new.md --data d.sqlite --decisions decisions.md", "do it"],
      )}
The file of decisions is a table. Behind what stands in it:
  renamed from \`x\`   it had that name, and has all that was kept under it
  value \`e\`          what rows get that are there; \`it\` is the row as it was
  dropped            it is thrown away, with all that it holds
  not shown          it is still to be decided
Exit codes: 0 done, 1 something is to be decided, or does not fit, 2 wrong use.
`,
    );
}

interface Document {
  readonly plan: Plan;
  readonly origins: string;
}

async function documentOf(call: Call<Options>, file: string): Promise<Document | number> {
  const report = await readReport(call.io, file, call.options.assume);
  if (typeof report === "string") return refuse(call.io, report);
  const planned = compile(report.checked);
  if (planned !== undefined) return { plan: planned.plan, origins: originsOf(report, planned) };
  refuseReport(report, obstacles(report.checked), call);
  return ERRORS;
}

const NOTHING: Read = readDecisions(new Uint8Array());

function tellWrong(call: Call<Options>, { table }: Read, wrong: readonly Wrong[]): number {
  for (const { at, message } of wrong.toSorted((a, b) => a.at.start - b.at.start)) {
    const { line, column } = positionOf(table, at.start);
    call.io.err(`${call.options.decisions}:${line}:${column}: ${message}\n`);
  }
  return ERRORS;
}

/** A name for the copy that no file has yet. */
function backupOf(data: string): string {
  for (let number = 1; ; number++) {
    const name = `${data}.before-${number}`;
    if (!existsSync(name)) return name;
  }
}

function tell(call: Call<Options>, found: Migrated, read: Read): number {
  const { io, options } = call;
  const data = shownPlace(options.data ?? "");
  if (found.is === "done before") {
    io.err(`lacuna: ${data} is one of the second document already: nothing is to be done\n`);
    return DONE;
  }
  const { all } = found.outlook;
  const said = writtenDecisions(read.text, read.said);
  for (const one of all) {
    const count = countText(one);
    io.err(`${one.isOpen ? "open" : "changed"}: ${one.text}${count === "" ? "" : ` ${count}.`}\n`);
  }
  for (const [what, decision] of said) io.err(`decided: ${what}: ${decision}\n`);
  if (found.is === "open") {
    io.out(
      decisionsFile(
        said,
        all.filter(({ isOpen }) => isOpen),
      ),
    );
    io.err(
      "lacuna: some changes are to be decided: write the table above into a file, decide in its " +
        "second column, and name it with --decisions; nothing was changed\n",
    );
    return ERRORS;
  }
  if (all.length === 0 && said.length === 0) io.err("lacuna: nothing that is kept has changed\n");
  if (found.is === "dry") io.err(`lacuna: this would be done; ${data} is as it was\n`);
  else
    io.err(`lacuna: ${data} is one of the second document; as it was it stays in ${found.kept}\n`);
  return DONE;
}

async function decisionsIn(call: Call<Options>): Promise<Read | number> {
  const { io, options } = call;
  if (options.decisions === undefined) return NOTHING;
  const input = await readInput(io, options.decisions);
  return typeof input === "string" ? refuse(io, input) : readDecisions(input.bytes);
}

async function runMigrate(call: Call<Options>): Promise<number> {
  const { io, options, args } = call;
  const { data = "", decisions, assume } = options;
  if ([...args, decisions, assume].filter((one) => one === "-").length > 1) {
    return refuse(io, "`-` can be named once");
  }
  const before = await documentOf(call, args[0] ?? "");
  if (typeof before === "number") return before;
  const now = await documentOf(call, args[1] ?? "");
  if (typeof now === "number") return now;
  const read = await decisionsIn(call);
  if (typeof read === "number") return read;
  const resolved = resolveDecisions(before.plan, now.plan, read.said);
  const wrong = [...read.wrong, ...resolved.wrong];
  if (wrong.length > 0) return tellWrong(call, read, wrong);
  const backup = backupOf(data);
  try {
    const found = await run(
      {
        ...{ file: data, before, now, backup, isDry: options.dryRun === true },
        decisions: resolved.decisions,
        at: systemClock().now(),
        environment: io.env,
      },
      (text) => io.err(`lacuna: ${text}\n`),
    );
    return tell(call, found, read);
  } catch (fault) {
    if (!(fault instanceof CannotServe)) throw fault;
    const code = refuse(io, ...fault.reasons);
    return fault.code === "UNFIT" ? ERRORS : code;
  }
}

export const migrate: CommandModule<Options> = { define, run: runMigrate };
