/** Rows of tables, and what their cells answer. */
import type { Span } from "../../../base/index.ts";
import type { Answer, ItemId } from "../../../plan/index.ts";
import type { Match, RowNode, SectionNode, TableNode, WrittenCell } from "../../../spec/index.ts";
import { cellOf, origin, type Resolver, shownGap, tablesOf, textOf } from "./resolver.ts";

/** A row with where it stands. */
export interface TableRow {
  readonly r: Resolver;
  readonly section: SectionNode;
  readonly table: TableNode;
  readonly row: RowNode;
  /** `false`: no answer of the service depends on what its cells say. */
  readonly blocking?: boolean;
}

/** The rows of all tables of one kind in these sections. */
export function rowsOf(
  r: Resolver,
  sections: readonly (SectionNode | undefined)[],
  kind: string,
): TableRow[] {
  return sections.flatMap((section) =>
    section === undefined
      ? []
      : tablesOf(section, kind).flatMap((table) =>
          table.rows.map((row) => ({ r, section, table, row })),
        ),
  );
}

/** What a row says under a column's title. */
export function cellIn({ table, row }: TableRow, title: string): WrittenCell | undefined {
  return cellOf(table, row, title);
}

/** Records that a cell is not shown. Gives the gap's name: the row's, and `what`. */
export function cellGap(
  { r, section, row, blocking = true }: Omit<TableRow, "table">,
  cell: Span | undefined,
  what: string,
  subject: string = what,
): ItemId {
  const { start, end } = cell ?? row;
  return shownGap(r, section, { id: `${row.id}/${what}`, start, end, blocking }, subject);
}

/** The gap of a cell that says `not shown`; undefined for any other. */
export function gapIn(
  at: TableRow,
  cell: WrittenCell | undefined,
  what: string,
  subject: string = what,
): ItemId | undefined {
  return cell?.status === "not shown" ? cellGap(at, cell, what, subject) : undefined;
}

/** The name that a member has in what is sent, where it is another than its own. */
export function sentAs(match: Match | undefined): { readonly sentAs?: string } {
  const wire = textOf(match, "wire");
  const last = textOf(match, "name").split(".").at(-1);
  return wire === "" || wire === last ? {} : { sentAs: wire };
}

/** What a cell answers; one that says nothing that is understood is a gap. */
export function cellAnswer<T>(at: TableRow, title: string, read: (match: Match) => T): Answer<T> {
  const cell = cellIn(at, title);
  const what = title.toLowerCase();
  const id = `${at.row.id}/${what}`;
  if (cell?.status === "none" || cell?.status === "free") return { is: cell.status, id };
  const match = cell?.matches[0];
  if (match === undefined) return { is: "gap", gap: cellGap(at, cell, what) };
  return { is: "stated", id: origin(at.r, id, cell as WrittenCell), value: read(match) };
}
