/** Fills the tables of a section: rows by their first cell, cells by their column's title. */
import type { Span } from "../../base/index.ts";
import {
  type CellNode,
  type RowNode,
  statusOf,
  type TableNode,
  unfolded,
} from "../../spec/index.ts";
import { fillCell } from "./cells.ts";
import {
  contradicts,
  filled,
  freshId,
  type Merge,
  needed,
  type Place,
  renamed,
  same,
  unused,
  written,
} from "./merge.ts";

/** Facets of which a new row is a part: it may be added where they are open. */
const FACETS: Readonly<Record<string, string>> = {
  fields: "fields",
  transitions: "transitions",
  inputs: "request payloads",
  actors: "scheme",
  events: "events",
  errors: "error codes",
  compatibility: "compatibility rules",
};

/** Tables whose rows have a name that other statements use. */
const NAMED = new Set(["errors", "actors", "events"]);

/** Tables whose cells have items of their own; elsewhere a row is one item. */
const FINE = new Set(["fields", "inputs", "errors", "limits"]);

type Header = TableNode["columns"][number];

function titleOf(column: Header): string {
  if (column.slot === undefined) return column.title;
  return `${column.header ? "header " : ""}\`${column.slot.text}\``;
}

function nameOf(row: RowNode): string {
  const value = row.cells[0] && unfolded(row.cells[0]).matches[0]?.slots.name;
  return value?.kind === "text" ? value.text : "";
}

/** A cell that the document does not have, for a column that the assumptions add. */
function absentCell(row: RowNode): CellNode {
  return { status: "not shown", matches: [], gaps: [], start: row.start, end: row.end };
}

/** The columns of the document and those that the assumptions add, before the last. */
function columnsOf(stated: TableNode, assumed: TableNode): readonly Header[] {
  const known = new Set(stated.columns.map(titleOf));
  const added = assumed.columns.filter(
    (column) => column.slot !== undefined && !known.has(titleOf(column)),
  );
  const hasLast = stated.table === "errors" && stated.columns.at(-1)?.slot === undefined;
  const last = hasLast ? -1 : undefined;
  return [
    ...stated.columns.slice(0, last),
    ...added,
    ...(last === undefined ? [] : stated.columns.slice(last)),
  ];
}

/** The cells of a row under other columns. */
function under(columns: readonly Header[], table: TableNode, row: RowNode): CellNode[] {
  const titles = table.columns.map(titleOf);
  return columns.map((column) => {
    const at = titles.indexOf(titleOf(column));
    return row.cells[at] ?? absentCell(row);
  });
}

interface RowMerge {
  readonly row: RowNode;
  readonly fills: readonly { readonly span: Span; readonly gap?: Span }[];
  readonly wrong?: { readonly span: Span; readonly stated?: Span };
}

/** Both rows with the cells of the same columns. */
function mergeRow(
  merge: Merge,
  table: string,
  columns: readonly Header[],
  { stated, assumed }: { readonly stated: RowNode; readonly assumed: RowNode },
): RowMerge {
  const cells: CellNode[] = [];
  const fills: { span: Span; gap?: Span }[] = [];
  let whole = false;
  for (const [i, cell] of stated.cells.entries()) {
    const column = columns[i];
    const rules = column?.title === "Rules";
    const other = assumed.cells[i] as CellNode;
    const outcome = fillCell(merge, cell, other, { rules, rowId: stated.id });
    if (outcome.is === "contradicts") return { row: stated, fills: [], wrong: outcome };
    if (outcome.is === "unused") return { row: stated, fills: [], wrong: { span: outcome.span } };
    cells.push(outcome.is === "filled" ? outcome.cell : cell);
    if (outcome.is !== "filled") continue;
    const isAbsent = cell.start === stated.start && cell.end === stated.end;
    fills.push(...outcome.fills.map(({ span, gap }) => (isAbsent ? { span } : { span, gap })));
    if (outcome.whole && column !== undefined) {
      const { start, end } = outcome.cell;
      merge.places.set(`${stated.id}/${nameOfColumn(column)}`, { start, end });
    }
    whole ||= outcome.whole && !rules && !FINE.has(table) && column?.slot === undefined;
  }
  if (!whole) return { row: { ...stated, cells }, fills };
  // A row that is one item stands where the assumption stands.
  cells[0] = assumed.cells[0] as CellNode;
  const span = { start: cells[0].start, end: assumed.cells.at(-1)?.end ?? assumed.end };
  const gap = fills.find((fill) => fill.gap !== undefined)?.gap;
  return { row: { ...stated, cells }, fills: [{ span, gap }] };
}

const nameOfColumn = (column: Header): string => column.slot?.text ?? column.title.toLowerCase();

