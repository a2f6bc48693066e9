/** The tables of a store as cells: the same in each database. */
import { createHash } from "node:crypto";
import { type Plan, withClocks } from "../../plan/index.ts";
import type { ColumnKind } from "../schema/columns.ts";
import { type Kept, keptBeside, schemaOf } from "../schema/schema.ts";

/** `amount`: a whole number of any size. */
export type CellKind = "integer" | "number" | "boolean" | "text" | "amount";

/** A value in its canonical text; a boolean is 0 or 1. */
export type Cell = string | null;
export type Cells = readonly Cell[];

/** A table, whose first columns are its key and give its order. */
export interface Flat {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly kind: CellKind }[];
  readonly keys: number;
  /** Its first key is a text of any length, of which an index may hold the beginning alone. */
  readonly isLong?: true;
  /** Rows may be equal: the last column counts them, and is none of the table. */
  readonly counted?: true;
}

/** What of a store's notes belongs to the database that holds it, and not to what it holds. */
export const OWN_NOTES = ["plan", "places", "storage", "opened", "backup", "copying"] as const;

const KINDS: Readonly<Record<ColumnKind, CellKind>> = {
  integer: "integer",
  reference: "integer",
  number: "number",
  boolean: "boolean",
  digits: "text",
  text: "text",
  json: "text",
};

/** Names of columns, each with `:i` behind it for an integer and `:a` for an amount. */
function flat(name: string, columns: string, keys = 1): Flat {
  const kinds: Readonly<Record<string, CellKind>> = { i: "integer", a: "amount" };
  return {
    name,
    keys,
    columns: columns.split(" ").map((one) => {
      const [column = "", kind = ""] = one.split(":");
      return { name: column, kind: kinds[kind] ?? "text" };
    }),
  };
}

const BESIDE: Readonly<Record<Kept, Flat>> = {
  tallies: { ...flat("tallies", "name grp:i at:i amount:a count:i", 4), counted: true },
  answers: flat("answers", "name at:i content"),
  events: flat("outbox", "number:i event at:i content"),
  messages: flat("messages", "number:i webhook receiver:i name body attempts:i due:i event sent:i"),
  calls: flat("calls", "key work call given rows state undoes since:i due:i attempts:i"),
};

/** The tables of a plan's store, in the order in which they are copied. */
export function flatsOf(stated: Plan): readonly Flat[] {
  const plan = withClocks(stated);
  const { tables } = schemaOf(plan, { indexed: false });
  const rows = [...tables.values()].flatMap((table): Flat[] => {
    const columns = table.columns.flatMap(({ name, there, kind }) => [
      { name, kind: KINDS[kind] },
      ...(there === undefined ? [] : [{ name: there, kind: "integer" as const }]),
    ]);
    const lists = [...table.lists].map(([field, name]): Flat => {
      const element = table.column.get(field)?.type.type;
      const isReference = element?.kind === "list" && element.of.type.kind === "reference";
      if (isReference) return flat(name, "value:i _key:i place:i", 3);
      return { ...flat(name, "value _key:i place:i", 3), isLong: true };
    });
    const own = {
      name: table.name,
      keys: 1,
      columns: [{ name: "_key", kind: "integer" as const }, ...columns],
    };
    return [own, ...lists];
  });
  return [
    flat("meta", "name value"),
    { ...flat("counters", "name last:i"), isLong: true },
    ...keptBeside(plan).map((one) => BESIDE[one]),
    ...rows,
    // Behind the rows: what numbers were given is told last.
    flat("keys", "name last:i"),
  ];
}

/** The digest of a table: how many rows it has, and the SHA-256 of all their cells in order. */
export interface Digest {
  readonly count: number;
  readonly sha256: string;
}

/** The digest of rows that come in pages. */
export async function digestOf(
  pages: AsyncIterable<readonly Cells[]>,
  { counted }: Flat,
): Promise<Digest> {
  const hash = createHash("sha256");
  let count = 0;
  for await (const page of pages) {
    const parts: string[] = [];
    for (const row of page) {
      count += counted === true ? Number(row.at(-1)) : 1;
      for (const cell of row) parts.push(cell === null ? "-;" : `${cell.length}:${cell}`);
    }
    hash.update(parts.join(""));
  }
  return { count, sha256: hash.digest("hex") };
}
