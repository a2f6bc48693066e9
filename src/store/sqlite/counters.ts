/** Counters, sums and kept answers in a SQLite database. */
import type Database from "better-sqlite3";
import type { Counters, KeptAnswers } from "../../run/index.ts";
import { Prepared } from "./prepared.ts";

/** The last instant that there is. */
const LAST = 2n ** 63n - 1n;

/** The counters of one connection. Throws `StorageFault`. */
export class SqliteCounters implements Counters {
  readonly #sql: Prepared;

  constructor(db: Database.Database) {
    this.#sql = new Prepared(db);
  }

  next(counter: string): bigint {
    return this.#sql.run(
      "INSERT INTO counters (name, last) VALUES (?, 1) " +
        "ON CONFLICT (name) DO UPDATE SET last = last + 1 RETURNING last",
      (one) => (one.get(counter) as { last: bigint }).last,
    );
  }

  atLeast(counter: string, last: bigint): void {
    this.#sql.run(
      "INSERT INTO counters (name, last) VALUES (?, ?) " +
        "ON CONFLICT (name) DO UPDATE SET last = max(last, excluded.last)",
      (one) => one.run(counter, last),
    );
  }

  tally(name: string, group: number, { at, amount }: { at: bigint; amount: bigint }): void {
    this.#sql.run("INSERT INTO tallies (name, grp, at, amount) VALUES (?, ?, ?, ?)", (one) =>
      one.run(name, group, at, String(amount)),
    );
  }

  tallied(name: string, group: number, from: bigint, until = LAST): bigint {
    const amounts = this.#sql.run(
      "SELECT amount FROM tallies WHERE name = ? AND grp = ? AND at BETWEEN ? AND ?",
      (one) => one.all(name, group, from, until) as { amount: string }[],
    );
    // Summed here: the sums of SQLite end at 64 bits.
    return amounts.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  }

  tallies(name: string, group: number, from: bigint, until = LAST): readonly bigint[] {
    const found = this.#sql.run(
      "SELECT at FROM tallies WHERE name = ? AND grp = ? AND at BETWEEN ? AND ? ORDER BY at",
      (one) => one.all(name, group, from, until) as { at: bigint }[],
    );
    return found.map(({ at }) => at);
  }

  forget(name: string, group: number, from: bigint): void {
    this.#sql.run("DELETE FROM tallies WHERE name = ? AND grp = ? AND at < ?", (one) =>
      one.run(name, group, from),
    );
  }

  /** A seek, however many groups there are. */
  prune(name: string, after: number | undefined, from: bigint): number | undefined {
    const found = this.#sql.run(
      "SELECT grp FROM tallies WHERE name = ? AND grp > ? ORDER BY grp LIMIT 1",
      (one) => one.get(name, after ?? -1) as { grp: bigint } | undefined,
    );
    if (found === undefined) return undefined;
    const group = Number(found.grp);
    this.forget(name, group, from);
    return group;
  }
}

/** The kept answers of one connection. Throws `StorageFault`. */
export class SqliteAnswers implements KeptAnswers {
  readonly #sql: Prepared;

  constructor(db: Database.Database) {
    this.#sql = new Prepared(db);
  }

  kept(name: string, from: bigint): string | undefined {
    return this.#sql.run(
      "SELECT content FROM answers WHERE name = ? AND at >= ?",
      (one) => (one.get(name, from) as { content: string } | undefined)?.content,
    );
  }

  keep(name: string, at: bigint, content: string): void {
    this.#sql.run(
      "INSERT INTO answers (name, at, content) VALUES (?, ?, ?) " +
        "ON CONFLICT (name) DO UPDATE SET at = excluded.at, content = excluded.content",
      (one) => one.run(name, at, content),
    );
  }

  forget(from: bigint): void {
    this.#sql.run("DELETE FROM answers WHERE at < ?", (one) => one.run(from));
  }
}
