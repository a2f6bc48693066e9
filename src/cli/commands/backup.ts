/** `lacuna backup` and `lacuna restore`: a whole copy of a store, and its return. */
import type { Command } from "commander";
import { backupStore, placeNamed, restoreStore, StorageFault } from "../../store/index.ts";
import { type Call, type CommandModule, DONE, examples, refuse } from "../command.ts";

const MEBIBYTE = 1024 * 1024;

function sizeNamed(bytes: number): string {
  return bytes < MEBIBYTE ? `${Math.ceil(bytes / 1024)} KiB` : `${Math.ceil(bytes / MEBIBYTE)} MiB`;
}

interface Copied {
  readonly title: string;
  readonly document: string | undefined;
  readonly takenAt: string | undefined;
  readonly bytes: number;
}

/** Of what a copy is, and when it was taken. */
function named({ title, document, takenAt, bytes }: Copied): string {
  const whose = title === "" ? "a document without a title" : title;
  const where = document === undefined ? "" : ` (${document})`;
  const when = takenAt === undefined ? "" : `, taken ${takenAt}`;
  return `${whose}${where}${when}, ${sizeNamed(bytes)}`;
}

/** Runs what makes a copy; the exit code, and one line for a person. */
async function copied<O>(
  { io }: Call<O>,
  make: (say: (text: string) => void) => Promise<Copied>,
  said: (about: string) => string,
): Promise<number> {
  try {
    const about = await make((text) => io.err(`lacuna: ${text}\n`));
    io.out(`${said(named(about))}\n`);
    return DONE;
  } catch (fault) {
    if (fault instanceof StorageFault) return refuse(io, ...fault.message.split("\n"));
    throw fault;
  }
}

function defineBackup(command: Command): void {
  command
    .description(
      "Copies a store into a file that is not there yet, while it is served, too: all that was " +
        "acknowledged before. The copy is read as a whole before it has its name.",
    )
    .argument("<file>", "the database, as `serve --data` names it")
    .argument("<to>", "the file of the copy")
    .addHelpText(
      "after",
      `${examples([
        "lacuna backup .lacuna/orders.sqlite /backup/orders-1.sqlite",
        "copy it, and say of which document it is",
      ])}
Exit codes: 0 done, 2 nothing was copied; standard error says why.
`,
    );
}

/** What a store in PostgreSQL is backed up by. */
const NOT_HERE =
  "PostgreSQL's own tools back its databases up and bring them back (`pg_dump`, " +
  "`pg_basebackup`); `lacuna copy` copies one store";

/** Whether one of the places is not in a file. */
function isElsewhere({ args }: { readonly args: readonly string[] }): boolean {
  return args.some((one) => !("file" in placeNamed(one)));
}

async function runBackup(call: Call): Promise<number> {
  if (isElsewhere(call)) return refuse(call.io, NOT_HERE);
  const [file = "", to = ""] = call.args;
  const takenAt = new Date().toISOString();
  return copied(
    call,
    (say) => backupStore(file, to, { say, takenAt }),
    (about) => `${to} is a backup of ${file}: ${about}`,
  );
}

interface RestoreOptions {
  readonly replace?: boolean;
  readonly unverified?: boolean;
}

function defineRestore(command: Command): void {
  command
    .description(
      "Puts a backup in the place of a store that nobody serves. Each page of it is compared " +
        "with what was written; a store that is there stays unless `--replace` is named.",
    )
    .argument("<from>", "a file that `lacuna backup` has made, or that a stop has left")
    .argument("<file>", "the database, as `serve --data` names it")
    .option("--replace", "replace the store that is there: what it holds is lost")
    .option("--unverified", "take a file as it is, of which nothing tells that it is whole")
    .addHelpText(
      "after",
      `${examples(
        ["lacuna restore /backup/orders-1.sqlite orders.sqlite", "where no store is"],
        ["lacuna restore b.sqlite orders.sqlite --replace", "in the place of one"],
      )}
Exit codes: 0 done, 2 nothing was changed; standard error says why.
`,
    );
}

async function runRestore(call: Call<RestoreOptions>): Promise<number> {
  if (isElsewhere(call)) return refuse(call.io, NOT_HERE);
  const [from = "", file = ""] = call.args;
  const { replace = false, unverified = false } = call.options;
  return copied(
    call,
    (say) => restoreStore(from, file, { say, replace, unverified }),
    (about) => `${file} is restored from ${from}: ${about}`,
  );
}

export const backup: CommandModule = { define: defineBackup, run: runBackup };

export const restore: CommandModule<RestoreOptions> = { define: defineRestore, run: runRestore };
