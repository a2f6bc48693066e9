/** Copies of a store that are whole: backups, taken while it is served, too, and their return. */
import Database from "better-sqlite3";
import { putMeta, readMeta } from "../sqlite/document.ts";
import { StorageFault, storageFault } from "../sqlite/fault.ts";
import { hasTables, judgeFormat } from "../sqlite/format.ts";
import { isOwned, ownStore } from "../sqlite/owner.ts";
import { besideOf, PAGE_BYTES, readAt, sizeOf, syncFolderOf } from "./files.ts";
import { digestOf } from "./log.ts";
import { judgePath, judgeStranger, lookInto } from "./path.ts";
import { tailOf } from "./sums.ts";
import { putTail, tailOfFile } from "./tail.ts";
import { Whole } from "./whole.ts";

// An import of it would also load its streams into each thread.
const fs = process.getBuiltinModule("node:fs");

/** Pages that are copied between two lines that say how far it is. */
const PAGES_STEP = 16_384;
const PAGES_READ = 256;
/** How long to wait for the lock of another program's. */
const WAIT_MS = 2000;

/** What a copy is of. */
interface CopyAbout {
  /** Title of the document, "" for none. */
  readonly title: string;
  /** File in which the document stood; undefined: that was not noted. */
  readonly document: string | undefined;
  /** When the backup was taken; undefined for a store that is none. */
  readonly takenAt: string | undefined;
  readonly bytes: number;
}

interface CopyOptions {
  /** Told how far it is, for each part of a large store. */
  readonly say: (text: string) => void;
}

function refuse(message: string): never {
  throw new StorageFault("COPY", message);
}

function aboutOf(db: Database.Database, file: string): CopyAbout {
  judgeFormat(db, file);
  const plan = JSON.parse(readMeta(db, "plan") ?? "{}") as { title?: string };
  const places = Object.values(JSON.parse(readMeta(db, "places") ?? "{}") as object);
  const [first] = places as readonly { readonly file?: string }[];
  return {
    title: plan.title ?? "",
    document: first?.file,
    takenAt: readMeta(db, "backup"),
    bytes: sizeOf(file) ?? 0,
  };
}

/** Copies all pages at one moment into a file that is not there, however long it takes. */
async function copyPages(db: Database.Database, to: string, { say }: CopyOptions): Promise<void> {
  // As long as this transaction is open, all steps read the same.
  db.exec("BEGIN");
  hasTables(db);
  try {
    await db.backup(to, {
      progress: ({ totalPages, remainingPages }) => {
        const done = totalPages - remainingPages;
        if (done > 0 && remainingPages > 0) {
          say(`${done} of ${totalPages} pages copied`);
        }
        return PAGES_STEP;
      },
    });
  } finally {
    db.exec("ROLLBACK");
  }
}

/** Judges a copy by all its tables and indexes, notes what it is, and gives it its digests. */
function finish(file: string, note: (db: Database.Database) => void, name: string): CopyAbout {
  const db = new Database(file);
  let about: CopyAbout;
  try {
    if (!hasTables(db)) refuse(`${name} holds nothing`);
    judgeFormat(db, name);
    const [found] = db.pragma("integrity_check(1)") as { integrity_check: string }[];
    if (found?.integrity_check !== "ok") {
      refuse(`${name} cannot be read as a whole: ${found?.integrity_check ?? "nothing is said"}`);
    }
    note(db);
    about = aboutOf(db, file);
    db.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    db.close();
  }
  const size = sizeOf(file) ?? 0;
  if (size % PAGE_BYTES !== 0) refuse(`${name} has pages of another size`);
  if (!putTail(file, tailOf(digestsOf(file, size / PAGE_BYTES)))) {
    throw new StorageFault("ENOSPC", `there is no room for ${file}: free some space`);
  }
  return about;
}

