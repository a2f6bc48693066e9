/** Reads tables: which one a header names, and its rows; knows nothing of what a cell may say. */
import { contentName, nearest, packed } from "../../base/index.ts";
import { type Column, type Scope, scopes, type TableEntry, tables } from "../../language/index.ts";
import type { CellNode, RowNode, TableNode, TextSlot } from "../../spec/index.ts";
import type { Inline, Row, Table } from "../blocks/index.ts";
import { type Alike, reportLeft } from "./alike.ts";
import { readCell } from "./cell.ts";
import { type Context, itemId, report, sourceOf, stretchOf } from "./context.ts";

type Header = TableNode["columns"][number];

interface Layout {
  readonly entry: TableEntry;
  readonly columns: readonly Header[];
  /** For each column of the document, the table's entry for it. */
  readonly entries: readonly Column[];
}

const titles = new Set(tables.flatMap((entry) => entry.columns.map((column) => column.title)));
const headers = new Map<string, Header>();

/** The header of a title without a slot; one object for each title of the language. */
function titled(title: string): Header {
  const known = headers.get(title);
  if (known !== undefined) return known;
  const header = { title, header: false };
  if (titles.has(title)) headers.set(title, header);
  return header;
}

function headerOf(context: Context, inline: Inline): Header {
  const stretch = stretchOf(context, inline);
  const codes = stretch.tokens.filter((token) => token.kind === "code");
  const words = stretch.tokens.filter((token) => token.kind !== "code").map((t) => t.text);
  const [code] = codes;
  if (code?.kind !== "code" || codes.length > 1) {
    return titled(sourceOf(stretch).trim());
  }
  const header = words.join(" ") === "header";
  if (words.length > 0 && !header) return titled(sourceOf(stretch).trim());
  const slot: TextSlot = {
    kind: "text",
    text: code.text,
    start: code.contentStart,
    end: code.contentStart + code.text.length,
    ...(code.shifts.length > 0 ? { shifts: code.shifts } : {}),
  };
  return { title: "*", slot, header };
}

/**
 * The columns of `entry` that the header's columns are, or undefined where they are not. Those that
 * are said above the table may be missing.
 */
function fit(
  entry: TableEntry,
  headers: readonly Header[],
  said: readonly Alike[] = [],
): readonly Column[] | undefined {
  const found: Column[] = [];
  const isSaid = ({ title }: Column) => said.some((one) => one.title === title);
  let at = 0;
  for (const column of entry.columns) {
    if (column.title === "*") {
      while (headers[at]?.title === "*") {
        found.push(column);
        at++;
      }
    } else if (headers[at]?.title === column.title) {
      found.push(column);
      at++;
    } else if (entry.short?.includes(column.title) !== true && !isSaid(column)) return undefined;
  }
  const missing = entry.columns.filter(
    (column) => column.title !== "*" && !found.includes(column) && !isSaid(column),
  ).length;
  const whole = missing === 0 || missing === entry.short?.length;
  return at === headers.length && whole ? found : undefined;
}

function headerText(entry: TableEntry): string {
  return `| ${entry.columns
    .map((column) => (column.title === "*" ? "`name`" : column.title))
    .join(" | ")} |`;
}

function layoutOf(
  context: Context,
  table: Table,
  scope: Scope,
  said: readonly Alike[],
): Layout | undefined {
  const columns = table.header.cells.map((cell) => headerOf(context, cell));
  const here = tables.filter((entry) => entry.in.includes(scope));
  for (const entry of here) {
    const entries = fit(entry, columns, said);
    if (entries !== undefined) return { entry, columns, entries };
  }
  const written = columns.map(({ title }) => (title === "*" ? "`name`" : title)).join(" | ");
  const near = nearest(`| ${written} |`, here.map(headerText));
  const known = here.map(headerText);
  const elsewhere = tables.find((entry) => fit(entry, columns) !== undefined);
  report(context, "unknown-table", table.header, {
    message:
      here.length === 0
        ? "No table may stand here."
        : `No table that may stand here has this header.`,
    hint:
      elsewhere !== undefined
        ? `This table stands in: ${elsewhere.in.map((one) => scopes[one]).join("; ")}.`
        : near !== undefined
          ? `Nearest: ${near}`
          : known.length === 0
            ? undefined
            : `Known here: ${known.join("  ")}`,
  });
  return undefined;
}

/** The name of a row: what stands in the cells that tell rows of its table apart. */
function rowName(
  context: Context,
  row: Row,
  { entry, entries }: Layout,
  above: readonly Alike[],
): string {
  const keys = entry.toldApartBy ?? [entries[0]?.title ?? ""];
  const cells = row.cells.filter((_, i) => keys.includes(entries[i]?.title ?? ""));
  const said = above.flatMap(({ title, cell }) => (keys.includes(title) ? [cell] : []));
  const written = [...cells, ...said].map(({ start, end }) =>
    context.text.slice(start, end).trim(),
  );
  return contentName(written.filter((text, i) => i === 0 || text !== "none").join(", "));
}

/** The cells that are said above a table, which each row has, and the columns with theirs. */
function cellsAbove(
  context: Context,
  table: Table,
  { entry, columns, entries }: Layout,
  said: readonly Alike[],
): { above: readonly Alike[]; cells: CellNode[]; columns: readonly Header[] } {
  const isOwn = (column: Column, { title }: Alike) =>
    column.title === title && !entries.includes(column);
  const found = said.filter((one) => entry.columns.some((column) => isOwn(column, one)));
  reportLeft(
    context,
    said.filter((one) => !found.includes(one)),
    table,
  );
  const cells = found.map((one) =>
    readCell(context, one.cell, entry.columns.find((column) => isOwn(column, one)) as Column),
  );
  const all = [...columns, ...found.map(({ title }) => titled(title))];
  return { above: found, cells, columns: all };
}

/** Where a table stands. */
interface Place {
  readonly scope: Scope;
  readonly sectionId: string;
}

/**
 * Reads a table; undefined where no table of the scope has such a header. What is said above it
 * stands in each row.
 */
export function readTable(
  context: Context,
  table: Table,
  { scope, sectionId }: Place,
  said: readonly Alike[],
): TableNode | undefined {
  const layout = layoutOf(context, table, scope, said);
  if (layout === undefined) return undefined;
  const { above, cells, columns } = cellsAbove(context, table, layout, said);
  if (table.rows.length === 0) {
    report(context, "empty-table", table.header, {
      message: "This table has no row.",
      hint: "Write a row, or take the table away.",
    });
  }
  const rows: RowNode[] = [];
  for (const row of table.rows) {
    if (row.cells.length !== layout.entries.length) continue;
    rows.push({
      id: itemId(context, sectionId, rowName(context, row, layout, above)),
      cells: [
        ...row.cells.map((cell, i) => readCell(context, cell, layout.entries[i] as Column)),
        ...cells,
      ],
      start: row.start,
      end: row.end,
    });
  }
  return {
    table: layout.entry.id,
    columns,
    rows: packed(rows),
    start: table.start,
    end: table.end,
  };
}
