/** Copies a store from one database into another, in pages that are kept as they come. */
import { createHash } from "node:crypto";
import type Database from "better-sqlite3";
import { type Plan, withClocks } from "../../plan/index.ts";
import { placeNamed, shownPlace } from "../place.ts";
import { connectionOf } from "../postgres/connection.ts";
import { judgeNames } from "../postgres/names.ts";
import { placeOf } from "../postgres/place.ts";
import { STORAGE_FORMAT, schemaOf } from "../schema/schema.ts";
import { StorageFault, storageFault } from "../sqlite/fault.ts";
import { sizeOf } from "../whole/files.ts";
import { judgePath, lookInto } from "../whole/path.ts";
import { type Cells, type Digest, digestOf, type Flat, flatsOf } from "./flat.ts";
import { postgresSide, postgresTarget } from "./postgres-side.ts";
import { pagesOf, type Side, type Target } from "./side.ts";
import { sqliteSide, sqliteTarget } from "./sqlite-side.ts";

/** How far a copy is: `of` names what is copied. */
interface Copying {
  readonly of: string;
  /** The table that is copied, and the key of its last row that is there. */
  readonly table: string | undefined;
  readonly after: Cells | undefined;
}

/** What was copied: the digest of each table, and of them all. */
export interface Copied {
  readonly tables: readonly (Digest & { readonly name: string })[];
  readonly rows: number;
  readonly sha256: string;
}

/** Told how far it is. */
type Say = (text: string) => void;

const SAID_EACH_MS = 5_000;

function refuse(message: string): never {
  throw new StorageFault("COPY", message);
}

