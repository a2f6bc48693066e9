/** The events that have happened, in a SQLite database, in the order of their causes. */
import type Database from "better-sqlite3";
import type { Events, Recorded } from "../../run/index.ts";
import { storageFault } from "./fault.ts";

/** Events taken out in one go, so that no transaction waits long for it. */
const FORGOTTEN_AT_ONCE = 1_024;

type Statement = Database.Statement<unknown[]>;

/** The events of one connection. Statements are prepared when they are first needed. */
export class SqliteEvents implements Events {
  readonly #db: Database.Database;
  #record: Statement | undefined;
  #after: Statement | undefined;
  #last: Statement | undefined;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  #guard<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      throw storageFault(error);
    }
  }

  record(event: string, at: bigint, content: string): void {
    this.#guard(() => {
      this.#record ??= this.#db.prepare("INSERT INTO outbox (event, at, content) VALUES (?, ?, ?)");
      this.#record.run(event, at, content);
    });
  }

  after(number: number, countMax: number): readonly Recorded[] {
    return this.#guard(() => {
      this.#after ??= this.#db
        .prepare<unknown[]>(
          "SELECT number, event, at, content FROM outbox " +
            "WHERE number > ? ORDER BY number LIMIT ?",
        )
        .safeIntegers(true);
      const held = this.#after.all(number, countMax) as (Recorded & { number: bigint })[];
      return held.map((one) => ({ ...one, number: Number(one.number) }));
    });
  }

  last(): number {
    return this.#guard(() => {
      this.#last ??= this.#db.prepare<unknown[]>("SELECT max(number) FROM outbox").pluck(true);
      return Number(this.#last.get() ?? 0);
    });
  }

  forget(from: bigint): void {
    this.#guard(() => {
      this.#db
        .prepare(
          "DELETE FROM outbox WHERE number IN (SELECT number FROM " +
            "(SELECT number, at FROM outbox ORDER BY number LIMIT ?) WHERE at < ?)",
        )
        .run(FORGOTTEN_AT_ONCE, from);
    });
  }
}
