/** Statements of one connection, prepared when they are first needed; faults as the store's own. */
import type Database from "better-sqlite3";
import { storageFault } from "./fault.ts";

type Statement = Database.Statement<unknown[]>;

export class Prepared {
  readonly #db: Database.Database;
  readonly #statements = new Map<string, Statement>();

  constructor(db: Database.Database) {
    this.#db = db;
  }

  /** Runs a statement, which gives integers as bigint. Throws `StorageFault`. */
  run<T>(sql: string, run: (statement: Statement) => T): T {
    try {
      let statement = this.#statements.get(sql);
      if (statement === undefined) {
        statement = this.#db.prepare<unknown[]>(sql).safeIntegers(true);
        this.#statements.set(sql, statement);
      }
      return run(statement);
    } catch (error) {
      throw storageFault(error);
    }
  }
}