/** Runs over the rows of a store at one moment. */
async function readingFrom<T>(from: string, run: (side: Side) => Promise<T>): Promise<T> {
  const place = placeNamed(from);
  if ("file" in place) {
    judgePath(place.file, "read");
    return await lookInto(place.file, async (db) => {
      db.exec("BEGIN");
      return await run({ ...sqliteSide(db), close: () => {} });
    });
  }
  const connection = await connectionOf(place);
  if (connection === undefined) return refuse(`${shownPlace(from)} is no place of a store`);
  const { sql, ...side } = postgresSide(connection.wire, placeOf(place.postgres).schema);
  try {
    sql.ask("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    return await run(side);
  } finally {
    side.close();
  }
}

async function targetAt(to: string): Promise<Target> {
  const place = placeNamed(to);
  if ("file" in place) {
    judgePath(place.file, "write");
    if (sizeOf(place.file) !== undefined) refuse(`${to} is there already: name another file`);
    return sqliteTarget(place.file);
  }
  const connection = await connectionOf(place);
  if (connection === undefined) return refuse(`${shownPlace(to)} is no place of a store`);
  try {
    return postgresTarget(connection.wire, placeOf(place.postgres).schema);
  } catch (fault) {
    connection.wire.close();
    throw fault;
  }
}

/** The plan by which the rows of a store were written, as its text is kept. */
function documentOf(side: Side, name: string): { readonly plan: Plan; readonly text: string } {
  if (side.note("copying") !== undefined) refuse(`${name} is itself a copy that is not whole`);
  const format = side.note("storage");
  if (format !== String(STORAGE_FORMAT)) {
    refuse(
      format === undefined
        ? `${name} holds no store`
        : `${name} was written in storage format ${format}: serve it once with this version`,
    );
  }
  const text = side.note("plan") ?? "{}";
  return { plan: { ...(JSON.parse(text) as Plan), formatVersion: 2 }, text };
}

/** What keeps a file from being copied: tables and columns of which the document says nothing. */
function judgeTables(file: string, flats: readonly Flat[]): void {
  const known = new Set(
    flats.flatMap(({ name, columns }) => columns.map((one) => `${name} ${one.name}`)),
  );
  const found = lookInto(file, (db: Database.Database) =>
    db
      .prepare(
        "SELECT t.name || ' ' || c.name FROM sqlite_schema t, pragma_table_info(t.name) c " +
          "WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'",
      )
      .pluck()
      .all(),
  ) as string[];
  const other = found.find((name) => !known.has(name));
  if (other === undefined) return;
  refuse(
    `${file} holds \`${other.replace(/^[rl]_(.*) [fh]_/, "$1.")}\`, which an older document ` +
      "alone states: a copy would be without it",
  );
}

function beganAs(target: Target, of: string, to: string): Copying | undefined {
  const text = target.note("copying");
  if (text === undefined) {
    if (target.note("storage") !== undefined) refuse(`${to} holds a store already`);
    return undefined;
  }
  const copying = JSON.parse(text) as Copying;
  if (copying.of !== of) refuse(`a copy of another store was begun at ${to}: name another place`);
  return copying;
}

/** What is copied to where. */
interface Way {
  readonly from: Side;
  readonly to: Target;
  readonly flats: readonly Flat[];
  readonly say: Say;
}

/** Tells now and then how far it is. */
class Telling {
  readonly #say: Say;
  #saidMs = performance.now();

  constructor(say: Say) {
    this.#say = say;
  }

  /** So many rows of a table are done. Whoever wants it to end is heard meanwhile. */
  async at({ name }: Flat, count: number, done: string): Promise<void> {
    await new Promise((go) => setImmediate(go));
    if (performance.now() - this.#saidMs < SAID_EACH_MS) return;
    this.#saidMs = performance.now();
    this.#say(`${name}: ${count.toLocaleString("en")} rows ${done}`);
  }
}

/** Copies what is not there yet. */
async function copyRows({ from, to, flats, say }: Way, began: Copying): Promise<void> {
  const { of, table, after } = began;
  const first = flats.findIndex(({ name }) => name === table);
  const telling = new Telling(say);
  for (const [at, flat] of flats.entries()) {
    if (at < first) continue;
    let count = 0;
    for (const page of pagesOf(from, flat, at === first ? (after ?? undefined) : undefined)) {
      const last = page.at(-1)?.slice(0, flat.keys);
      to.put(flat, page, JSON.stringify({ of, table: flat.name, after: last }));
      count += page.length;
      await telling.at(flat, count, "copied");
    }
  }
}

/** The rows of a table in pages. */
async function* comparedPages(
  side: Side,
  flat: Flat,
  telling: Telling,
): AsyncGenerator<readonly Cells[]> {
  let count = 0;
  for (const page of pagesOf(side, flat)) {
    count += page.length;
    await telling.at(flat, count, "compared");
    yield page;
  }
}

/** Compares both, table by table. `name`: of the store that was copied. */
async function compared({ from, to, flats, say }: Way, name: string): Promise<Copied> {
  const telling = new Telling(say);
  const tables: (Digest & { readonly name: string })[] = [];
  for (const flat of flats) {
    const own = await digestOf(comparedPages(from, flat, telling), flat);
    const made = await digestOf(comparedPages(to, flat, telling), flat);
    if (own.sha256 !== made.sha256) {
      refuse(
        `${flat.name} has ${own.count} rows in ${name} and ${made.count} in the copy, which ` +
          "are not the same: it was written to meanwhile; take the copy away and begin again",
      );
    }
    tables.push({ name: flat.name, ...own });
  }
  const hash = createHash("sha256");
  for (const { name: table, sha256 } of tables) hash.update(`${table} ${sha256}\n`);
  const rows = tables
    .filter(({ name: table }) => table.startsWith("r_"))
    .reduce((sum, { count }) => sum + count, 0);
  return { tables, rows, sha256: hash.digest("hex") };
}

/**
 * Copies a store, at one moment of it, to a place where there is none: a SQLite file or a schema of
 * PostgreSQL. One that was broken off is gone on with when it is called again. Rejects with
 * `StorageFault`; the copy is no store then.
 */
export async function copyStore(from: string, to: string, say: Say): Promise<Copied> {
  try {
    return await readingFrom(from, async (side) => {
      const { plan, text } = documentOf(side, shownPlace(from));
      const flats = flatsOf(plan);
      const source = placeNamed(from);
      if ("file" in source) judgeTables(source.file, flats);
      if ("postgres" in placeNamed(to)) judgeNames(schemaOf(withClocks(plan)));
      const target = await targetAt(to);
      try {
        const secret = side.note("secret") ?? "";
        const of = createHash("sha256").update(`${secret} ${text}`).digest("hex");
        const began = beganAs(target, of, shownPlace(to));
        const start: Copying = began ?? { of, table: undefined, after: undefined };
        if (began === undefined) target.make(plan, JSON.stringify(start));
        else say(`going on with a copy that was begun, at ${began.table ?? "its beginning"}`);
        const way = { from: side, to: target, flats, say };
        await copyRows(way, start);
        say("comparing both");
        const copied = await compared(way, shownPlace(from));
        const places = side.note("places") ?? "{}";
        target.finish({ plan: text, places, storage: String(STORAGE_FORMAT) });
        return copied;
      } finally {
        target.close();
      }
    });
  } catch (fault) {
    throw storageFault(fault, from);
  }
}
