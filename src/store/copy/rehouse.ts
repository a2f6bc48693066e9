/** Changes a store of PostgreSQL in a file, where all that changes stores is at home. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectionOf } from "../postgres/connection.ts";
import { placeOf, withSchema } from "../postgres/place.ts";
import { lockOf, quoted, Statements } from "../postgres/statements.ts";
import { StorageFault } from "../sqlite/fault.ts";
import { copyStore } from "./copy.ts";

/** What became of it. */
interface Rehoused<T> {
  readonly made: T;
  /** The schema in which the store stays as it was; undefined: nothing was changed. */
  readonly kept: string | undefined;
}

interface Change<T> {
  /** Changes the store in a file. */
  run(file: string): T;
  /** Whether it was changed. */
  isDone(made: T): boolean;
  say(text: string): void;
}

/** A name that no schema has yet. */
function freeName(sql: Statements, schema: string): string {
  for (let number = 1; ; number++) {
    const name = `${schema}~before-${number}`;
    const found = sql.ask("SELECT 1 FROM pg_namespace WHERE nspname = $1", [name]);
    if (found.length === 0) return name;
  }
}

/**
 * Copies the store at a URL into a file, changes it there, copies it back and puts it in its place
 * in one transaction: whatever breaks it off before leaves the store as it was. Nobody may serve
 * it meanwhile. Rejects with `StorageFault`.
 */
export async function rehoused<T>(url: string, change: Change<T>): Promise<Rehoused<T>> {
  const { schema } = placeOf(url);
  const connection = await connectionOf({ postgres: url });
  if (connection === undefined) throw new Error("a URL of PostgreSQL names no place");
  const sql = new Statements(() => connection.wire);
  const folder = mkdtempSync(join(tmpdir(), "lacuna-store-"));
  const next = `${schema}~next`;
  try {
    const [lock] = sql.ask("SELECT pg_try_advisory_lock($1::bigint)", [lockOf(`${schema} served`)]);
    if (lock?.[0] !== "t") {
      throw new StorageFault("LOCKED", `nodes serve the schema ${schema}: stop them first`);
    }
    const file = join(folder, "store.sqlite");
    await copyStore(url, file, change.say);
    const made = change.run(file);
    if (!change.isDone(made)) return { made, kept: undefined };
    // What was broken off may have left one.
    sql.ask(`DROP SCHEMA IF EXISTS ${quoted(next)} CASCADE`);
    await copyStore(file, withSchema(url, next), change.say);
    const kept = freeName(sql, schema);
    sql.defer("BEGIN");
    sql.ask(`ALTER SCHEMA ${quoted(schema)} RENAME TO ${quoted(kept)}`);
    sql.ask(`ALTER SCHEMA ${quoted(next)} RENAME TO ${quoted(schema)}`);
    sql.ask("COMMIT");
    return { made, kept };
  } finally {
    connection.wire.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
