/** Has the server count rows anew where a table has grown: else it plans as for an empty one. */
import { quote } from "../schema/columns.ts";
import { quoted } from "./statements.ts";
import type { Wire } from "./wire.ts";

/** Rows from which on it matters, and how many times as many make it matter again. */
const ROWS_LEAST = 500;
const TIMES = 4;

interface Counted {
  readonly schema: string;
  readonly tables: ReadonlySet<string>;
  /** Makes a connection, on which nobody waits for what is counted. */
  connect(): Promise<Wire>;
}

export class Growth {
  readonly #of: Counted;
  /** How many rows were made when the server has counted last. */
  readonly #counted = new Map<string, number>();

  constructor(of: Counted) {
    this.#of = of;
  }

  /** `numbers`: the last key that each table has given. */
  look(numbers: ReadonlyMap<string, number>): void {
    const grown: string[] = [];
    for (const [name, last] of numbers) {
      const least = (this.#counted.get(name) ?? ROWS_LEAST / TIMES) * TIMES;
      if (last < least || !this.#of.tables.has(name)) continue;
      this.#counted.set(name, last);
      grown.push(name);
    }
    if (grown.length > 0) void this.#count(grown);
  }

  async #count(tables: readonly string[]): Promise<void> {
    const { schema, connect } = this.#of;
    let wire: Wire | undefined;
    try {
      wire = await connect();
      for (const name of tables) {
        const sql = `ANALYZE ${quoted(schema)}.${quote(name)}`;
        await wire.askLater([{ sql, values: [] }]);
      }
    } catch {
      // The server does it by itself later.
    } finally {
      wire?.close();
    }
  }
}
