/** A schema of PostgreSQL of a copy. */
import { type Plan, withClocks } from "../../plan/index.ts";
import { creatingOf } from "../postgres/schema.ts";
import { lockOf, quoted, Statements } from "../postgres/statements.ts";
import { beginningOf, fromKept, toKept } from "../postgres/text.ts";
import type { Wire } from "../postgres/wire.ts";
import { quote } from "../schema/columns.ts";
import { schemaOf } from "../schema/schema.ts";
import { StorageFault } from "../sqlite/fault.ts";
import { type Cell, type CellKind, type Cells, type Flat, OWN_NOTES } from "./flat.ts";
import type { Side, Target } from "./side.ts";

const TYPES: Readonly<Record<CellKind, string>> = {
  integer: "bigint",
  number: "double precision",
  boolean: "boolean",
  text: "text",
  amount: "numeric",
};

function cellOf(kind: CellKind, held: string | null): Cell {
  if (held === null) return null;
  if (kind === "boolean") return held === "t" ? "1" : "0";
  if (kind === "text") return fromKept(held);
  if (kind !== "number") return held;
  const number = Number(held);
  return Object.is(number, -0) ? "-0" : String(number);
}

function heldAs(kind: CellKind, cell: Cell | undefined): Cell {
  if (cell === null || cell === undefined) return null;
  if (kind === "boolean") return cell === "1" ? "true" : "false";
  return kind === "text" ? toKept(cell) : cell;
}

/** A column as rows are ordered by it in each database. */
function ordered({ name, kind }: Flat["columns"][number]): string {
  return kind === "amount" ? `(${quote(name)}::text COLLATE "C")` : quote(name);
}

function selectOf(flat: Flat, isBehind: boolean): string {
  const own = flat.counted === true ? flat.columns.slice(0, -1) : flat.columns;
  const keys = flat.columns.slice(0, flat.keys);
  const key = keys.map(ordered).join(", ");
  const marks = keys.map(({ kind }, i) => `$${i + 2}::${kind === "amount" ? "text" : TYPES[kind]}`);
  // As an index has it, of which the whole keys are put in order.
  const first = flat.isLong ? `${beginningOf(keys.map(ordered)[0] ?? "")}` : undefined;
  const by = first === undefined ? key : `${first}, ${key}`;
  const where = [
    ...(isBehind && first !== undefined ? [`${first} >= ${beginningOf("$2::text")}`] : []),
    ...(isBehind ? [`(${key}) > (${marks.join(", ")})`] : []),
    ...(flat.name === "meta" ? [`name NOT IN (${OWN_NOTES.map((one) => `'${one}'`).join()})`] : []),
  ];
  return [
    `SELECT ${own.map(ordered).join(", ")}${flat.counted === true ? ", count(*)" : ""}`,
    `FROM ${quote(flat.name)}`,
    ...(where.length > 0 ? [`WHERE ${where.join(" AND ")}`] : []),
    ...(flat.counted === true ? [`GROUP BY ${own.map(({ name }) => quote(name)).join(", ")}`] : []),
    `ORDER BY ${by} LIMIT $1::bigint`,
  ].join(" ");
}

/** An array of cells in its text form. */
function arrayOf(kind: CellKind, cells: readonly (Cell | undefined)[]): string {
  const items = cells.map((cell) => {
    const held = heldAs(kind, cell);
    return held === null ? "NULL" : `"${held.replaceAll(/["\\]/g, "\\$&")}"`;
  });
  return `{${items.join(",")}}`;
}

/** The rows of a schema, over a connection that is this side's from then on. */
export function postgresSide(wire: Wire, schema: string): Side & { readonly sql: Statements } {
  const sql = new Statements(() => wire);
  sql.ask("SELECT set_config('search_path', $1, false)", [quoted(schema)]);
  const hasNotes = (): boolean => sql.ask("SELECT to_regclass('meta')")[0]?.[0] !== null;
  return {
    sql,
    note: (name) => (hasNotes() ? sql.read(name) : undefined),
    page: (flat, after, most) => {
      const key = (after ?? []).map((cell, i) => heldAs(flat.columns[i]?.kind ?? "text", cell));
      return sql
        .ask(selectOf(flat, after !== undefined), [String(most), ...key])
        .map((row) => row.map((held, i) => cellOf(flat.columns[i]?.kind ?? "integer", held)));
    },
    close: () => wire.close(),
  };
}

/** A schema that is to become a store; what was begun in it before is gone on with. */
export function postgresTarget(wire: Wire, schema: string): Target {
  const { sql, ...side } = postgresSide(wire, schema);
  const [lock] = sql.ask("SELECT pg_try_advisory_lock($1::bigint)", [lockOf(`${schema} copy`)]);
  if (lock?.[0] !== "t") {
    throw new StorageFault("LOCKED", `another copy is made into the schema ${schema}`);
  }
  const inOne = (run: () => void): void => {
    sql.defer("BEGIN");
    run();
    sql.ask("COMMIT");
  };
  const put = (name: string, value: string): void =>
    sql.defer(
      "INSERT INTO meta (name, value) VALUES ($1, $2) " +
        "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      [name, value],
    );
  const add = (flat: Flat, rows: readonly Cells[]): void => {
    const all =
      flat.counted === true ? rows.flatMap((row) => Array(Number(row.at(-1))).fill(row)) : rows;
    const own = flat.counted === true ? flat.columns.slice(0, -1) : flat.columns;
    const names = own.map(({ name }) => quote(name)).join(", ");
    const arrays = own.map(({ kind }, i) => `$${i + 1}::${TYPES[kind]}[]`).join(", ");
    sql.defer(
      `INSERT INTO ${quote(flat.name)} (${names}) SELECT * FROM unnest(${arrays})`,
      own.map(({ kind }, i) =>
        arrayOf(
          kind,
          all.map((row: Cells) => row[i]),
        ),
      ),
    );
  };
  return {
    ...side,
    make: (plan: Plan, copying) =>
      inOne(() => {
        sql.ask(`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`);
        const made = schemaOf(withClocks(plan));
        for (const one of creatingOf([withClocks(plan)], made)) sql.ask(one);
        put("copying", copying);
      }),
    put: (flat, rows, copying) =>
      inOne(() => {
        add(flat, rows);
        put("copying", copying);
      }),
    finish: (notes) =>
      inOne(() => {
        for (const [name, text] of Object.entries(notes)) put(name, text);
        sql.defer("DELETE FROM meta WHERE name = 'copying'");
      }),
  };
}
