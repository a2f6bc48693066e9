/** A SQLite file of a copy. */
import Database from "better-sqlite3";
import { type Plan, withClocks } from "../../plan/index.ts";
import { quote } from "../schema/columns.ts";
import { schemaOf } from "../schema/schema.ts";
import { putMeta, readMeta } from "../sqlite/document.ts";
import { finishCopy } from "../whole/copy.ts";
import { type Cell, type CellKind, type Cells, type Flat, OWN_NOTES } from "./flat.ts";
import type { Side, Target } from "./side.ts";

function cellOf(held: unknown): Cell {
  if (held === null) return null;
  return Object.is(held, -0) ? "-0" : String(held);
}

function heldAs(kind: CellKind, cell: Cell | undefined): unknown {
  if (cell === null || cell === undefined) return null;
  if (kind === "number") return Number(cell);
  return kind === "integer" || kind === "boolean" ? BigInt(cell) : cell;
}

/** SQLite keeps the numbers that it has given in a table of its own. */
const SEQUENCE: Readonly<Record<string, string>> = { keys: "sqlite_sequence", last: "seq" };

function named(flat: Flat, name: string): string {
  return quote(flat.name === "keys" ? (SEQUENCE[name] ?? name) : name);
}

function selectOf(flat: Flat, isBehind: boolean): string {
  const columns = flat.columns.map(({ name }) => named(flat, name));
  const own = flat.counted === true ? columns.slice(0, -1) : columns;
  const key = columns.slice(0, flat.keys).join(", ");
  const where = [
    ...(isBehind ? [`(${key}) > (${Array(flat.keys).fill("?").join(", ")})`] : []),
    ...(flat.name === "meta" ? [`name NOT IN (${OWN_NOTES.map((one) => `'${one}'`).join()})`] : []),
  ];
  return [
    `SELECT ${own.join(", ")}${flat.counted === true ? ", count(*)" : ""}`,
    `FROM ${named(flat, flat.name)}`,
    ...(where.length > 0 ? [`WHERE ${where.join(" AND ")}`] : []),
    ...(flat.counted === true ? [`GROUP BY ${key}`] : []),
    `ORDER BY ${key} LIMIT ?`,
  ].join(" ");
}

function hasTable(db: Database.Database, name: string): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(name) !== undefined;
}

/** The rows of a database that is open; `close` is left to whoever has opened it. */
export function sqliteSide(db: Database.Database): Omit<Side, "close"> {
  return {
    note: (name) => (hasTable(db, "meta") ? readMeta(db, name) : undefined),
    page: (flat, after, most) => {
      if (flat.name === "keys" && !hasTable(db, "sqlite_sequence")) return [];
      const key = (after ?? []).map((cell, i) => heldAs(flat.columns[i]?.kind ?? "text", cell));
      const found = db
        .prepare(selectOf(flat, after !== undefined))
        .safeIntegers(true)
        .raw(true)
        .all(...key, most) as unknown[][];
      return found.map((row) => row.map(cellOf));
    },
  };
}

/** A file that is to become a store; what was begun in it before is gone on with. */
export function sqliteTarget(file: string): Target {
  const temporary = `${file}.copying`;
  const db = new Database(temporary);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = NORMAL");
  const inOne = (run: () => void): void => void db.transaction(run).immediate();
  const insertOf = (flat: Flat): string => {
    const own = flat.counted === true ? flat.columns.slice(0, -1) : flat.columns;
    const names = own.map(({ name }) => named(flat, name)).join(", ");
    return `INSERT INTO ${named(flat, flat.name)} (${names}) VALUES (${own.map(() => "?").join()})`;
  };
  const add = (flat: Flat, rows: readonly Cells[]): void => {
    const insert = db.prepare(insertOf(flat));
    const own = flat.counted === true ? flat.columns.slice(0, -1) : flat.columns;
    for (const row of rows) {
      if (flat.name === "keys")
        db.prepare("DELETE FROM sqlite_sequence WHERE name = ?").run(row[0]);
      const held = own.map(({ kind }, i) => heldAs(kind, row[i]));
      const times = flat.counted === true ? Number(row.at(-1)) : 1;
      for (let i = 0; i < times; i++) insert.run(...held);
    }
  };
  return {
    ...sqliteSide(db),
    make: (plan: Plan, copying) =>
      inOne(() => {
        db.exec(schemaOf(withClocks(plan)).statements.join(";\n"));
        putMeta(db, "copying", copying);
      }),
    put: (flat, rows, copying) =>
      inOne(() => {
        add(flat, rows);
        putMeta(db, "copying", copying);
      }),
    finish: (notes) => {
      inOne(() => {
        for (const [name, text] of Object.entries(notes)) putMeta(db, name, text);
        db.prepare("DELETE FROM meta WHERE name = 'copying'").run();
      });
      db.close();
      finishCopy(temporary, file);
    },
    close: () => void db.close(),
  };
}
