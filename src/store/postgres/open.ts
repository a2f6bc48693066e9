/** Opens a store in PostgreSQL: makes its tables where there are none, and refuses another's. */
import { createHash, randomBytes } from "node:crypto";
import { type Field, type Plan, withClocks } from "../../plan/index.ts";
import type { Value } from "../../run/index.ts";
import type { OpenStore } from "../opened.ts";
import { STORAGE_FORMAT, schemaOf } from "../schema/schema.ts";
import { bareText } from "../sqlite/document.ts";
import { StorageFault } from "../sqlite/fault.ts";
import { OwnLoss } from "../whole/loss.ts";
import type { Connection } from "./connection.ts";
import { Growth } from "./growth.ts";
import { Lasting } from "./lasting.ts";
import { judgeNames } from "./names.ts";
import { PgNode } from "./node.ts";
import { Presence } from "./presence.ts";
import { PgReads } from "./reads.ts";
import { creatingOf } from "./schema.ts";
import { PgSession } from "./session.ts";
import { lockOf, quoted, Statements } from "./statements.ts";
import { ENDED, PgTransaction } from "./transaction.ts";
import { Trips } from "./trips.ts";
import { widening } from "./widen.ts";
import type { Wire } from "./wire.ts";
import { PgWrites, UNFILLED } from "./writes.ts";

const SECRET_BYTES = 32;
const VERSION_LEAST = 150_000;
/** Digests of the documents beside which the present one was taken. */
const BESIDES = "besides";

/** What a store in PostgreSQL is opened as. */
interface PgWanted {
  readonly plan: Plan;
  readonly beside: readonly Plan[];
  readonly places: string;
  /** What rows that are there have in a field that is new. */
  readonly first: (field: Field) => Value;
  /** `beside`: it writes, too, to a store that another connection of the process has opened. */
  readonly mode: "read" | "write" | "beside";
  /** The schema that holds its tables. */
  readonly schema: string;
  /** The name of this process among those that serve on it. */
  readonly node: string;
  /** Whether what is sent can be told. */
  readonly explains: boolean;
}

/**
 * What holds of each connection: a node that stops in the middle of a transaction, or whose machine
 * is gone, keeps no other one waiting for longer; nor does one that waits for its turn. What has an
 * index is found by it, be nothing known of how many rows there are; a table that has none is gone
 * through all the same, and the cost that this is given makes no code be compiled for it.
 */
const SETTINGS =
  "SELECT set_config('search_path', $1, false), " +
  "set_config('idle_in_transaction_session_timeout', $2, false), " +
  "set_config('lock_timeout', '8s', false), set_config('tcp_user_timeout', '10s', false), " +
  "set_config('tcp_keepalives_idle', '5', false), " +
  "set_config('enable_seqscan', 'off', false), set_config('jit', 'off', false), " +
  "set_config('tcp_keepalives_interval', '2', false), " +
  "set_config('tcp_keepalives_count', '3', false)";

/** How long a node may do nothing in the middle of a transaction: what only reads is in no way. */
const IDLE = { read: "10min", write: "5s", beside: "5s" } as const;

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

/** Throws where the tables are not of a document of this version. */
function judgeFormat(sql: Statements, schema: string): void {
  if (sql.read("copying") !== undefined) {
    throw new StorageFault(
      "SCHEMA",
      `the schema ${schema} holds a copy that is not whole: go on with \`lacuna copy\``,
    );
  }
  const format = sql.read("storage");
  if (format !== String(STORAGE_FORMAT)) {
    throw new StorageFault(
      "SCHEMA",
      `the schema ${schema} was written in storage format ${format ?? "of another program"}, ` +
        `and this version of Lacuna reads ${STORAGE_FORMAT}`,
    );
  }
}

/** Throws where the tables are not of the document. */
function judgeDocument(sql: Statements, plan: Plan, schema: string): void {
  judgeFormat(sql, schema);
  const own = bareText(plan);
  if (sql.read("plan") === own || besides(sql).includes(digestOf(own))) return;
  throw new StorageFault(
    "SCHEMA",
    `the schema ${schema} holds what was written by another document`,
  );
}

