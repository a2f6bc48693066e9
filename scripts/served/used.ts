/** The items that a document uses, from what the reader matched; must not know the tests. */

import type { Plan } from "../../src/plan/index.ts";
import {
  type Match,
  type SectionNode,
  type SlotValue,
  type Spec,
  type StepNode,
  type TableNode,
  type TypeSlot,
  unfolded,
  type WrittenCell,
} from "../../src/spec/index.ts";

/** Adds a match under its item, with its choices and what was left to choose. */
function note(prefix: string, match: Match, found: Set<string>): void {
  found.add(prefix);
  for (const [name, slot] of Object.entries(match.slots)) {
    found.add(`${prefix}[${name}]`);
    if (slot.kind === "text") found.add(`${prefix}=${slot.text}`);
    noteSlot(slot, found);
  }
}

function noteType(type: TypeSlot, found: Set<string>): void {
  note(`types/${type.match.form}`, type.match, found);
  if (type.orNull) found.add("types/or null");
  if (type.orAbsent) found.add("types/or absent");
}

function noteSlot(slot: SlotValue, found: Set<string>): void {
  switch (slot.kind) {
    case "type":
      return noteType(slot, found);
    case "refusal":
      found.add(slot.gap ? "pieces/refusal/not shown" : "pieces/refusal");
      if (slot.on !== undefined) found.add("pieces/refusal[on]");
      if (slot.with.length > 0) found.add("pieces/refusal[with]");
      return;
    case "order":
      for (const { descending } of slot.keys) {
        found.add(`pieces/order/${descending ? "descending" : "ascending"}`);
      }
      return;
    case "condition":
      return note(`conditions/${slot.match.form}`, slot.match, found);
    case "step":
      return note(`steps/${slot.match.form}`, slot.match, found);
    default:
  }
}

function noteCell(prefix: string, cell: WrittenCell, found: Set<string>): void {
  const rule = prefix.endsWith("/rules");
  if (cell.status === "none" || cell.status === "free") found.add(`${prefix}/${cell.status}`);
  if (rule && cell.status === "none") found.add("rules/none");
  for (const match of cell.matches) {
    note(rule ? `rules/${match.form}` : `${prefix}/${match.form}`, match, found);
  }
}

function noteTable(table: TableNode, found: Set<string>): void {
  for (const row of table.rows) {
    row.cells.forEach((cell, i) => {
      const column = table.columns[i];
      if (column === undefined) return;
      const title = column.slot === undefined ? column.title.toLowerCase() : "*";
      if (column.header) found.add(`tables/${table.table}/*/header`);
      const written = unfolded(cell);
      noteCell(`tables/${table.table}/${title}`, written, found);
      const condition = written.matches[0]?.slots.condition;
      if (table.table === "failures" && i === 0 && condition?.kind === "text") {
        found.add(`failures/${condition.text}`);
      }
    });
  }
}

function noteStep(step: StepNode, found: Set<string>): void {
  note(`steps/${step.match.form}`, step.match, found);
  for (const condition of step.conditions) note(`conditions/${condition.form}`, condition, found);
  for (const child of step.children) noteStep(child, found);
  for (const one of step.cases) noteStep(one.step, found);
}

function noteSection(section: SectionNode, found: Set<string>): void {
  if (section.heading !== undefined) {
    note(`headings/${section.heading.form}`, section.heading, found);
  }
  for (const bullet of section.bullets) {
    const prefix = `bullets/${section.scope}/${bullet.match.form}`;
    if (bullet.status === "none" || bullet.status === "free") {
      found.add(`${prefix}/${bullet.status}`);
    } else if (bullet.status === "stated") note(prefix, bullet.match, found);
  }
  for (const table of section.tables) noteTable(table, found);
  for (const step of section.steps) noteStep(step, found);
  for (const fence of section.fences) found.add(`blocks/${fence.block}`);
}

/** Functions, operators and macros of every expression that the plan holds. */
function noteCode(value: unknown, found: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  const { op, fn, macro } = value as Record<string, unknown>;
  if (op === "call") for (const kind of ["functions", "operators"]) found.add(`${kind}/${fn}`);
  if (op === "each") found.add(`macros/${macro}`);
  if (op === "has") found.add("macros/has");
  if (op === "index") found.add("operators/[]");
  for (const member of Object.values(value)) noteCode(member, found);
}

/** Ids of the items that the document uses, and of more that are none. */
export function usedItems(spec: Spec, plan: Plan): ReadonlySet<string> {
  const found = new Set<string>();
  for (const part of spec.parts) for (const section of part.sections) noteSection(section, found);
  noteCode(plan, found);
  return found;
}