function mayAdd(merge: Merge, place: Place, table: string, row: RowNode): boolean {
  const facet = FACETS[table];
  if (table === "failures") return !isAnsweredAbove(merge, place, row);
  if (NAMED.has(table) && needed(merge, nameOf(row))) return true;
  if (table === "limits") {
    return ["rate limits", "size limits", "time-outs", "quotas"].some(
      (one) => merge.answers.has(one) && merge.open.facets.has(one),
    );
  }
  return facet !== undefined && merge.open.facets.has(facet);
}

/** Whether the general failure table answers the condition of a row at an endpoint. */
function isAnsweredAbove(merge: Merge, place: Place, row: RowNode): boolean {
  if (place.section.scope === "errors") return false;
  return merge.document.parts.some((part) =>
    part.sections.some(
      (section) =>
        section.scope === "errors" &&
        section.tables.some(
          (table) =>
            table.table === "failures" &&
            table.rows.some(
              (one) =>
                same(merge, one.cells[0] ?? one, row.cells[0] ?? row) &&
                (one.cells[1] === undefined || statusOf(one.cells[1]) !== "not shown"),
            ),
        ),
    ),
  );
}

function addRow(merge: Merge, place: Place, table: string, row: RowNode): RowNode | undefined {
  if (!mayAdd(merge, place, table, row)) {
    unused(merge, row.cells[0] ?? row);
    return undefined;
  }
  filled(merge, place, row.cells[0] ?? row);
  return renamed(row, freshId(merge, row.id));
}

/** Fills the row that the assumption's row speaks of; false: the document has none. */
function mergeInto(merge: Merge, place: Place, table: Filled, assumed: RowNode): boolean {
  const { rows } = table;
  const alike = table.byKey.get(keyOf(merge, assumed)) ?? [];
  let wrong: RowMerge["wrong"];
  for (const i of alike) {
    const stated = rows[i] as RowNode;
    const outcome = mergeRow(merge, table.table, table.columns, { stated, assumed });
    if (outcome.wrong !== undefined) {
      wrong ??= outcome.wrong;
      continue;
    }
    rows[i] = outcome.row;
    for (const fill of outcome.fills) filled(merge, place, fill.span, fill.gap);
    return true;
  }
  if (wrong?.stated !== undefined) contradicts(merge, wrong.span, wrong.stated);
  else if (wrong !== undefined) unused(merge, wrong.span);
  return alike.length > 0;
}

/** A table whose rows are being filled. */
interface Filled extends TableNode {
  readonly rows: RowNode[];
  readonly byKey: ReadonlyMap<string, readonly number[]>;
}

/** The first cell of a row, by which it is known. */
const keyOf = (merge: Merge, row: RowNode): string => written(merge, row.cells[0] ?? row);

/** Places of the rows by their keys. */
function keysOf(merge: Merge, rows: readonly RowNode[]): Map<string, number[]> {
  const keys = new Map<string, number[]>();
  for (const [at, row] of rows.entries()) {
    const key = keyOf(merge, row);
    const known = keys.get(key);
    if (known === undefined) keys.set(key, [at]);
    else known.push(at);
  }
  return keys;
}

function mergeTable(merge: Merge, place: Place, stated: TableNode, assumed: TableNode): TableNode {
  const columns = columnsOf(stated, assumed);
  const rows = stated.rows.map((row) => ({ ...row, cells: under(columns, stated, row) }));
  const table: Filled = { ...stated, columns, rows, byKey: keysOf(merge, rows) };
  const added: RowNode[] = [];
  for (const row of assumed.rows) {
    const aligned = { ...row, cells: under(columns, assumed, row) };
    if (mergeInto(merge, place, table, aligned)) continue;
    const one = addRow(merge, place, stated.table, aligned);
    if (one !== undefined) added.push(one);
  }
  return { ...stated, columns, rows: [...rows, ...added] };
}

/** The tables of a section with what the assumptions fill and add. */
export function mergeTables(
  merge: Merge,
  place: Place,
  assumed: readonly TableNode[],
): TableNode[] {
  const tables: TableNode[] = [...place.section.tables];
  for (const one of assumed) {
    const alike = tables.flatMap((table, at) => (table.table === one.table ? [at] : []));
    if (alike.length === 0) {
      const rows = one.rows.flatMap((row) => addRow(merge, place, one.table, row) ?? []);
      if (rows.length > 0) tables.push({ ...one, rows });
    }
    const keys = alike.map((at) => ({ at, byKey: keysOf(merge, tables[at]?.rows ?? []) }));
    const home = (row: RowNode) =>
      keys.find(({ byKey }) => byKey.has(keyOf(merge, row)))?.at ?? alike[0];
    for (const at of alike) {
      const rows = one.rows.filter((row) => home(row) === at);
      if (rows.length === 0) continue;
      tables[at] = mergeTable(merge, place, tables[at] as TableNode, { ...one, rows });
    }
  }
  return tables;
}
