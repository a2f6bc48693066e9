/** Opens a store of a plan: a SQLite file, durable, or memory; refuses what is not its own. */
import { createHash, randomBytes } from "node:crypto";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { type Plan, withClocks } from "../plan/index.ts";
import type { Session } from "../run/index.ts";
import { MemorySession } from "./memory/session.ts";
import { type Schema, STORAGE_FORMAT, schemaOf } from "./schema/schema.ts";
import { isOutOfSpace, StorageFault, storageFault } from "./sqlite/fault.ts";
import { SqliteSession } from "./sqlite/session.ts";

// An import of it would also load its streams into each thread.
const { existsSync } = process.getBuiltinModule("node:fs");

export interface OpenStore {
  readonly session: Session;
  /** 32 random bytes that are made with the store and stay the same. */
  readonly secret: Uint8Array;
  /** Nothing was in it: rows stated for the start are still to be inserted. */
  readonly isNew: boolean;
  /** `write` takes the writing lock at once, so that the transaction is serializable. */
  begin(mode: "read" | "write"): void;
  /** Returns when the transaction is durable. */
  commit(): void;
  rollback(): void;
  /** Equal as long as what is read is the same; undefined where this connection may change it. */
  version(): unknown;
  close(): void;
}

export interface StoreOptions {
  readonly store: { readonly file: string } | "memory";
  /** `write` makes the file where there is none. */
  readonly mode: "read" | "write";
  /** How long to wait for another program's lock; default 2 s. */
  readonly waitMs?: number;
  /** Pages that the file may have at most; default: as many as the disk holds. */
  readonly pagesMax?: number;
}

const WAIT_MS = 2000;
const SECRET_BYTES = 32;

/** Hash of the statements that make the tables, without the indexes, which can be made anew. */
function schemaHash(schema: Schema): string {
  const tables = schema.statements.filter((one) => !one.startsWith("CREATE INDEX"));
  return createHash("sha256").update(JSON.stringify(tables)).digest("hex");
}

function readMeta(db: Database.Database, name: string): string | undefined {
  const found = db.prepare("SELECT value FROM meta WHERE name = ?").get(name);
  return (found as { value: string } | undefined)?.value;
}

function hasTables(db: Database.Database): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() !== undefined;
}

function create(db: Database.Database, schema: Schema): void {
  db.exec(schema.statements.join(";\n"));
  const put = db.prepare("INSERT INTO meta (name, value) VALUES (?, ?)");
  put.run("storage", String(STORAGE_FORMAT));
  put.run("schema", schemaHash(schema));
}

/** Makes indexes that the plan wants now and drops those that it no longer wants. */
function refreshIndexes(db: Database.Database, schema: Schema): void {
  const wanted = new Map(
    schema.statements
      .filter((one) => one.startsWith("CREATE INDEX"))
      .map((one) => [/INDEX "?(.+?)"? ON /.exec(one)?.[1] ?? "", one]),
  );
  const there = db
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' " + "AND sql IS NOT NULL")
    .all() as { name: string; sql: string }[];
  for (const { name, sql } of there) {
    if (wanted.get(name.replaceAll('"', '""')) === sql) wanted.delete(name.replaceAll('"', '""'));
    else db.exec(`DROP INDEX "${name.replaceAll('"', '""')}"`);
  }
  for (const statement of wanted.values()) db.exec(statement);
}

function check(db: Database.Database, schema: Schema, file: string): void {
  const isOurs = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get() !== undefined;
  const format = isOurs ? readMeta(db, "storage") : undefined;
  if (format === undefined) {
    throw new StorageFault("SCHEMA", `${file} is a database of another program: name another file`);
  }
  if (format !== String(STORAGE_FORMAT)) {
    throw new StorageFault(
      "SCHEMA",
      `${file} was written in storage format ${format}, and this ` +
        `is ${STORAGE_FORMAT}: use the version of Lacuna that wrote it`,
    );
  }
  if (readMeta(db, "schema") !== schemaHash(schema)) {
    throw new StorageFault(
      "SCHEMA",
      `${file} holds other resources or fields than the document ` +
        "states: name another file, or serve the document that it was made for",
    );
  }
}

/** Prepares a connection that writes; WAL and a full sync are read back after a write. */
function prepareWriter(db: Database.Database, schema: Schema, file: string): boolean {
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  // Checkpoints are four times rarer than by default, so that a page that is written often is
  // copied into the file once.
  db.pragma("wal_autocheckpoint = 4000");
  db.exec("BEGIN IMMEDIATE");
  const isNew = !hasTables(db);
  if (isNew) create(db, schema);
  else {
    check(db, schema, file);
    refreshIndexes(db, schema);
  }
  db.prepare(
    "INSERT INTO meta (name, value) VALUES ('opened', '1') " +
      "ON CONFLICT (name) DO UPDATE SET value = value + 1",
  ).run();
  db.prepare("INSERT OR IGNORE INTO meta (name, value) VALUES ('secret', ?)").run(
    randomBytes(SECRET_BYTES).toString("base64"),
  );
  db.exec("COMMIT");
  const mode = db.pragma("journal_mode", { simple: true });
  const sync = db.pragma("synchronous", { simple: true });
  if (mode !== "wal" || Number(sync) !== 2) {
    throw new StorageFault(
      "DURABILITY",
      `${file} cannot be written durably: journal_mode is ` +
        `${String(mode)} (wal is needed), synchronous is ${String(sync)} (2 is needed)`,
    );
  }
  return isNew;
}