/** Documents beside which the one that is noted was taken: they are served on. */
function besides(sql: Statements): readonly string[] {
  return JSON.parse(sql.read(BESIDES) ?? "[]") as string[];
}

function digestOf(plan: string): string {
  return createHash("sha256").update(plan).digest("hex");
}

/** Makes the store one of a wider document; gives what is new, in words. Throws `StorageFault`. */
function widened(sql: Statements, { plan, schema, places, first }: PgWanted): readonly string[] {
  const [before, now] = [sql.read("plan") ?? "{}", bareText(plan)];
  const found = widening(JSON.parse(before) as Plan, JSON.parse(now) as Plan, first);
  if (found.is === "apart") {
    throw new StorageFault(
      "SCHEMA",
      [
        `the schema ${schema} holds what was written by another document, beside which this one ` +
          "cannot be served:",
        ...found.why.map((one) => `- ${one}`),
        "Stop its nodes and migrate it (`lacuna migrate`), or name another schema.",
      ].join("\n"),
    );
  }
  judgeNames(schemaOf(withClocks(plan)));
  for (const one of found.statements) sql.ask(one);
  const unfilled = JSON.parse(sql.read(UNFILLED) ?? "[]") as string[];
  if (found.added.length > 0) sql.put(UNFILLED, JSON.stringify([...unfilled, ...found.added]));
  sql.put(BESIDES, JSON.stringify([...besides(sql), digestOf(before)]));
  sql.put("plan", now);
  sql.put("places", places);
  return found.said;
}

/**
 * Makes the tables where there are none, or those of a wider document; gives what is new, in words.
 */
function prepared(sql: Statements, wanted: PgWanted): readonly string[] {
  const { plan, beside, schema, places } = wanted;
  const isThere = sql.ask("SELECT to_regclass('meta')")[0]?.[0] !== null;
  if (isThere) {
    const isOlder = besides(sql).includes(digestOf(bareText(plan)));
    if (sql.read("plan") !== bareText(plan) && !isOlder) {
      judgeFormat(sql, schema);
      return widened(sql, wanted);
    }
    judgeDocument(sql, plan, schema);
    if (!isOlder && sql.read("places") !== places) sql.put("places", places);
    return [];
  }
  const made = schemaOf(withClocks(plan), { beside: beside.map(withClocks) });
  judgeNames(made);
  for (const one of creatingOf([plan, ...beside].map(withClocks), made)) sql.ask(one);
  sql.put("storage", String(STORAGE_FORMAT));
  sql.put("plan", bareText(plan));
  sql.put("places", places);
  sql.put(UNFILLED, JSON.stringify(plan.resources.map(({ name }) => name)));
  sql.put("secret", randomBytes(SECRET_BYTES).toString("base64"));
  return [];
}

/** Opens the store over a connection, which is this store's from then on. Throws `StorageFault`. */
export function openPostgres(connection: Connection, wanted: PgWanted): OpenStore {
  const { schema, mode, plan } = wanted;
  const presence = new Presence();
  const trips = wanted.explains ? new Trips() : undefined;
  let isOpen = false;
  let said: readonly string[] = [];
  let lasting: Lasting | undefined;
  try {
    const begin = (sql: Statements): void => {
      judgeServer(sql);
      sql.ask(SETTINGS, [quoted(schema), IDLE[mode]]);
      if (mode !== "read") holdServed(sql, schema);
      if (mode === "write") presence.begin(sql);
      // Another document may have been served meanwhile.
      if (isOpen) judgeDocument(sql, plan, schema);
    };
    const made = new Lasting(connection, begin, trips);
    lasting = made;
    const sql = new Statements(made.wire);
    if (mode === "write") {
      sql.beginWriting(lockOf(schema));
      sql.ask(`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`);
      said = prepared(sql, wanted);
      sql.ask("COMMIT");
    }
    isOpen = true;
    const connect = () => begunWith(connection, begin);
    const again = () => connection.again();
    return { ...opened({ lasting: made, presence, trips, connect, again }, wanted), said };
  } catch (error) {
    // One that is made anew meanwhile would hold what a node holds.
    lasting?.close();
    connection.wire.close();
    throw error;
  }
}

