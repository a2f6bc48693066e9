/** Registers what objects have members: rows, parts, and the bodies that make or change one. */
import { chosen, type Member, type Type } from "../../../expr/index.ts";
import { rules } from "../../../language/index.ts";
import { ruleKinds, type ValueType } from "../../../plan/index.ts";
import type { Match, RowNode, TableNode, TextSlot } from "../../../spec/index.ts";
import { cellAnswerId } from "./common.ts";
import { cellOf, type Resolver } from "./resolver.ts";
import { keptType, writtenType } from "./ruled.ts";
import { hiddenType } from "./types.ts";

/** A row of a field table with its type. */
export interface FieldDraft {
  readonly name: TextSlot;
  readonly sentAs?: string;
  readonly row: RowNode;
  readonly table: TableNode;
  readonly type: ValueType;
  readonly exprType: Type;
  /** The gap of a type that is not shown. */
  readonly gap?: string;
}

function formOf(draft: FieldDraft, title: string): string | undefined {
  const cell = cellOf(draft.table, draft.row, title);
  if (cell === undefined) return "no";
  return cell.status === "stated" ? cell.matches[0]?.form : undefined;
}

/** The first rule of the row that has one of these forms. */
export function hasRule(draft: FieldDraft, ...forms: readonly string[]): Match | undefined {
  return cellOf(draft.table, draft.row, "Rules")?.matches.find((rule) => forms.includes(rule.form));
}

/** The members of a type, there and perhaps absent: one object for each. */
function membersOf(type: Type): (absent: boolean) => Member {
  const members: { sure?: Member; absent?: Member } = {};
  return (absent) => {
    const at = absent ? "absent" : "sure";
    members[at] ??= { type, absent };
    return members[at];
  };
}

function nullable(type: Type): Type {
  const isOpen = type.kind === "nullable" || type.kind === "unknown";
  return isOpen ? type : { kind: "nullable", of: type };
}

/** The type of what is sent to be merged into a value: null takes a member away (RFC 7396). */
function patchType(type: Type): Type {
  if (type.kind === "nullable") return nullable(patchType(type.of));
  if (type.kind === "map") return { kind: "map", of: nullable(patchType(type.of)) };
  if (type.kind !== "object") return type;
  return { kind: "object", name: type.name.replace(/^part:/, "patch:") };
}

/** The member of a body whose Create or Update cell is not shown. */
function hiddenMember(draft: FieldDraft, title: string): Member | undefined {
  const cell = cellOf(draft.table, draft.row, title);
  if (cell?.status !== "not shown") return undefined;
  return { type: hiddenType(cellAnswerId(draft.row.id, title.toLowerCase())), absent: false };
}

const FILLING = rules
  .filter((rule) => ruleKinds[rule.kind].by === "making" && rule.id !== "set update")
  .map((rule) => rule.id);

/** Whether the service itself gives the field of a new part a value. */
function isFilled(draft: FieldDraft): boolean {
  if (draft.type.type.kind === "id" && formOf(draft, "Create") === "no") return true;
  if (hasRule(draft, ...FILLING) !== undefined) return true;
  const gaps = cellOf(draft.table, draft.row, "Rules")?.gaps ?? [];
  return gaps.some((gap) => gap.text.toLowerCase() === "starts");
}

/** Members of rows, and of the bodies that make or change one. */
export function registerObjects(
  r: Resolver,
  prefix: "row" | "part",
  name: string,
  drafts: readonly FieldDraft[],
): void {
  const members = new Map<string, Member>();
  const made = new Map<string, Member>();
  const changed = new Map<string, Member>();
  const patch = new Map<string, Member>();
  for (const draft of drafts) {
    const { text } = draft.name;
    const type = draft.exprType;
    const create = formOf(draft, "Create");
    const update = formOf(draft, "Update");
    const cell = cellOf(draft.table, draft.row, "Rules");
    const isOpen = cell?.status === "not shown" || (cell?.gaps.length ?? 0) > 0;
    const written = { rules: cell?.matches ?? [], isOpen };
    const isGiven = [create, update].some((form) => form !== undefined && form !== "no");
    const member = membersOf(isGiven ? keptType(type, written) : type);
    const given = membersOf(writtenType(type, written));
    const { orAbsent } = draft.type;
    const inPart = prefix === "part" ? hiddenMember(draft, "Create") : undefined;
    members.set(
      text,
      prefix === "part" && isFilled(draft)
        ? { ...member(orAbsent), filled: true }
        : (inPart ?? member(orAbsent)),
    );
    if (create !== "no") {
      const stated = given(create !== "required" || draft.type.orAbsent);
      made.set(text, hiddenMember(draft, "Create") ?? stated);
    }
    if (update !== "no") {
      const sent = update === "merged" ? membersOf(chosen(patchType(type))) : given;
      const stated = sent(update !== "required" || draft.type.orAbsent);
      changed.set(text, hiddenMember(draft, "Update") ?? stated);
      const inside = patchType(type);
      patch.set(text, { type: draft.type.orAbsent ? nullable(inside) : inside, absent: true });
    }
  }
  r.objects.set(`${prefix}:${name}`, members);
  r.objects.set(`new:${name}`, made);
  r.objects.set(`changed:${name}`, changed);
  if (prefix === "part") r.objects.set(`patch:${name}`, patch);
}
