/** A migration makes a store of one document one of another, by what is decided, or not at all. */
import { basename, dirname, join } from "node:path";
import type Database from "better-sqlite3";
import type { Decisions } from "./decisions.ts";
import { type Document, type Heir, isOf, type Weighed, weigh } from "./document.ts";
import { StorageFault } from "./fault.ts";

// An import of it would also load its streams into each thread.
const fs = process.getBuiltinModule("node:fs");

/** What is known when a migration begins. */
export type Outlook =
  /** The store is one of the second document already. */
  { readonly is: "done before" } | { readonly is: "changes"; readonly all: readonly Weighed[] };

export interface Migration {
  readonly decisions: Decisions;
  /** The document that wrote the store. */
  readonly from: Document;
  /** File into which the store is copied before anything is done; it is not there yet. */
  readonly backup: string | undefined;
  /** Everything is done, and undone. */
  readonly isDry: boolean;
  /** Whether to go on. */
  look(outlook: Outlook): boolean;
}

/** What ends a migration that is not to be carried out; the store is as it was. */
export class Stopped extends StorageFault {
  constructor() {
    super("STOPPED", "the migration is not carried out");
  }
}

/** Copies the store as it is, whole and durably: the file is there when it is, or not at all. */
function backUp(db: Database.Database, to: string): void {
  const part = join(dirname(to), `.${basename(to)}.${process.pid}`);
  fs.rmSync(part, { force: true });
  try {
    db.prepare("VACUUM INTO ?").run(part);
    const fd = fs.openSync(part, "r+");
    fs.fsyncSync(fd);
    fs.closeSync(fd);
    // A link, unlike a new name, never takes the place of a file that is there.
    fs.linkSync(part, to);
  } finally {
    fs.rmSync(part, { force: true });
  }
  if (process.platform === "win32") return;
  const folder = fs.openSync(dirname(to), "r");
  fs.fsyncSync(folder);
  fs.closeSync(folder);
}

/**
 * What comes before the transaction that migrates: whose store it is, what has changed, and the
 * copy. Throws `Stopped` where it is not to be carried out.
 */
export function prepareMigration(
  db: Database.Database,
  heir: Heir,
  { decisions, from, backup, isDry, look }: Migration,
): void {
  if (isOf(db, heir)) {
    look({ is: "done before" });
    throw new Stopped();
  }
  if (!isOf(db, from)) {
    throw new StorageFault(
      "SCHEMA",
      `${heir.file} was not written by the first document: name the one that it is served by`,
    );
  }
  if (!look({ is: "changes", all: weigh(db, { ...heir, decisions }) })) throw new Stopped();
  if (backup !== undefined && !isDry) backUp(db, backup);
}
