/** Knows which tables have ever held a row, from what SQLite notes of the keys that it gave. */
import type Database from "better-sqlite3";
import type { Schema } from "../schema/schema.ts";
import type { Statement } from "./statements.ts";

/** Resources that may hold rows, as one connection sees them. */
export class NonEmptyTables {
  readonly #db: Database.Database;
  readonly #schema: Schema;
  readonly #version: Statement;
  readonly #names = new Set<string>();
  #keys: Statement | undefined;
  #seen: unknown;

  constructor(db: Database.Database, schema: Schema) {
    this.#db = db;
    this.#schema = schema;
    this.#version = db.prepare<unknown[]>("PRAGMA data_version").pluck(true);
  }

  /** A row of the resource was inserted over this connection; undone or not. */
  add(resource: string): void {
    this.#names.add(resource);
  }

  /** All that ever were filled: a key that was given is noted for good. */
  names(): ReadonlySet<string> {
    if (this.#names.size === this.#schema.tables.size) return this.#names;
    // It is another number when another connection has committed.
    const version = this.#version.get();
    if (version === this.#seen) return this.#names;
    this.#keys ??= this.#db.prepare<unknown[]>("SELECT name FROM sqlite_sequence").pluck(true);
    const tables = new Set(this.#keys.all());
    for (const { name, resource } of this.#schema.tables.values()) {
      if (tables.has(name)) this.#names.add(resource);
    }
    this.#seen = version;
    return this.#names;
  }
}
