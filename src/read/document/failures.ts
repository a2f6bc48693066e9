/** Failures said at their errors, as the rows of a failure table that say the same. */
import { contentName } from "../../base/index.ts";
import type { CellNode, Match, RowNode, TableNode } from "../../spec/index.ts";
import { statusOf, unfolded } from "../../spec/index.ts";
import { type Context, itemId } from "./context.ts";

const alone = (only: Match): CellNode => ({ only, start: only.start, end: only.end });

/** What a piece of a cell of Failures says: a Failure cell, and the form of its Error cell. */
function parted(match: Match): { failure: Match; form: "error" | "on its name" } {
  const { naming, ...slots } = match.slots;
  const form = naming === undefined ? "error" : "on its name";
  return { failure: { ...match, slots }, form };
}

const isHidden = (cell: CellNode | undefined) =>
  cell !== undefined && statusOf(cell) === "not shown";

const isClass = (cell: CellNode | undefined) =>
  cell !== undefined && unfolded(cell).matches[0]?.form === "class";

/** While one error's failures are not shown, nobody knows what all others are. */
function hiddenRow(context: Context, { start, end }: CellNode, sectionId: string): RowNode {
  const failure: Match = { form: "class", slots: {}, start, end };
  const cell: CellNode = { status: "not shown", matches: [], gaps: [], start, end };
  const id = itemId(context, sectionId, "every other failure");
  return { id, cells: [alone(failure), cell], start, end };
}

/** The failure table that an error table with the column Failures stands for, beside itself. */
export function failuresAt(
  context: Context,
  table: TableNode,
  sectionId: string,
): TableNode | undefined {
  const at = table.columns.findIndex(({ title }) => title === "Failures");
  if (table.table !== "errors" || at < 0) return undefined;
  const rows = table.rows.flatMap((row): RowNode[] => {
    const [name, cell] = [row.cells[0], row.cells[at]];
    const error = name && unfolded(name).matches[0]?.slots["name"];
    if (cell === undefined || error?.kind !== "text") return [];
    return unfolded(cell).matches.map((match) => {
      const { failure, form } = parted(match);
      const { start, end } = failure;
      const said: Match = { form, slots: { error }, start: error.start, end: error.end };
      const id = itemId(context, row.id, contentName(context.text.slice(start, end)));
      return { id, cells: [alone(failure), alone(said)], start, end };
    });
  });
  const hidden = table.rows.find(({ cells }) => isHidden(cells[at]))?.cells[at];
  const known = rows.filter(({ cells: [failure] }) => hidden === undefined || !isClass(failure));
  const columns = ["Failure", "Error"].map((title) => ({ title, header: false }));
  const all = hidden === undefined ? rows : [...known, hiddenRow(context, hidden, sectionId)];
  const { start, end } = table;
  return { table: "failures", columns, rows: all, restated: true, start, end };
}