function digestsOf(file: string, pages: number): Uint32Array {
  const digests = new Uint32Array(pages);
  const bytes = Buffer.allocUnsafeSlow(PAGES_READ * PAGE_BYTES);
  const fd = fs.openSync(file, "r");
  try {
    for (let first = 0; first < pages; first += PAGES_READ) {
      const count = Math.min(PAGES_READ, pages - first);
      readAt(fd, bytes.subarray(0, count * PAGE_BYTES), first * PAGE_BYTES);
      for (let i = 0; i < count; i++) {
        digests[first + i] = digestOf(bytes.subarray(i * PAGE_BYTES, (i + 1) * PAGE_BYTES));
      }
    }
  } finally {
    fs.closeSync(fd);
  }
  return digests;
}

/** Pages of a file that are not what its own tail says. */
function wrongPages(file: string, digests: Uint32Array): number[] {
  return [...digestsOf(file, digests.length)].flatMap((one, i) => {
    const digest = digests[i];
    return digest === 0 || digest === one ? [] : [i + 1];
  });
}

/** A file beside another, in whose place it is put when it is whole. */
function besideName(to: string): { readonly temporary: string; readonly clear: () => void } {
  const temporary = `${to}.${process.pid}.new`;
  const clear = (): void => {
    for (const end of ["", "-wal", "-shm", "-journal"]) {
      fs.rmSync(`${temporary}${end}`, { force: true });
    }
  };
  clear();
  return { temporary, clear };
}

/** Gives a copy its name, under which nothing stands yet. */
function putInPlace(temporary: string, to: string): void {
  if (sizeOf(to) !== undefined) refuse(`${to} is there already: name another file`);
  fs.renameSync(temporary, to);
  syncFolderOf(to);
}

/** Gives a file that was copied into its name, when it is judged. Throws `StorageFault`. */
export function finishCopy(temporary: string, to: string): void {
  finish(temporary, () => {}, to);
  for (const end of ["-wal", "-shm"]) fs.rmSync(`${temporary}${end}`, { force: true });
  putInPlace(temporary, to);
}

/**
 * Copies the store of a connection that owns it and is in no transaction, as `backupStore` does.
 * Throws `StorageFault`.
 */
export function backupHeld(
  db: Database.Database,
  { file, to, takenAt }: { readonly file: string; readonly to: string; readonly takenAt: string },
): void {
  judgePath(to, "write");
  const { temporary, clear } = besideName(to);
  try {
    db.prepare("VACUUM INTO ?").run(temporary);
    finish(temporary, (copy) => putMeta(copy, "backup", takenAt), file);
    putInPlace(temporary, to);
  } catch (fault) {
    throw storageFault(fault);
  } finally {
    clear();
  }
}

/** Makes a file by way of one beside it, so that it is there as a whole or not at all. */
async function made<T>(
  { from, to }: { readonly from: string; readonly to: string },
  make: (temporary: string) => Promise<T>,
): Promise<T> {
  const { temporary, clear } = besideName(to);
  try {
    return await make(temporary);
  } catch (fault) {
    throw storageFault(fault, from);
  } finally {
    clear();
  }
}

/**
 * Copies a store, which may be served meanwhile, into a file that is not there yet. The copy is
 * judged before it has its name. Throws `StorageFault`.
 */
export async function backupStore(
  file: string,
  to: string,
  options: CopyOptions & { readonly takenAt: string },
): Promise<CopyAbout> {
  judgePath(file, "read");
  judgePath(to, "write");
  if (sizeOf(to) !== undefined) refuse(`${to} is there already: name another file`);
  const note = (db: Database.Database): void => putMeta(db, "backup", options.takenAt);
  return made({ from: file, to }, async (temporary) => {
    if (isOwned(file)) await copyServed(file, temporary, options);
    else await copyOwn(file, temporary, options);
    options.say("comparing the copy");
    const about = finish(temporary, note, file);
    putInPlace(temporary, to);
    return { ...about, bytes: sizeOf(to) ?? 0 };
  });
}

async function copyServed(file: string, to: string, options: CopyOptions): Promise<void> {
  const db = new Database(file, { readonly: true, timeout: WAIT_MS });
  try {
    if (!hasTables(db)) refuse(`${file} holds nothing yet`);
    judgeFormat(db, file);
    await copyPages(db, to, options);
  } finally {
    db.close();
  }
}

