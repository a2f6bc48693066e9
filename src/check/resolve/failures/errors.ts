/** Resolves the error table. */
import type { Member } from "../../../expr/index.ts";
import type { Answer, ErrorDefinition } from "../../../plan/index.ts";
import type { Match, WrittenCell } from "../../../spec/index.ts";
import { answer, NOT_ASKED, text } from "../names/asking.ts";
import type { Collected } from "../names/collect.ts";
import {
  cellOf,
  firstMatch,
  origin,
  type Resolver,
  sectionsOf,
  shownGap,
  slotOf,
  type TableRow,
  tablesOf,
  textOf,
  unknownName,
} from "../names/resolver.ts";
import { columnTexts, failureColumns } from "./failures.ts";

function cellAnswer<T>(
  r: Resolver,
  at: TableRow,
  title: string,
  read: (match: Match) => T,
): Answer<T> {
  const cell: WrittenCell | undefined = cellOf(at.table, at.row, title);
  const id = `${at.row.id}/${title.toLowerCase()}`;
  const match = cell?.matches[0];
  if (cell?.status === "none" || cell?.status === "free") return { is: cell.status, id };
  if (cell === undefined || match === undefined) {
    const node = { id, start: cell?.start ?? at.row.start, end: cell?.end ?? at.row.end };
    return { is: "gap", gap: shownGap(r, at.section, node, title.toLowerCase()) };
  }
  return { is: "stated", id: origin(r, id, cell), value: read(match) };
}

function error(r: Resolver, names: Collected, at: TableRow): ErrorDefinition | undefined {
  const name = slotOf(firstMatch(at.row), "name");
  if (name === undefined) return undefined;
  return {
    id: origin(r, at.row.id, name),
    name: name.text,
    status: cellAnswer(r, at, "Status", (match) => Number(textOf(match, "status"))),
    columns: columnTexts(r, at, false),
    headers: columnTexts(r, at, true),
    body: cellAnswer(r, at, "Body", (match) => {
      const shape = slotOf(match, "shape");
      if (shape !== undefined && !names.shapes.has(shape.text)) {
        unknownName(r, shape, "shape", names.shapes.keys());
      }
      return textOf(match, "shape");
    }),
  };
}

/** Whether some error has no text in a column, so that a shape reads null there. */
function nullableColumn(errors: readonly ErrorDefinition[], name: string): boolean {
  return errors.some(
    (one) => one.columns.find((column) => column.name === name)?.value.is === "none",
  );
}

function registerError(r: Resolver, errors: readonly ErrorDefinition[]): void {
  const members = new Map<string, Member>([
    ["name", { type: { kind: "string", oneOf: errors.map((one) => one.name) }, absent: false }],
    ["status", { type: { kind: "integer" }, absent: false }],
  ]);
  for (const name of new Set(errors.flatMap((one) => one.columns.map((column) => column.name)))) {
    members.set(name, {
      absent: false,
      type: nullableColumn(errors, name)
        ? { kind: "nullable", of: { kind: "string" } }
        : { kind: "string" },
    });
  }
  r.objects.set("error", members);
  const failure = new Map<string, Member>([
    ["field", { type: { kind: "string" }, absent: false }],
    ["condition", { type: { kind: "string" }, absent: false }],
    ["error", { type: { kind: "string" }, absent: false }],
  ]);
  for (const [name, { orNull }] of failureColumns(r)) {
    const text = { kind: "string" } as const;
    failure.set(name, { type: orNull ? { kind: "nullable", of: text } : text, absent: false });
  }
  r.objects.set("failure", failure);
}

/** Resolves the errors: first, since error shapes and rows on refusal read them. */
export function resolveErrors(r: Resolver, names: Collected): ErrorDefinition[] {
  const errors = sectionsOf(r, "errors").flatMap((section) =>
    tablesOf(section, "errors").flatMap((table) =>
      table.rows.flatMap((row) => error(r, names, { section, table, row }) ?? []),
    ),
  );
  registerError(r, errors);
  return errors;
}

/** Whether the first failed input or all of them are reported. */
export function resolveReported(r: Resolver, raised: boolean): Answer<"first" | "all"> {
  const [section] = sectionsOf(r, "errors");
  if (section === undefined) return NOT_ASKED;
  return answer({ r, section }, "failures reported", text("which"), { raised });
}
