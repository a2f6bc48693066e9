/** A migration makes a store of one document one of another, by what is decided, or not at all. */
import type Database from "better-sqlite3";
import type { Decisions } from "./decisions.ts";
import { type Document, type Heir, isOf, type Weighed, weigh } from "./document.ts";
import { StorageFault } from "./fault.ts";

/** What is known when a migration begins. */
export type Outlook =
  /** The store is one of the second document already. */
  { readonly is: "done before" } | { readonly is: "changes"; readonly all: readonly Weighed[] };

export interface Migration {
  readonly decisions: Decisions;
  /** The document that wrote the store. */
  readonly from: Document;
  /** A copy that is made before anything is done: its file, which is not there yet, and when. */
  readonly backup: { readonly to: string; readonly takenAt: string };
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

/**
 * What comes before the copy and the transaction: whose store it is, and what has changed. Throws
 * `Stopped` where it is not to be carried out.
 */
export function prepareMigration(
  db: Database.Database,
  heir: Heir,
  { decisions, from, look }: Migration,
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
}