/** Whether the rows of the start are still to come: the writer marks it when they are in. */
function isUnfilled(db: Database.Database): boolean {
  return readMeta(db, "filled") === undefined;
}

function connect(file: string, options: StoreOptions): Database.Database {
  if (options.mode === "read" && !existsSync(file)) {
    throw new StorageFault("SQLITE_CANTOPEN", `${file} is not there`);
  }
  if (file !== ":memory:" && !existsSync(dirname(file))) {
    throw new StorageFault("SQLITE_CANTOPEN", `the folder of ${file} is not there`);
  }
  const db = new Database(file, {
    readonly: options.mode === "read",
    timeout: options.waitMs ?? WAIT_MS,
  });
  db.pragma("foreign_keys = OFF");
  db.pragma("cache_size = -65536");
  db.pragma("mmap_size = 268435456");
  db.pragma("temp_store = MEMORY");
  if (options.pagesMax !== undefined) db.pragma(`max_page_count = ${Number(options.pagesMax)}`);
  return db;
}

function openSqlite(schema: Schema, file: string, options: StoreOptions): OpenStore {
  const db = connect(file, options);
  try {
    if (options.mode === "write") prepareWriter(db, schema, file);
    else check(db, schema, file);
    const isNew = options.mode === "write" && isUnfilled(db);
    return {
      ...transactions(db, new SqliteSession(db, schema), isNew),
      secret: Buffer.from(readMeta(db, "secret") ?? "", "base64"),
      version: versionOf(db, options.mode),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** SQLite's number changes with each commit of another connection, and only then. */
function versionOf(db: Database.Database, mode: StoreOptions["mode"]): () => unknown {
  if (mode === "write") return () => undefined;
  const version = db.prepare("PRAGMA data_version").pluck(true);
  return () => version.get();
}

function transactions(
  db: Database.Database,
  session: Session,
  isNew: boolean,
): Omit<OpenStore, "version" | "secret"> {
  const [begin, beginWrite] = [db.prepare("BEGIN"), db.prepare("BEGIN IMMEDIATE")];
  const [commit, rollback] = [db.prepare("COMMIT"), db.prepare("ROLLBACK")];
  const fill = db.prepare("INSERT OR IGNORE INTO meta (name, value) VALUES ('filled', '1')");
  let unfilled = isNew;
  let isFull = false;
  const guard = (run: () => unknown): void => {
    try {
      run();
    } catch (error) {
      isFull ||= isOutOfSpace(error);
      throw storageFault(error);
    }
  };
  // What the log holds may fit into the file itself, over pages that are there already.
  const makeRoom = (): void => {
    isFull = false;
    try {
      db.pragma("wal_checkpoint(TRUNCATE)");
    } catch {
      // There is no room there either: the next transaction tells.
    }
  };
  return {
    session,
    isNew,
    begin: (mode) => guard(() => (mode === "write" ? beginWrite : begin).run()),
    commit: () =>
      guard(() => {
        // The first transaction of a new store carries its start rows.
        if (unfilled && db.inTransaction) fill.run();
        unfilled = false;
        commit.run();
      }),
    rollback: () =>
      guard(() => {
        if (db.inTransaction) rollback.run();
        if (isFull) makeRoom();
      }),
    close: () => db.close(),
  };
}

function openMemory(plan: Plan): OpenStore {
  const session = new MemorySession(plan);
  return {
    session,
    secret: randomBytes(SECRET_BYTES),
    isNew: true,
    begin: () => session.savepoint(),
    commit: () => session.release(),
    rollback: () => session.rollback(),
    version: () => undefined,
    close: () => {},
  };
}

/**
 * Opens the store of a plan. Throws `StorageFault` where the file is of another program, another
 * document or another format, is locked or damaged, or cannot be written durably.
 */
export function openStore(plan: Plan, options: StoreOptions): OpenStore {
  return prepareStore(plan, options)();
}

/** All that can be done before the file is there; what it gives opens the store as `openStore`. */
export function prepareStore(stated: Plan, options: StoreOptions): () => OpenStore {
  const plan = withClocks(stated);
  if (options.store === "memory") return () => openMemory(plan);
  const { file } = options.store;
  const schema = schemaOf(plan, { indexed: options.mode === "write" });
  return () => {
    try {
      return openSqlite(schema, file, options);
    } catch (error) {
      throw storageFault(error);
    }
  };
}
