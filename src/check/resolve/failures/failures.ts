/** Resolves failure tables: conditions of the closed list and what answers them. */
import { nearest } from "../../../base/index.ts";
import { type ConditionEntry, failureConditions } from "../../../language/index.ts";
import type { Answer, FailureRow } from "../../../plan/index.ts";
import type { RowNode, SectionNode, TableNode } from "../../../spec/index.ts";
import { sends } from "../names/expression.ts";
import {
  cellAt,
  cellOf,
  firstMatch,
  known,
  origin,
  type Resolver,
  report,
  shownGap,
  slotOf,
  type TableRow,
  tablesOf,
  textOf,
} from "../names/resolver.ts";

const LEFT_OUT: Readonly<Record<string, "ignored" | "as if none were sent">> = {
  "bad credentials where optional": "as if none were sent",
};

/** Text values of the further columns of a row: those that are headers, or the others. */
export function columnTexts(
  r: Resolver,
  at: TableRow,
  headers: boolean,
): { name: string; value: Answer<string> }[] {
  const { section, table, row } = at;
  return table.columns.flatMap((column, i): { name: string; value: Answer<string> }[] => {
    if (column.slot === undefined || column.header !== headers) return [];
    const cell = cellAt(row, i);
    const id = `${row.id}/${column.slot.text}`;
    if (cell === undefined || cell.status === "not shown") {
      const node = { id, start: cell?.start ?? row.start, end: cell?.end ?? row.end };
      return [
        {
          name: column.slot.text,
          value: { is: "gap" as const, gap: shownGap(r, section, node, column.slot.text) },
        },
      ];
    }
    if (cell.status !== "stated")
      return [{ name: column.slot.text, value: { is: cell.status, id } }];
    return [
      {
        name: column.slot.text,
        value: { is: "stated" as const, id, value: textOf(cell.matches[0], "text") },
      },
    ];
  });
}

function answerOf(r: Resolver, at: TableRow, entry: ConditionEntry): FailureRow["answer"] {
  const { section, table, row } = at;
  const condition = entry.name;
  const cell = cellOf(table, row, "Error");
  const match = cell?.matches[0];
  if (cell?.status === "free") return { is: "free" };
  if (cell === undefined || cell.status !== "stated" || match === undefined) {
    const node = {
      id: `${row.id}/error`,
      start: cell?.start ?? row.start,
      end: cell?.end ?? row.end,
    };
    return { is: "gap", gap: shownGap(r, section, node, condition) };
  }
  if (match.form === "ignored") {
    if (!entry.ignorable) {
      report(r, "not-allowed", cell, {
        message: `The condition '${condition}' can't be ignored.`,
        hint: "Name an error, or write 'not shown'.",
      });
    }
    return { is: LEFT_OUT[condition] ?? "ignored" };
  }
  const error = slotOf(match, "error");
  if (error !== undefined) {
    known(r, "error", error);
    sends(r, error.text, new Map());
  }
  const on = textOf(match, "on");
  return {
    is: "error",
    error: error?.text ?? "",
    ...(on === "" ? {} : { on }),
    onItsName: match.form === "on its name",
  };
}

/** The rows of a section's failure tables. */
export function failureRows(r: Resolver, section: SectionNode | undefined): FailureRow[] {
  if (section === undefined) return [];
  const seen = new Set<string>();
  return tablesOf(section, "failures").flatMap((table) =>
    table.rows.flatMap((row) => {
      const slot = slotOf(firstMatch(row), "condition");
      if (slot === undefined) return [];
      const entry = failureConditions.find((one) => one.name === slot.text);
      if (entry === undefined) {
        const near = nearest(
          slot.text,
          failureConditions.map((one) => one.name),
        );
        report(r, "unknown-condition", slot, {
          message: `'${slot.text}' is no condition of the closed list.`,
          hint:
            near === undefined
              ? `The list: ${failureConditions.map((one) => one.name).join(", ")}.`
              : `Nearest: ${near}.`,
        });
        return [];
      }
      const condition = entry.name;
      if (seen.has(condition)) {
        report(r, "second-name", slot, {
          message: `The condition '${condition}' stands here again.`,
        });
      }
      seen.add(condition);
      return [
        {
          id: origin(r, row.id, slot),
          condition,
          answer: answerOf(r, { section, table, row }, entry),
          columns: columnTexts(r, { section, table, row }, false),
        },
      ];
    }),
  );
}

/** The texts of the further columns of a row, by name; undefined: none. */
function textsOfRow(table: TableNode, row: RowNode): ReadonlyMap<string, boolean> {
  return new Map(
    table.columns.flatMap((column, i) =>
      column.slot === undefined
        ? []
        : [[column.slot.text, cellAt(row, i)?.status !== "none"] as const],
    ),
  );
}

/** Names of the further columns of all failure tables, and whether a failure may have no text. */
export function failureColumns(r: Resolver): ReadonlyMap<string, { readonly orNull: boolean }> {
  const tables = r.spec.parts.flatMap((part) =>
    part.sections.flatMap((section) => tablesOf(section, "failures")),
  );
  const names = new Set(
    tables.flatMap((table) =>
      table.columns.flatMap((column) => (column.slot === undefined ? [] : [column.slot.text])),
    ),
  );
  // Only what names a member is among the failures that a shape sees.
  const told = tables.flatMap((table) =>
    table.rows
      .filter((row) => cellOf(table, row, "Error")?.matches[0]?.form === "on its name")
      .map((row) => textsOfRow(table, row)),
  );
  return new Map(
    [...names].map((name) => [name, { orNull: told.some((texts) => texts.get(name) !== true) }]),
  );
}
