/** Opens a store of a plan: a SQLite file, durable, or memory; refuses what is not its own. */
import { randomBytes } from "node:crypto";
import Database from "better-sqlite3";
import { type Plan, withClocks } from "../plan/index.ts";
import type { KeptJudges, Session } from "../run/index.ts";
import { MemorySession } from "./memory/session.ts";
import type { OpenStore } from "./opened.ts";
import type { StorePlace } from "./place.ts";
import type { Connection } from "./postgres/connection.ts";
import { openPostgres } from "./postgres/open.ts";
import { placeOf } from "./postgres/place.ts";
import { STEP_FUNCTION } from "./query/steps.ts";
import { schemaOf } from "./schema/schema.ts";
import {
  type Heir,
  isOf,
  judgeDocument,
  keepDocument,
  notesOf,
  putMeta,
  readMeta,
  type Taken,
  takeDocument,
} from "./sqlite/document.ts";
import { isOutOfSpace, StorageFault, storageFault } from "./sqlite/fault.ts";
import { hasTables, judgeFormat } from "./sqlite/format.ts";
import { refreshIndexes } from "./sqlite/indexes.ts";
import type { FirstValue } from "./sqlite/inherit.ts";
import { type Migration, prepareMigration, Stopped } from "./sqlite/migration.ts";
import { ownStore } from "./sqlite/owner.ts";
import { SqliteSession } from "./sqlite/session.ts";
import type { Retell } from "./sqlite/told.ts";
import { makeOthers } from "./sqlite/widen.ts";
import { backupHeld } from "./whole/copy.ts";
import { OwnLoss } from "./whole/loss.ts";
import { judgePath, judgeStranger } from "./whole/path.ts";
import { Whole } from "./whole/whole.ts";

export interface StoreOptions {
  readonly store: StorePlace;
  /** `write` makes the file where there is none. */
  readonly mode: "read" | "write";
  /** How long to wait for another program's lock; default 2 s. */
  readonly waitMs?: number;
  /** Pages that the file may have at most; default: as many as the disk holds. */
  readonly pagesMax?: number;
  /** JSON text of where the items of the plan stand. Default: nowhere. */
  readonly places?: string | undefined;
  /** What rows that are there have in a field that is new. Default: no document has any. */
  readonly first?: FirstValue;
  /** How the rows that events hold are made anew. Default: events hold none. */
  readonly retell?: Retell;
  /** Plans of older documents that use the same rows. Default: none. */
  readonly beside?: readonly Plan[];
  /** To migrate the store that is there. Default: it is taken over, with nothing decided. */
  readonly migration?: Migration;
}

const WAIT_MS = 2000;
const SECRET_BYTES = 32;

/** Told how far it is, while a large store is compared with what was written. */
type Say = (text: string) => void;

interface Wanted extends Heir {
  readonly migration: Migration | undefined;
}

function create(db: Database.Database, wanted: Heir): Taken {
  db.exec(wanted.schema.statements.join(";\n"));
  keepDocument(db, wanted);
  return { said: [], added: [...wanted.schema.tables.keys()] };
}

/** Resources whose rows at the start are still to come: the writer takes the note away then. */
const UNFILLED = "unfilled";

function unfilledIn(db: Database.Database): ReadonlySet<string> {
  return new Set(JSON.parse(readMeta(db, UNFILLED) ?? "[]") as string[]);
}

/** Whoever only reads finds the store as its writer has made it. */
function checkReader(db: Database.Database, wanted: Heir): void {
  judgeFormat(db, wanted.file);
  if (isOf(db, wanted)) return;
  throw new StorageFault("SCHEMA", `${wanted.file} is written by another document meanwhile`);
}

/** Prepares a connection that writes; WAL and a full sync are read back after a write. */
function prepareWriter(db: Database.Database, wanted: Wanted): readonly string[] {
  const { file, migration } = wanted;
  if (migration !== undefined) {
    judgeFormat(db, file);
    prepareMigration(db, wanted, migration);
    if (!migration.isDry) backupHeld(db, { file, ...migration.backup });
  }
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.exec("BEGIN IMMEDIATE");
  const { said, added } = hasTables(db) ? taken(db, wanted) : create(db, wanted);
  if (added.length > 0) putMeta(db, UNFILLED, JSON.stringify([...unfilledIn(db), ...added]));
  db.prepare(
    "INSERT INTO meta (name, value) VALUES ('opened', '1') " +
      "ON CONFLICT (name) DO UPDATE SET value = value + 1",
  ).run();
  db.prepare("INSERT OR IGNORE INTO meta (name, value) VALUES ('secret', ?)").run(
    randomBytes(SECRET_BYTES).toString("base64"),
  );
  if (migration?.isDry === true) {
    db.exec("ROLLBACK");
    throw new Stopped();
  }
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
  return said;
}

