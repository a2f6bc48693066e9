/** Transactions that write: how they begin, when it is their turn, and how they end. */
import type { Told } from "../opened.ts";
import type { Growth } from "./growth.ts";
import type { PgNode } from "./node.ts";
import type { Statements } from "./statements.ts";
import type { PgTransaction } from "./transaction.ts";

/** Resources whose rows at the start are still to come: a note of the store. */
export const UNFILLED = "unfilled";

interface Parts {
  readonly tx: PgTransaction;
  readonly sql: Statements;
  readonly node: PgNode;
  readonly growth: Growth;
  /** The number of the lock of those who write. */
  readonly lock: string;
  /** Emptied where another node has inserted them meanwhile. */
  readonly unfilled: Set<string>;
}

export class PgWrites {
  readonly #parts: Parts;
  #isUnfilled: boolean;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#isUnfilled = parts.unfilled.size > 0;
  }

  begin(): void {
    const { tx, sql, lock } = this.#parts;
    tx.begin();
    sql.beginWriting(lock);
    this.#look();
  }

  async beginLater(): Promise<void> {
    const { tx, sql, lock } = this.#parts;
    tx.begin();
    tx.sequences.takeLately(await sql.beginLater(lock, tx.sequences.asksLately()));
    this.#look();
  }

  /** Another node may have inserted them meanwhile. */
  #look(): void {
    if (!this.#isUnfilled || this.#parts.sql.read(UNFILLED) !== undefined) return;
    this.#isUnfilled = false;
    this.#parts.unfilled.clear();
  }

  commit(): void {
    if (this.#isKept()) this.#parts.node.commit();
  }

  async commitLater(told: Told): Promise<boolean> {
    if (!this.#isKept()) return true;
    const { node, growth, tx } = this.#parts;
    const kept = await node.commitLater(told);
    if (kept) growth.look(tx.sequences.last);
    return kept;
  }

  /** Whether there is anything to keep; else it is ended: there is nothing that could be lost. */
  #isKept(): boolean {
    const { tx, sql } = this.#parts;
    tx.keep();
    if (this.#isUnfilled) {
      sql.ask("DELETE FROM meta WHERE name = $1", [UNFILLED]);
      this.#isUnfilled = false;
      tx.hasWritten = true;
    }
    if (!tx.hasWritten) sql.end("COMMIT");
    return tx.hasWritten;
  }
}