/** Copies a store that nobody serves: its pages are compared with what was written first. */
async function copyOwn(file: string, to: string, options: CopyOptions): Promise<void> {
  const release = ownStore(file);
  try {
    judgeStranger(file);
    if (sizeOf(file) === 0) refuse(`${file} is empty`);
    const whole = Whole.begin(file, options.say);
    const db = new Database(file, { timeout: WAIT_MS });
    try {
      whole.open(db, () => {});
      await copyPages(db, to, options);
    } finally {
      whole.close(db);
      whole.end();
    }
  } finally {
    release();
  }
}

interface RestoreOptions extends CopyOptions {
  /** Whether a store that is there is replaced. */
  readonly replace: boolean;
  /** Whether a file is taken of which nothing tells that its pages are what was written. */
  readonly unverified: boolean;
}

/**
 * Puts a copy in the place of a store, which nobody may serve. Throws `StorageFault`, and leaves
 * all as it was, where the copy is not whole or the store may not be replaced.
 */
export async function restoreStore(
  from: string,
  file: string,
  options: RestoreOptions,
): Promise<CopyAbout> {
  judgePath(from, "read");
  judgePath(file, "write");
  const release = ownStore(file);
  try {
    return await made({ from, to: file }, async (temporary) => {
      const about = await copyBack(from, temporary, options);
      if (sizeOf(file) !== undefined && !options.replace) {
        refuse(
          `${file} is there, ${isSameService(temporary, file)}: stop here, or replace it ` +
            "with `--replace`",
        );
      }
      // What stood beside the former one belongs to no other; without it that one is refused.
      const { log, index, sums } = besideOf(file);
      for (const path of [log, index, sums]) fs.rmSync(path, { force: true });
      fs.renameSync(temporary, file);
      syncFolderOf(file);
      return { ...about, bytes: sizeOf(file) ?? 0 };
    });
  } finally {
    release();
  }
}

async function copyBack(from: string, to: string, options: RestoreOptions): Promise<CopyAbout> {
  judgeStranger(from);
  const digests = tailOfFile(from);
  if (digests === undefined && !options.unverified) {
    refuse(
      `${from} has no digests of its pages, so that nothing tells whether it is what was ` +
        "written: name a file that `lacuna backup` has made or a stop has left, or take it as " +
        "it is with `--unverified`",
    );
  }
  if (digests !== undefined) {
    fs.copyFileSync(from, to);
    options.say("comparing the copy");
    const wrong = wrongPages(to, digests);
    if (wrong.length === 0) {
      const about = lookInto(to, (db) => aboutOf(db, from));
      syncFile(to);
      return about;
    }
    if (!options.unverified) {
      refuse(
        `${from} is damaged: page ${wrong[0]} of ${digests.length} is not what was written` +
          `${wrong.length === 1 ? "" : `, and ${wrong.length - 1} more`}; ` +
          "`--unverified` takes it as it is, where its tables can be read",
      );
    }
    fs.truncateSync(to, digests.length * PAGE_BYTES);
  } else {
    await lookInto(from, (db) => copyPages(db, to, options));
  }
  const about = finish(to, () => {}, from);
  options.say("taken as it is: nothing tells whether its values are what was written");
  return about;
}

function syncFile(file: string): void {
  const fd = fs.openSync(file, "r+");
  fs.fsyncSync(fd);
  fs.closeSync(fd);
}

/** Whether two files are of one service, in words. */
function isSameService(one: string, other: string): string {
  const secretIn = (file: string): string | undefined => {
    try {
      return lookInto(file, (db) => readMeta(db, "secret"));
    } catch {
      // What is there may be damaged: that is what it is replaced for.
      return undefined;
    }
  };
  const there = secretIn(other);
  if (there === undefined) return "and cannot be read";
  return there === secretIn(one) ? "of the same service" : "of another service";
}
