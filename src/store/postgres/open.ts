/** Opens a store in PostgreSQL: makes its tables where there are none, and refuses another's. */
import { createHash, randomBytes } from "node:crypto";
import { type Plan, withClocks } from "../../plan/index.ts";
import type { OpenStore } from "../opened.ts";
import { type Schema, STORAGE_FORMAT, schemaOf } from "../schema/schema.ts";
import { bareText } from "../sqlite/document.ts";
import { StorageFault } from "../sqlite/fault.ts";
import { OwnLoss } from "../whole/loss.ts";
import type { Connection } from "./connection.ts";
import { pgFault } from "./fault.ts";
import { creatingOf } from "./schema.ts";
import { PgSession } from "./session.ts";
import { PgTransaction } from "./transaction.ts";
import type { Held, HeldRow, Wire } from "./wire.ts";

const SECRET_BYTES = 32;
const VERSION_LEAST = 150_000;
/** Resources whose rows at the start are still to come. */
const UNFILLED = "unfilled";

/** What a store in PostgreSQL is opened as. */
interface PgWanted {
  readonly plan: Plan;
  readonly beside: readonly Plan[];
  readonly places: string;
  readonly mode: "read" | "write";
  /** The schema that holds its tables. */
  readonly schema: string;
}

/** The number of the lock that one transaction that writes has at a time, of all nodes. */
function lockOf(schema: string): bigint {
  return createHash("sha256").update(`lacuna ${schema}`).digest().readBigInt64BE();
}

/** Statements of one connection, whose faults are those of a store. */
class Statements {
  readonly #wire: () => Wire;

  constructor(wire: () => Wire) {
    this.#wire = wire;
  }

  ask(sql: string, values: readonly Held[] = []): readonly HeldRow[] {
    return this.guard((wire) => wire.ask(sql, values));
  }

