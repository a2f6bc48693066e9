/** One process owns a store: whoever writes it holds a lock that ends with its process. */
import { hostname } from "node:os";
import Database from "better-sqlite3";
import { isOutOfSpace, StorageFault } from "./fault.ts";

// An import of it would also load its streams into each thread.
const { rmSync, statSync } = process.getBuiltinModule("node:fs");

/** How often it is looked whether the file was taken away by who had the lock before. */
const TRIES = 5;

/** Lets the lock go. */
type Release = () => void;

const inodeOf = (path: string): bigint | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;

/**
 * Takes the lock of the store in `file`: an open transaction of a database of its own beside it,
 * for the operating system ends that with the process. Throws `StorageFault` with the name of the
 * owner where there is one.
 */
export function ownStore(file: string): Release {
  const path = `${file}-lock`;
  for (let tried = 0; tried < TRIES; tried++) {
    const db = new Database(path, { timeout: 0 });
    const before = inodeOf(path);
    try {
      take(db);
    } catch (fault) {
      const owner = isBusy(fault) ? ownerOf(db) : undefined;
      db.close();
      if (hasCode(fault, "SQLITE_NOTADB") || hasCode(fault, "SQLITE_CORRUPT")) {
        throw new StorageFault(
          "LOCKED",
          `${path} is no lock of a store: take it away, if no process serves ${file}`,
        );
      }
      if (!isBusy(fault)) throw fault;
      throw new StorageFault(
        "LOCKED",
        `${file} is served by ${owner ?? "another process"}: stop that one, or name another file`,
      );
    }
    if (before !== undefined && inodeOf(path) === before) {
      return () => {
        rmSync(path, { force: true });
        db.close();
      };
    }
    db.close();
  }
  throw new StorageFault("LOCKED", `${path} is taken away again and again`);
}

/** Whether a process owns the store in `file` at this moment. */
export function isOwned(file: string): boolean {
  if (inodeOf(`${file}-lock`) === undefined) return false;
  try {
    ownStore(file)();
    return false;
  } catch (fault) {
    if (fault instanceof StorageFault && fault.code === "LOCKED") return true;
    throw fault;
  }
}

/** Notes who has the lock where others can read it, and holds it. */
function take(db: Database.Database): void {
  db.exec("BEGIN IMMEDIATE");
  try {
    db.exec("CREATE TABLE IF NOT EXISTS owner (name TEXT NOT NULL) STRICT");
    db.exec("DELETE FROM owner");
    db.prepare("INSERT INTO owner VALUES (?)").run(`process ${process.pid} of ${hostname()}`);
    db.exec("COMMIT");
  } catch (fault) {
    // A full disk keeps nobody from serving what is there: the owner has no name then.
    if (!isOutOfSpace(fault)) throw fault;
    if (db.inTransaction) db.exec("ROLLBACK");
  }
  db.exec("BEGIN IMMEDIATE");
}

function hasCode(fault: unknown, code: string): boolean {
  return fault instanceof Error && "code" in fault && String(fault.code).startsWith(code);
}

const isBusy = (fault: unknown): boolean => hasCode(fault, "SQLITE_BUSY");

function ownerOf(db: Database.Database): string | undefined {
  try {
    return db.prepare("SELECT name FROM owner").pluck(true).get() as string | undefined;
  } catch {
    // It is being written at this moment.
    return undefined;
  }
}
