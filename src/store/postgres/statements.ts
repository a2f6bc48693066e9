/** Statements of one connection, whose faults are those of a store. */
import { createHash } from "node:crypto";
import type { Asked } from "./ahead.ts";
import { pgFault } from "./fault.ts";
import type { Held, HeldRow, Wire } from "./wire.ts";

const TURN = "SELECT pg_advisory_xact_lock($1::bigint)";

export class Statements {
  readonly #wire: () => Wire;

  /** `wire`: the connection that there is now. */
  constructor(wire: () => Wire) {
    this.#wire = wire;
  }

  ask(sql: string, values: readonly Held[] = []): readonly HeldRow[] {
    return this.guard((wire) => wire.ask(sql, values));
  }

  /** Runs a statement with the next one that gives something. */
  defer(sql: string, values: readonly Held[] = []): void {
    this.guard((wire) => wire.defer(sql, values));
  }

  /** Runs several statements, and those before them, while others go on; gives the rows of each. */
  async askLater(all: readonly Asked[]): Promise<readonly (readonly HeldRow[])[]> {
    try {
      return await this.#wire().askLater(all);
    } catch (error) {
      throw pgFault(error);
    }
  }

  /** Throws a `StorageFault` for what the connection throws. */
  guard<T>(run: (wire: Wire) => T): T {
    try {
      return run(this.#wire());
    } catch (error) {
      throw pgFault(error);
    }
  }

  read(name: string): string | undefined {
    return this.ask("SELECT value FROM meta WHERE name = $1", [name])[0]?.[0] ?? undefined;
  }

  put(name: string, value: string): void {
    this.ask(
      "INSERT INTO meta (name, value) VALUES ($1, $2) " +
        "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      [name, value],
    );
  }

  /**
   * Begins a transaction that writes, when it is its turn: one at a time does, of all nodes.
   * `lock`: the number of the schema's.
   */
  beginWriting(lock: string): void {
    this.defer("BEGIN");
    this.ask(TURN, [lock]);
  }

  /**
   * Ends a transaction. Nobody waits for it: what is refused then is told by what is asked next.
   */
  end(how: "COMMIT" | "ROLLBACK"): void {
    const wire = this.#wire();
    if (wire.isCut) return;
    try {
      wire.defer(how);
      wire.post();
    } catch (error) {
      // It ends with its connection.
      if (!wire.isCut) throw pgFault(error);
    }
  }

  /**
   * The same as `beginWriting` while others go on; `first`: what is asked with it; gives the rows
   * of it.
   */
  async beginLater(lock: string, first?: Asked): Promise<readonly HeldRow[]> {
    this.defer("BEGIN");
    const turn = { sql: TURN, values: [lock] };
    const rows = await this.askLater(first === undefined ? [turn] : [turn, first]);
    return rows[1] ?? [];
  }
}

/** The number of the lock of that name. */
export function lockOf(name: string): string {
  return String(createHash("sha256").update(`lacuna ${name}`).digest().readBigInt64BE());
}

/** A name in a statement. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
