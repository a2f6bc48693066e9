/** Calls that are not settled, in a SQLite database; knows neither plan nor code. */
import type Database from "better-sqlite3";
import type { Called, Calls, GivenRow } from "../../run/index.ts";
import { Prepared } from "./prepared.ts";

const COLUMNS = "key, work, call, given, rows, state, undoes, since, due, attempts";

type CallColumns = Record<"since" | "due" | "attempts", bigint> & {
  readonly undoes: string | null;
} & Record<"key" | "work" | "call" | "given" | "rows" | "state", string>;

function calledOf({ rows, state, undoes, attempts, ...rest }: CallColumns): Called {
  return {
    ...rest,
    rows: JSON.parse(rows) as GivenRow[],
    state: state as Called["state"],
    undoes: undoes ?? undefined,
    attempts: Number(attempts),
  };
}

/** The calls of one connection. */
export class SqliteCalls implements Calls {
  readonly #sql: Prepared;

  constructor(db: Database.Database) {
    this.#sql = new Prepared(db);
  }

  put({ key, work, call, given, rows, state, undoes, since, due, attempts }: Called): void {
    this.#sql.run(
      `INSERT OR REPLACE INTO calls (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      (one) =>
        one.run(
          key,
          work,
          call,
          given,
          JSON.stringify(rows),
          state,
          undoes ?? null,
          since,
          due,
          attempts,
        ),
    );
  }

  get(key: string): Called | undefined {
    return this.#sql.run(`SELECT ${COLUMNS} FROM calls WHERE key = ?`, (one) => {
      const held = one.get(key) as CallColumns | undefined;
      return held && calledOf(held);
    });
  }

  remove(key: string): void {
    this.#sql.run("DELETE FROM calls WHERE key = ?", (one) => one.run(key));
  }

  asked(work?: string): readonly Called[] {
    const which = work === undefined ? "" : " AND work = ?";
    return this.#sql.run(
      `SELECT ${COLUMNS} FROM calls WHERE state = 'asked'${which} ORDER BY since, key`,
      (one) => (one.all(...(work === undefined ? [] : [work])) as CallColumns[]).map(calledOf),
    );
  }

  due(state: "undo" | "long", until: bigint, countMax: number): readonly Called[] {
    return this.#sql.run(
      `SELECT ${COLUMNS} FROM calls WHERE state = ? AND due <= ? ORDER BY due LIMIT ?`,
      (one) => (one.all(state, until, countMax) as CallColumns[]).map(calledOf),
    );
  }

  nextDue(after: bigint): bigint | undefined {
    return this.#sql.run(
      "SELECT min(due) AS due FROM calls WHERE state <> 'asked' AND due > ?",
      (one) => (one.get(after) as { due: bigint | null }).due ?? undefined,
    );
  }
}
