/** Has the server count rows anew where a table has grown: else it plans as for an empty one. */
import { quote } from "../schema/columns.ts";
import type { Statements } from "./statements.ts";

/** Rows from which on it matters, and how many times as many make it matter again. */
const ROWS_LEAST = 500;
const TIMES = 4;

export class Growth {
  readonly #sql: Statements;
  readonly #tables: ReadonlySet<string>;
  /** How many rows were made when the server has counted last. */
  readonly #counted = new Map<string, number>();

  constructor(sql: Statements, tables: ReadonlySet<string>) {
    this.#sql = sql;
    this.#tables = tables;
  }

  /** `numbers`: the last key that each table has given. */
  look(numbers: ReadonlyMap<string, number>): void {
    for (const [name, last] of numbers) {
      const least = (this.#counted.get(name) ?? ROWS_LEAST / TIMES) * TIMES;
      if (last < least || !this.#tables.has(name)) continue;
      this.#counted.set(name, last);
      try {
        this.#sql.ask(`ANALYZE ${quote(name)}`);
      } catch {
        // The server does it by itself later.
      }
    }
  }
}
