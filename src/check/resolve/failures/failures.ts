/** Resolves failure tables: conditions of the closed list and what answers them. */
import { nearest } from "../../../base/index.ts";
import {
  type ConditionEntry,
  type FailureClass,
  failureConditions,
} from "../../../language/index.ts";
import type { Answer, FailureCondition, FailureRow, ItemId } from "../../../plan/index.ts";
import type {
  Match,
  RowNode,
  SectionNode,
  TableNode,
  TextSlot,
  WrittenCell,
} from "../../../spec/index.ts";
import { cellGap, cellIn, rowsOf, type TableRow } from "../names/cells.ts";
import { sends } from "../names/expression.ts";
import {
  cellAt,
  firstMatch,
  known,
  origin,
  type Resolver,
  report,
  slotOf,
  tablesOf,
  textOf,
} from "../names/resolver.ts";

const LEFT_OUT: Readonly<Record<string, "ignored" | "as if none were sent">> = {
  "bad credentials where optional": "as if none were sent",
};

/** Text values of the further columns of a row: those that are headers, or the others. */
export function columnTexts(
  at: TableRow,
  headers: boolean,
): { name: string; value: Answer<string> }[] {
  const owner = at.row.id.slice(0, at.row.id.lastIndexOf("/"));
  return at.table.columns.flatMap(({ slot, header }, i) => {
    if (slot === undefined || header !== headers) return [];
    origin(at.r, `${owner}/column ${slot.text}`, slot);
    return [{ name: slot.text, value: columnText(at, cellAt(at.row, i), slot.text) }];
  });
}

function columnText(at: TableRow, cell: WrittenCell | undefined, name: string): Answer<string> {
  if (cell === undefined || cell.status === "not shown") {
    return { is: "gap", gap: cellGap(at, cell, name) };
  }
  const id = `${at.row.id}/${name}`;
  if (cell.status !== "stated") return { is: cell.status, id };
  const value = textOf(cell.matches[0], "text");
  const word = value.replaceAll(/[^\p{L}\p{N} ]/gu, "").toLowerCase();
  if (cell.matches[0]?.form === "plain text" && (word === "" || OTHERWISE.test(word))) {
    report(at.r, "unknown-cell", cell, {
      message: `Whether '${value}' is a text is not clear: it may say that there is none.`,
      hint: `Write none or not shown, or the text in a code span: \`${value}\`.`,
    });
  }
  return { is: "stated", id, value };
}

/** Words that people write where they state nothing; \`gone\` and the like are texts. */
const OTHERWISE = /^(none|free|na|tbd|todo|unknown|not ?(show|shown|known|stated|specified|yet))$/;

/** What a row answers: to a condition, or to each of a class (`entry` undefined). */
function answerOf(
  at: TableRow,
  condition: FailureCondition | undefined,
  said: string,
  ignorable: boolean,
): FailureRow["answer"] {
  const { r } = at;
  const cell = cellIn(at, "Error");
  const match = cell?.matches[0];
  if (cell?.status === "free") return { is: "free" };
  if (cell === undefined || cell.status !== "stated" || match === undefined) {
    return { is: "gap", gap: cellGap(at, cell, "error", said) };
  }
  if (match.form === "ignored") {
    if (!ignorable) {
      const what = condition === undefined ? `'${said}'` : `The condition '${condition}'`;
      report(r, "not-allowed", cell, {
        message: `${what} can't be ignored.`,
        hint: "Name an error, or write 'not shown'.",
      });
    }
    return { is: LEFT_OUT[condition ?? ""] ?? "ignored" };
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

const CONDITIONS = failureConditions.map(({ name }) => name);

/** The condition of the closed list that a row names; reports one that is none. */
function conditionOf(r: Resolver, slot: TextSlot): ConditionEntry | undefined {
  const entry = failureConditions.find((one) => one.name === slot.text);
  if (entry !== undefined) return entry;
  const near = nearest(slot.text, CONDITIONS);
  report(r, "unknown-condition", slot, {
    message: `'${slot.text}' is no condition of the closed list.`,
    hint: near === undefined ? `The list: ${CONDITIONS.join(", ")}.` : `Nearest: ${near}.`,
  });
  return undefined;
}

const isClass = (text: string): text is FailureClass =>
  failureConditions.some((one) => one.class === text);

/** Keeps a row of a class until it is known which conditions can occur. */
function keepClass(at: TableRow, match: Match, owner: ItemId, seen: Set<string>): void {
  const { r, row } = at;
  const word = textOf(match, "class");
  const said = word === "" ? "every other failure" : `every other failure of ${word}`;
  const [span = row] = row.cells;
  if (seen.has(said)) report(r, "second-name", span, { message: `'${said}' stands here again.` });
  seen.add(said);
  const cell = cellIn(at, "Error");
  if (word !== "a value" && cell?.matches[0]?.form === "on its name") {
    report(r, "not-allowed", cell, {
      message: `Not each failure of '${said}' has a name.`,
      hint: "Answer those of values apart: 'every other failure of a value'.",
    });
  }
  const answer = answerOf(at, undefined, said, false);
  r.classRows.push({
    section: owner,
    class: isClass(word) ? word : undefined,
    answer: { id: origin(r, row.id, span), answer, columns: columnTexts(at, false) },
    span,
  });
}

/** The rows of a section's failure tables; those of a class are kept apart. */
export function failureRows(r: Resolver, section: SectionNode | undefined): FailureRow[] {
  const seen = new Set<string>();
  return rowsOf(r, [section], "failures").flatMap((at) => {
    const match = firstMatch(at.row);
    if (match?.form === "class") {
      keepClass(at, match, section?.id ?? "", seen);
      return [];
    }
    const slot = slotOf(match, "condition");
    const entry = slot && conditionOf(r, slot);
    if (slot === undefined || entry === undefined) return [];
    const condition = entry.name;
    if (seen.has(condition)) {
      const message = `The condition '${condition}' stands here again.`;
      report(r, "second-name", slot, { message });
    }
    seen.add(condition);
    const id = origin(r, at.row.id, slot);
    return [
      {
        id,
        condition,
        answer: answerOf(at, condition, condition, entry.ignorable),
        columns: columnTexts(at, false),
      },
    ];
  });
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
  const sections = r.spec.parts.flatMap((part) => part.sections);
  const names = sections
    .flatMap((section) => tablesOf(section, "failures"))
    .flatMap(({ columns }) =>
      columns.flatMap(({ slot }) => (slot === undefined ? [] : [slot.text])),
    );
  // Only what names a member is among the failures that a shape sees.
  const told = rowsOf(r, sections, "failures")
    .filter((at) => cellIn(at, "Error")?.matches[0]?.form === "on its name")
    .map(({ table, row }) => textsOfRow(table, row));
  return new Map(
    [...new Set(names)].map((name) => [
      name,
      { orNull: told.some((texts) => texts.get(name) !== true) },
    ]),
  );
}