/** A store that is there, as one of the document. */
function taken(db: Database.Database, wanted: Heir): Taken {
  judgeFormat(db, wanted.file);
  const isSame = isOf(db, wanted);
  const found = isSame ? { said: [], added: [] } : takeDocument(db, wanted);
  // Its lines may be others though it says the same.
  if (isSame && readMeta(db, "places") !== wanted.places) putMeta(db, "places", wanted.places);
  makeOthers(db, wanted.schema);
  refreshIndexes(db, wanted.schema);
  return found;
}

function connect(file: string, options: StoreOptions): Database.Database {
  const db = new Database(file, {
    readonly: options.mode === "read",
    timeout: options.waitMs ?? WAIT_MS,
  });
  db.pragma("foreign_keys = OFF");
  db.pragma("cache_size = -65536");
  db.pragma("temp_store = MEMORY");
  if (options.pagesMax !== undefined) db.pragma(`max_page_count = ${Number(options.pagesMax)}`);
  return db;
}

/** Whatever was done to open a store is undone again, last things first. */
class Undone {
  readonly #steps: (() => void)[] = [];

  add(step: () => void): void {
    this.#steps.unshift(step);
  }

  run(): void {
    for (const step of this.#steps.splice(0)) step();
  }
}

function openSqlite(wanted: Wanted, options: StoreOptions, say?: Say): OpenStore {
  const undone = new Undone();
  try {
    if (wanted.file !== ":memory:") {
      judgePath(wanted.file, wanted.migration === undefined ? options.mode : "read");
    }
    return options.mode === "write"
      ? openWriter(wanted, { ...options, say }, undone)
      : openReader(wanted, options, undone);
  } catch (error) {
    undone.run();
    throw error;
  }
}

/** Statements call what was given last. */
function watched(db: Database.Database): OpenStore["watch"] {
  let seen = (): void => {};
  db.function(STEP_FUNCTION, { deterministic: false }, () => {
    seen();
    return 1;
  });
  return (look) => {
    seen = look;
  };
}

function openReader(wanted: Heir, options: StoreOptions, undone: Undone): OpenStore {
  const db = connect(wanted.file, options);
  undone.add(() => db.close());
  const watch = watched(db);
  checkReader(db, wanted);
  const version = db.prepare("PRAGMA data_version").pluck(true);
  return {
    ...transactions(db, new SqliteSession(db, wanted.schema), new Set()),
    said: [],
    watch,
    loss: new OwnLoss(),
    secret: secretOf(db),
    // SQLite's number changes with each commit of another connection, and only then.
    version: () => version.get(),
    close: () => db.close(),
  };
}

function openWriter(
  wanted: Wanted,
  options: StoreOptions & { readonly say: Say | undefined },
  undone: Undone,
): OpenStore {
  const { schema, file } = wanted;
  const isFile = file !== ":memory:";
  if (isFile) undone.add(ownStore(file));
  if (isFile) judgeStranger(file);
  const whole = isFile ? Whole.begin(file, options.say) : undefined;
  if (whole) undone.add(() => whole.end());
  const db = connect(file, options);
  undone.add(() => db.close());
  const watch = watched(db);
  const loss = new OwnLoss();
  db.pragma("journal_mode = WAL");
  whole?.open(db, (fault) => loss.hear(fault));
  // What is refused is left as a stop leaves it.
  if (whole) undone.add(() => whole.close(db));
  // The log is not taken into the file inside a transaction.
  undone.add(() => {
    if (db.inTransaction) db.exec("ROLLBACK");
  });
  const said = prepareWriter(db, wanted);
  whole?.committed(db);
  return {
    ...transactions(db, new SqliteSession(db, schema), unfilledIn(db), whole),
    said,
    watch,
    loss,
    secret: secretOf(db),
    version: () => undefined,
    close: () => undone.run(),
  };
}

function secretOf(db: Database.Database): Uint8Array {
  return Buffer.from(readMeta(db, "secret") ?? "", "base64");
}

function transactions(
  db: Database.Database,
  session: Session,
  unfilled: ReadonlySet<string>,
  whole?: Whole,
): Omit<OpenStore, "version" | "secret" | "said" | "watch" | "close" | "loss"> {
  const [begin, beginWrite] = [db.prepare("BEGIN"), db.prepare("BEGIN IMMEDIATE")];
  const [commit, rollback] = [db.prepare("COMMIT"), db.prepare("ROLLBACK")];
  const fill = db.prepare(`DELETE FROM meta WHERE name = '${UNFILLED}'`);
  let isUnfilled = unfilled.size > 0;
  let isFull = false;
  const guard = <T>(run: () => T): T => {
    try {
      return run();
    } catch (error) {
      isFull ||= isOutOfSpace(error);
      throw storageFault(error);
    }
  };
  // What the log holds may fit into the file itself, over pages that are there already.
  const makeRoom = (): void => {
    isFull = false;
    whole?.takeLog(db, "TRUNCATE");
  };
  return {
    session,
    unfilled,
    notes: notesOf(db),
    begin: (mode) => void guard(() => (mode === "write" ? beginWrite : begin).run()),
    commit: () =>
      guard(() => {
        // The first transaction of a new store carries its start rows.
        if (isUnfilled && db.inTransaction) fill.run();
        isUnfilled = false;
        commit.run();
        whole?.committed(db);
      }),
    rollback: () =>
      guard(() => {
        if (db.inTransaction) rollback.run();
        if (isFull) makeRoom();
      }),
  };
}

function openMemory(plan: Plan): OpenStore {
  const session = new MemorySession(plan);
  const notes = new Map<string, string>();
  return {
    session,
    notes: { read: (name) => notes.get(name), keep: (name, text) => void notes.set(name, text) },
    secret: randomBytes(SECRET_BYTES),
    unfilled: new Set(plan.resources.map(({ name }) => name)),
    said: [],
    begin: () => session.savepoint(),
    commit: () => session.release(),
    rollback: () => session.rollback(),
    watch: () => {},
    version: () => undefined,
    loss: new OwnLoss(),
    close: () => {},
  };
}

/**
 * Opens the store of a plan. A store of another document is taken over where each value in it is
 * read as it was written. Throws `StorageFault` where it is not, and where the file is of another
 * program or another format, is locked or damaged, or cannot be written durably.
 */
export function openStore(plan: Plan, options: StoreOptions): OpenStore {
  return prepareStore(plan, options)();
}

/**
 * All that can be done before the file is there; what it gives opens the store as `openStore`, and
 * lets rows be judged where the document is narrower than the one that wrote them.
 */
export function prepareStore(
  stated: Plan,
  options: StoreOptions,
): (judges?: KeptJudges, say?: Say, over?: Connection) => OpenStore {
  const { store } = options;
  if (store === "memory") return () => openMemory(withClocks(stated));
  if ("postgres" in store) {
    const { mode, places = "{}", beside = [] } = options;
    const { node = "", explains = false } = store;
    const { schema } = placeOf(store.postgres);
    return (_judges, _say, over) => {
      if (over === undefined) throw new Error("a store in PostgreSQL is opened over a connection");
      return openPostgres(over, {
        ...{ plan: stated, beside, places, schema, node, explains },
        mode: over.isBeside === true ? "beside" : mode,
        first: firstOf(options),
      });
    };
  }
  const wanted = wantedOf(stated, store.file, options);
  const { migration } = options;
  const decisions = migration?.decisions;
  return (judges, say) => {
    try {
      return openSqlite({ ...wanted, judges, migration, decisions }, options, say);
    } catch (error) {
      throw storageFault(error, wanted.file);
    }
  };
}

function firstOf({ first }: StoreOptions): FirstValue {
  return (
    first ??
    (({ id }): never => {
      throw new Error(`nothing says what ${id} is in rows that are there`);
    })
  );
}

function wantedOf(stated: Plan, file: string, options: StoreOptions): Omit<Heir, "judges"> {
  const schema = schemaOf(withClocks(stated), {
    indexed: options.mode === "write",
    beside: options.beside?.map(withClocks),
  });
  const first = firstOf(options);
  const retell = options.retell ?? ((content: string) => content);
  return { plan: stated, places: options.places ?? "{}", schema, file, first, retell };
}

/**
 * Compares a store, which another document may be served on, with a document, as far as that needs
 * no writing. Throws `StorageFault` where the document would be refused for what is kept.
 */
export function judgeStore(stated: Plan, options: StoreOptions, judges: KeptJudges): void {
  const { store } = options;
  // What is kept in PostgreSQL is compared when it is opened.
  if (store === "memory" || "postgres" in store) return;
  const wanted = { ...wantedOf(stated, store.file, options), judges };
  try {
    const db = connect(wanted.file, { ...options, mode: "read" });
    try {
      db.exec("BEGIN");
      judgeFormat(db, wanted.file);
      if (!isOf(db, wanted)) judgeDocument(db, wanted);
    } finally {
      db.close();
    }
  } catch (error) {
    throw storageFault(error, wanted.file);
  }
}
