/** What stands at the path of a store, before it is opened. */
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { type Document, documentIn } from "../sqlite/document.ts";
import { StorageFault, storageFault } from "../sqlite/fault.ts";
import { hasTables, judgeFormat } from "../sqlite/format.ts";
import { isOwned } from "../sqlite/owner.ts";
import { besideOf, sizeOf } from "./files.ts";
import { tailOfFile } from "./tail.ts";

// An import of it would also load its streams into each thread.
const { existsSync, rmSync, statSync } = process.getBuiltinModule("node:fs");

/** Throws `StorageFault` where no store can be at the path. */
export function judgePath(file: string, mode: "read" | "write"): void {
  const refuse = (why: string): never => {
    throw new StorageFault("SQLITE_CANTOPEN", `${file} ${why}`);
  };
  if (!existsSync(dirname(file))) {
    throw new StorageFault("SQLITE_CANTOPEN", `the folder of ${file} is not there`);
  }
  if (mode === "read" && !existsSync(file)) refuse("is not there");
  const about = statSync(file, { throwIfNoEntry: false });
  if (about?.isDirectory() === true) refuse("is a folder: name a file in it");
  if (about?.isFile() === false) refuse("is a device or the like: name a file");
}

/** Looks at the database in a file; what SQLite puts beside it is gone afterwards. */
export function lookInto<T>(file: string, run: (db: Database.Database) => T): T {
  const { log, index } = besideOf(file);
  const made = [log, index].filter((path) => !existsSync(path));
  const db = new Database(file, { readonly: true });
  const end = (): void => {
    db.close();
    for (const path of made) rmSync(path, { force: true });
  };
  let isLater = false;
  try {
    const found = run(db);
    isLater = found instanceof Promise;
    return isLater ? ((found as Promise<unknown>).finally(end) as T) : found;
  } finally {
    if (!isLater) end();
  }
}

/** The document by which the rows of a store were written. Throws `StorageFault`. */
export function keptDocument(file: string): Document & { readonly isServed: boolean } {
  try {
    judgePath(file, "read");
    const read = (db: Database.Database): Document => {
      if (!hasTables(db)) throw new StorageFault("SCHEMA", `${file} holds nothing yet`);
      judgeFormat(db, file);
      return documentIn(db);
    };
    const isServed = isOwned(file);
    return { ...lookInto(file, read), isServed };
  } catch (fault) {
    throw storageFault(fault, file);
  }
}

/** Says of a file that no digests belong to whose it is, where it is none of ours. */
export function judgeStranger(file: string): void {
  if ((sizeOf(file) ?? 0) === 0 || sizeOf(besideOf(file).sums) !== undefined) return;
  if (tailOfFile(file) !== undefined) return;
  lookInto(file, (db) => {
    if (hasTables(db)) judgeFormat(db, file);
  });
}