/** Another connection that is begun in the same way. Rejects with `StorageFault`. */
async function begunWith(connection: Connection, begin: (sql: Statements) => void): Promise<Wire> {
  const wire = await connection.again();
  try {
    begin(new Statements(() => wire));
    return wire;
  } catch (fault) {
    wire.close();
    throw fault;
  }
}

/** Says that a node serves it, for as long as the connection lasts: nobody changes it meanwhile. */
function holdServed(sql: Statements, schema: string): void {
  const name = lockOf(`${schema} served`);
  const [row] = sql.ask("SELECT pg_try_advisory_lock_shared($1::bigint)", [name]);
  if (row?.[0] === "t") return;
  throw new StorageFault("LOCKED", `the schema ${schema} is being migrated: start again then`);
}

function notesOf(sql: Statements, tx: PgTransaction): OpenStore["notes"] {
  return {
    read: (name) => sql.read(`note ${name}`),
    keep: (name, text) => {
      tx.hasWritten = true;
      sql.put(`note ${name}`, text);
    },
  };
}

/** What a store is opened with. */
interface Made {
  readonly lasting: Lasting;
  /** Makes another connection, for a session. */
  readonly connect: () => Promise<Wire>;
  /** Makes another connection, as it is. */
  readonly again: () => Promise<Wire>;
  readonly presence: Presence;
  readonly trips: Trips | undefined;
}

interface Sharing extends Made {
  readonly node: PgNode;
  readonly tx: PgTransaction;
  readonly reads: PgReads;
  readonly writes: PgWrites;
}

function sharedOf({
  node,
  tx,
  lasting,
  presence,
  trips,
  reads,
  writes,
}: Sharing): OpenStore["shared"] {
  const sql = new Statements(lasting.wire);
  return {
    begin: () => {
      trips?.begin();
      return writes.beginLater();
    },
    commit: (told) => writes.commitLater(told),
    lead: () => node.lead(),
    leads: () => node.leads(),
    own: () => presence.own,
    isGone: (name) => presence.isGone(sql, name),
    foresee: (runs) => tx.foresee(runs),
    attempt: (run) => tx.attempt(run),
    learn: () => tx.learn(),
    waits: () => tx.waits,
    together: (runs) => tx.together(runs),
    later: (runs) => reads.together(runs),
    trips: () => trips?.take(),
    isLong: (fault) => fault instanceof StorageFault && fault.code === ENDED,
    isAway: () => lasting.isCut,
    back: () => lasting.back(),
  };
}

function opened(made: Made, wanted: PgWanted): Omit<OpenStore, "said"> {
  const { lasting } = made;
  const sql = new Statements(lasting.wire);
  const { plan, beside, mode } = wanted;
  const schema = schemaOf(withClocks(plan), { beside: beside.map(withClocks), indexed: false });
  const tx = new PgTransaction(lasting.wire);
  const reads = new PgReads({ ...made, within: tx.within, late: () => lasting.wire().close() });
  const lock = lockOf(wanted.schema);
  const node = new PgNode(wanted.node, wanted.schema, lasting, sql);
  const names = mode === "write" ? JSON.parse(sql.read(UNFILLED) ?? "[]") : [];
  const unfilled = new Set(names as string[]);
  const tables = new Set([...schema.tables.values()].map(({ name }) => name));
  const growth = new Growth({ schema: wanted.schema, tables, connect: made.again });
  const writes = new PgWrites({ tx, sql, node, growth, lock, unfilled });
  return {
    session: new PgSession(tx, schema),
    secret: Buffer.from(sql.read("secret") ?? "", "base64"),
    unfilled,
    notes: notesOf(sql, tx),
    begin: (how) => {
      made.trips?.begin();
      if (how === "read") tx.read();
      else writes.begin();
    },
    commit: () => writes.commit(),
    rollback: () => sql.end("ROLLBACK"),
    shared: sharedOf({ ...made, node, tx, reads, writes }),
    watch: (look, statementMs) => {
      tx.look = look;
      if (mode !== "read") return;
      lasting.limit(statementMs);
      reads.statementMs = statementMs;
    },
    version: () => undefined,
    loss: new OwnLoss(),
    close: () => {
      if (mode === "write") node.leave();
      lasting.close();
      reads.close();
    },
  };
}
