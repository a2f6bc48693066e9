/** Resolves the error table. */
import type { Member } from "../../../expr/index.ts";
import type { Answer, ErrorDefinition } from "../../../plan/index.ts";
import { answer, NOT_ASKED, text } from "../names/asking.ts";
import { cellAnswer, rowsOf, type TableRow } from "../names/cells.ts";
import type { Collected } from "../names/collect.ts";
import {
  firstMatch,
  isAmong,
  origin,
  type Resolver,
  sectionsOf,
  slotOf,
  textOf,
} from "../names/resolver.ts";
import { columnTexts, failureColumns } from "./failures.ts";

function error(names: Collected, at: TableRow): ErrorDefinition | undefined {
  const { r, row } = at;
  const name = slotOf(firstMatch(row), "name");
  if (name === undefined) return undefined;
  return {
    id: origin(r, row.id, name),
    name: name.text,
    status: cellAnswer(at, "Status", (match) => Number(textOf(match, "status"))),
    columns: columnTexts(at, false),
    headers: columnTexts(at, true),
    body: cellAnswer(at, "Body", (match) => {
      const shape = slotOf(match, "shape");
      if (shape !== undefined) isAmong(r, shape, "shape", names.shapes);
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
  const rows = rowsOf(r, sectionsOf(r, "errors"), "errors");
  const errors = rows.flatMap((at) => error(names, at) ?? []);
  registerError(r, errors);
  return errors;
}

/** Whether the first failed input or all of them are reported. */
export function resolveReported(r: Resolver, raised: boolean): Answer<"first" | "all"> {
  const [section] = sectionsOf(r, "errors");
  if (section === undefined) return NOT_ASKED;
  return answer({ r, section }, "failures reported", text("which"), { raised });
}