  guard<T>(run: (wire: Wire) => T): T {
    try {
      return run(this.#wire());
    } catch (error) {
      throw pgFault(error);
    }
  }

  read(name: string): string | undefined {
    return this.ask("SELECT value FROM meta WHERE name = $1", [name])[0]?.[0] ?? undefined;
  }

  put(name: string, value: string): void {
    this.ask(
      "INSERT INTO meta (name, value) VALUES ($1, $2) " +
        "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      [name, value],
    );
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** What the server must be. */
function judgeServer(sql: Statements): void {
  const [row] = sql.ask(
    "SELECT current_setting('server_version_num'), current_setting('server_encoding')",
  );
  const [version, encoding] = row ?? [];
  if (Number(version) < VERSION_LEAST) {
    throw new StorageFault("SERVER", "the server is older than PostgreSQL 15");
  }
  if (encoding !== "UTF8") {
    const is = `the database has the encoding ${encoding}`;
    throw new StorageFault("SERVER", `${is}: make one with the encoding UTF8`);
  }
}

/** Throws where the tables are not of the document. */
function judgeDocument(sql: Statements, plan: Plan, schema: string): void {
  const format = sql.read("storage");
  if (format !== String(STORAGE_FORMAT)) {
    throw new StorageFault(
      "SCHEMA",
      `the schema ${schema} was written in storage format ${format ?? "of another program"}, ` +
        `and this version of Lacuna reads ${STORAGE_FORMAT}`,
    );
  }
  if (sql.read("plan") === bareText(plan)) return;
  throw new StorageFault(
    "SCHEMA",
    `the schema ${schema} holds what was written by another document, and stores in PostgreSQL ` +
      "are not taken over yet: serve the document that it was made for, or name another schema " +
      "(`?schema=name` behind the database)",
  );
}

/** The server cuts what is longer without a word, so that two names may become one. */
const NAME_BYTES = 63;

function judgeNames({ tables }: Schema): void {
  const names = [...tables.values()].flatMap(({ name, columns, lists, indexes }) => [
    ...[name, ...lists.values(), ...indexes.map((one) => one.name)],
    ...columns.flatMap((one) => [one.name, one.there ?? ""]),
  ]);
  const long = names.find((one) => Buffer.byteLength(one) > NAME_BYTES);
  if (long === undefined) return;
  throw new StorageFault(
    "SCHEMA",
    `the name \`${long}\` of a table or column would be longer than the ${NAME_BYTES} bytes that ` +
      "PostgreSQL takes: shorten the name of the resource or field, or keep it in a file",
  );
}

/** Makes the tables where there are none; refuses what another document has written. */
function prepared(sql: Statements, wanted: PgWanted): void {
  const { plan, beside, schema, places } = wanted;
  const isThere = sql.ask("SELECT to_regclass('meta')")[0]?.[0] !== null;
  if (isThere) {
    judgeDocument(sql, plan, schema);
    if (sql.read("places") !== places) sql.put("places", places);
    return;
  }
  const made = schemaOf(withClocks(plan), { beside: beside.map(withClocks) });
  judgeNames(made);
  for (const one of creatingOf([plan, ...beside].map(withClocks), made)) sql.ask(one);
  sql.put("storage", String(STORAGE_FORMAT));
  sql.put("plan", bareText(plan));
  sql.put("places", places);
  sql.put(UNFILLED, JSON.stringify(plan.resources.map(({ name }) => name)));
  sql.put("secret", randomBytes(SECRET_BYTES).toString("base64"));
}

/** How long it is waited before a server is looked for again, in milliseconds. */
const AGAIN_MS = 250;

/** The connection that there is now; one that is lost is made anew beside. */
class Lasting {
  readonly #connection: Connection;
  readonly #begin: (sql: Statements) => void;
  #wire: Wire;
  #isLooking = false;
  #isClosed = false;

  /** `begin`: what is said first over each connection. */
  constructor(connection: Connection, begin: (sql: Statements) => void) {
    this.#connection = connection;
    this.#begin = begin;
    this.#wire = connection.wire;
    begin(new Statements(() => connection.wire));
  }

  readonly wire = (): Wire => {
    if (this.#wire.isCut) this.#look();
    return this.#wire;
  };

  #look(): void {
    if (this.#isLooking || this.#isClosed) return;
    this.#isLooking = true;
    setTimeout(() => void this.#renew(), AGAIN_MS).unref();
  }

  async #renew(): Promise<void> {
    let wire: Wire | undefined;
    try {
      const made = await this.#connection.again();
      wire = made;
      this.#begin(new Statements(() => made));
      this.#wire = made;
    } catch {
      // It may be refused for as long as another node, or another document, is there.
      wire?.close();
    }
    this.#isLooking = false;
    if (this.#isClosed) this.#wire.close();
    else if (this.#wire.isCut) this.#look();
  }

  close(): void {
    this.#isClosed = true;
    this.#wire.close();
  }
}

/** Opens the store over a connection, which is this store's from then on. Throws `StorageFault`. */
export function openPostgres(connection: Connection, wanted: PgWanted): OpenStore {
  const { schema, mode, plan } = wanted;
  let isOpen = false;
  try {
    const lasting = new Lasting(connection, (sql) => {
      judgeServer(sql);
      sql.ask(`SET search_path TO ${quoted(schema)}`);
      if (mode === "write") holdAlone(sql, wanted);
      // Another document may have been served meanwhile.
      if (isOpen) judgeDocument(sql, plan, schema);
    });
    const sql = new Statements(lasting.wire);
    if (mode === "write") {
      beginWriting(sql, schema);
      sql.ask(`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`);
      prepared(sql, wanted);
      sql.ask("COMMIT");
    }
    isOpen = true;
    return opened(lasting, sql, wanted);
  } catch (error) {
    connection.wire.close();
    throw error;
  }
}

/**
 * What a node does by itself is not shared yet: a document with calls, webhooks or streams is
 * served by one node at a time. The lock ends with the connection.
 */
function holdAlone(sql: Statements, { plan, beside, schema }: PgWanted): void {
  const all = [plan, ...beside];
  if (all.every(({ calls, webhooks, streams }) => ![calls, webhooks, streams].flat().length))
    return;
  const lock = String(lockOf(`${schema} alone`));
  const [row] = sql.ask("SELECT pg_try_advisory_lock($1::bigint)", [lock]);
  if (row?.[0] === "t") return;
  throw new StorageFault(
    "ALONE",
    `another node serves the schema ${schema}: of a document with calls, webhooks or streams ` +
      "there is one node at a time",
  );
}

/** Begins a transaction that writes, when it is its turn. */
function beginWriting(sql: Statements, schema: string): void {
  sql.guard((wire) => wire.defer("BEGIN"));
  sql.ask("SELECT pg_advisory_xact_lock($1::bigint)", [String(lockOf(schema))]);
}

/** Whether rows at the start are this transaction's; else another node has inserted them. */
function isFilledHere(sql: Statements): boolean {
  return sql.ask("DELETE FROM meta WHERE name = $1 RETURNING name", [UNFILLED]).length > 0;
}

function opened(lasting: Lasting, sql: Statements, wanted: PgWanted): OpenStore {
  const { plan, beside, mode } = wanted;
  const schema = schemaOf(withClocks(plan), { beside: beside.map(withClocks), indexed: false });
  const tx = new PgTransaction(lasting.wire);
  const unfilled = new Set(JSON.parse(sql.read(UNFILLED) ?? "[]") as string[]);
  const secret = Buffer.from(sql.read("secret") ?? "", "base64");
  let isUnfilled = mode === "write" && unfilled.size > 0;
  return {
    session: new PgSession(tx, schema),
    secret,
    unfilled: mode === "write" ? unfilled : new Set(),
    said: [],
    notes: {
      read: (name) => sql.read(`note ${name}`),
      keep: (name, text) => sql.put(`note ${name}`, text),
    },
    begin: (how) => {
      tx.begin();
      if (how === "write") beginWriting(sql, wanted.schema);
      else sql.guard((wire) => wire.defer("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"));
    },
    commit: () => {
      tx.keep();
      if (isUnfilled && !isFilledHere(sql)) {
        throw new StorageFault(
          "FILLED",
          `another node has just made the schema ${wanted.schema}: start again`,
        );
      }
      sql.ask("COMMIT");
      isUnfilled = false;
    },
    rollback: () =>
      sql.guard((wire) => {
        if (wire.isCut) return;
        // Nobody waits for it: what is refused then is told by what is asked next.
        wire.defer("ROLLBACK");
        wire.post();
      }),
    isShared: true,
    watch: () => {},
    version: () => undefined,
    loss: new OwnLoss(),
    close: () => lasting.close(),
  };
}
