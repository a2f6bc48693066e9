/**
 * Faults that a crash run must find: a store that says "committed" and commits a little later, one
 * that does not sync what it has committed, and one that loses events. They work on the database library itself, so that all else is
 * the real service.
 */
import Database from "better-sqlite3";

const DELAY_MS = { min: 5, spread: 15 };

interface Runs {
  run(): unknown;
}

/** Makes every connection of this process commit 5 to 20 ms after it has answered. */
export function delayCommits(): void {
  const prepare = Database.prototype.prepare;
  const real = new Map<string, Runs>();
  let open = false;
  let pending = false;
  const run = (sql: string): unknown => real.get(sql)?.run();
  const commitLater = (): void => {
    if (pending) return;
    pending = true;
    const commit = (): void => {
      pending = false;
      open = false;
      run("COMMIT");
    };
    // Answers are written in the next turn: the time runs from then on, however long turns are.
    setImmediate(() =>
      setImmediate(() => setTimeout(commit, DELAY_MS.min + Math.random() * DELAY_MS.spread)),
    );
  };
  const instead: Readonly<Record<string, () => void>> = {
    BEGIN: () => {
      if (!open) run("BEGIN");
    },
    "BEGIN IMMEDIATE": () => {
      if (!open) run("BEGIN IMMEDIATE");
      open = true;
    },
    COMMIT: commitLater,
    ROLLBACK: () => {
      if (!open) run("ROLLBACK");
    },
  };
  const patched = function (this: Database.Database, sql: string): unknown {
    const statement = prepare.call(this, sql);
    // What is not committed is not in the log; to ask is refused within a transaction.
    if (sql.startsWith("PRAGMA wal_checkpoint")) {
      return { raw: () => ({ get: () => (open ? [0, 0, 0] : statement.raw().get()) }) };
    }
    const other = instead[sql];
    if (other === undefined) return statement;
    real.set(sql, statement as Runs);
    return { run: other };
  };
  Database.prototype.prepare = patched as typeof prepare;
}

/** Makes every connection of this process commit without a sync, and say that it syncs. */
export function leaveUnsynced(): void {
  const pragma = Database.prototype.pragma;
  const patched = function (
    this: Database.Database,
    source: string,
    options?: Database.PragmaOptions,
  ): unknown {
    if (source === "synchronous = FULL") return pragma.call(this, "synchronous = NORMAL", options);
    const found = pragma.call(this, source, options);
    return source === "synchronous" ? 2 : found;
  };
  Database.prototype.pragma = patched as typeof pragma;
}

/** One event of so many is not recorded. */
const FORGOTTEN_EVERY = 40;

/** Makes every connection of this process record not all of its events. */
export function forgetEvents(): void {
  const prepare = Database.prototype.prepare;
  let count = 0;
  const patched = function (this: Database.Database, sql: string): unknown {
    const statement = prepare.call(this, sql);
    if (!/^INSERT INTO outbox\b/.test(sql)) return statement;
    const run = statement.run.bind(statement) as (...values: unknown[]) => Database.RunResult;
    statement.run = (...values: unknown[]): Database.RunResult => {
      count += 1;
      return count % FORGOTTEN_EVERY === 0 ? { changes: 1, lastInsertRowid: 0 } : run(...values);
    };
    return statement;
  };
  Database.prototype.prepare = patched as typeof prepare;
}
