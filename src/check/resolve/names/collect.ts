/** First pass: what is declared, and the types of all fields, before any expression is read. */
import type { Member, Type } from "../../../expr/index.ts";
import { rules } from "../../../language/index.ts";
import { type Answer, type Precision, ruleKinds, type ValueType } from "../../../plan/index.ts";
import type {
  Match,
  RowNode,
  SectionNode,
  TableNode,
  TextSlot,
  TypeSlot,
} from "../../../spec/index.ts";
import { answer, silent } from "./asking.ts";
import {
  cellOf,
  declare,
  firstMatch,
  headSpan,
  lineEnd,
  type Resolver,
  report,
  sectionsOf,
  shownGap,
  slotOf,
  type TableRow,
  tablesOf,
  textOf,
  textsOf,
} from "./resolver.ts";
import { exprType, type TypeNames, valueType } from "./types.ts";

/** A row of a field table with its type. */
export interface FieldDraft {
  readonly name: TextSlot;
  readonly row: RowNode;
  readonly table: TableNode;
  readonly type: ValueType;
  readonly exprType: Type;
  /** The gap of a type that is not shown. */
  readonly gap?: string;
}

/** Everything that is declared, with the types of all fields. */
export interface Collected extends TypeNames {
  readonly fields: ReadonlyMap<string, readonly FieldDraft[]>;
  readonly partFields: ReadonlyMap<string, readonly FieldDraft[]>;
  readonly machines: ReadonlyMap<string, SectionNode>;
}

/** The name in a section's heading; empty, at its start, where it has none. */
export function nameOf(section: SectionNode): TextSlot {
  return (
    slotOf(section.heading, "name") ?? {
      kind: "text",
      text: "",
      start: section.start,
      end: section.start,
    }
  );
}

function declareAll(
  r: Resolver,
  scope: SectionNode["scope"],
  kind: Parameters<typeof declare>[1],
): Map<string, SectionNode> {
  const found = new Map<string, SectionNode>();
  for (const section of sectionsOf(r, scope)) {
    const name = nameOf(section);
    if (declare(r, kind, name, section)) found.set(name.text, section);
  }
  return found;
}

function declareRows(
  r: Resolver,
  scope: SectionNode["scope"],
  table: string,
  kind: Parameters<typeof declare>[1],
): string[] {
  const names: string[] = [];
  for (const section of sectionsOf(r, scope)) {
    for (const one of tablesOf(section, table)) {
      for (const row of one.rows) {
        const slot = slotOf(firstMatch(row), "name");
        if (slot !== undefined && declare(r, kind, slot, section)) names.push(slot.text);
      }
    }
  }
  return names;
}

function statesOf(machines: ReadonlyMap<string, SectionNode>): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const [name, section] of machines) {
    const value = section.bullets.find((bullet) => bullet.key === "states")?.match.slots.states;
    if (value?.kind === "states")
      found.set(
        name,
        value.items.map((item) => item.name.text),
      );
  }
  return found;
}

/** The answer to how precise timestamps are; asked when the first type needs it. */
function precisionOf(r: Resolver): () => Answer<Precision> {
  let known: Answer<Precision> | undefined;
  return () => {
    const [section] = sectionsOf(r, "service");
    if (section === undefined) return { is: "none", id: "service/timestamps" };
    known ??= answer(r, {
      question: "precision",
      key: "timestamps",
      label: "Timestamps",
      sections: [section],
      read: (match) => textOf(match, "precision") as Precision,
    });
    return known;
  };
}

/** A row of a field table; `owner` is the resource or part that has the fields. */
interface FieldRow extends TableRow {
  readonly owner: string;
}

function draftField(r: Resolver, names: TypeNames, at: FieldRow): FieldDraft | undefined {
  const { section, table, row, owner } = at;
  const name = slotOf(firstMatch(row), "name");
  if (name === undefined) return undefined;
  const cell = cellOf(table, row, "Type");
  const slot = cell?.matches[0]?.slots.type;
  const plain: ValueType = { type: { kind: "json" }, orNull: false, orAbsent: false };
  if (cell === undefined || slot?.kind !== "type") {
    const node = {
      id: `${row.id}/type`,
      start: cell?.start ?? row.start,
      end: cell?.end ?? row.end,
    };
    const gap = shownGap(r, section, node, "type");
    return { name, row, table, type: plain, exprType: { kind: "unknown" }, gap };
  }
  const type = valueType(r, names, slot);
  return { name, row, table, type, exprType: exprType(names, type, names.states.get(owner)) };
}

function draftFields(
  r: Resolver,
  names: TypeNames,
  section: SectionNode,
  owner: string,
): FieldDraft[] {
  const drafts: FieldDraft[] = [];
  const seen = new Map<string, TextSlot>();
  const all = tablesOf(section, "fields");
  if (all.length > 1) {
    report(r, "second-table", all[1] as TableNode, {
      message: "A second field table stands here.",
      hint: "Put all fields into one table.",
    });
  }
  for (const table of all) {
    for (const row of table.rows) {
      const draft = draftField(r, names, { section, table, row, owner });
      if (draft === undefined) continue;
      if (seen.has(draft.name.text)) {
        report(r, "second-name", draft.name, {
          message: `The field \`${draft.name.text}\` stands here again.`,
        });
        continue;
      }
      seen.set(draft.name.text, draft.name);
      drafts.push(draft);
    }
  }
  return drafts;
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
  return type.kind === "nullable" ? type : { kind: "nullable", of: type };
}

/** The type of what is sent to be merged into a value: null takes a member away (RFC 7396). */
function patchType(type: Type): Type {
  switch (type.kind) {
    case "nullable":
      return nullable(patchType(type.of));
    case "map":
      return { kind: "map", of: nullable(patchType(type.of)) };
    case "object":
      return { kind: "object", name: type.name.replace(/^part:/, "patch:") };
    default:
      return type;
  }
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
function registerObjects(
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
    const member = membersOf(type);
    const { orAbsent } = draft.type;
    members.set(
      text,
      prefix === "part" && isFilled(draft)
        ? { type, absent: orAbsent, filled: true }
        : member(orAbsent),
    );
    if (create !== "no") {
      made.set(text, member(create !== "required" || draft.type.orAbsent));
    }
    if (update !== "no") {
      const sent = update === "merged" ? membersOf(patchType(type)) : member;
      changed.set(text, sent(update !== "required" || draft.type.orAbsent));
      const inside = patchType(type);
      patch.set(text, { type: draft.type.orAbsent ? nullable(inside) : inside, absent: true });
    }
  }
  r.objects.set(`${prefix}:${name}`, members);
  r.objects.set(`new:${name}`, made);
  r.objects.set(`changed:${name}`, changed);
  if (prefix === "part") r.objects.set(`patch:${name}`, patch);
}

function collectSettings(r: Resolver, names: TypeNames): void {
  const members = new Map<string, Member>();
  for (const section of sectionsOf(r, "service")) {
    for (const bullet of section.bullets) {
      if (bullet.key !== "setting") continue;
      const name = slotOf(bullet.match, "name");
      const slot = bullet.match.slots.type;
      if (name === undefined || !declare(r, "setting", name, section)) continue;
      const type: Type =
        slot?.kind === "type"
          ? exprType(names, valueType(r, names, slot as TypeSlot))
          : { kind: "unknown" };
      members.set(name.text, { type, absent: false });
      r.settings.set(name.text, type);
    }
  }
  r.objects.set("setting", members);
}

function collectCollections(r: Resolver, resources: ReadonlyMap<string, SectionNode>): void {
  for (const [name, section] of resources) {
    const many = slotOf(section.heading, "many");
    if (many === undefined) continue;
    if (r.collections.has(many.text)) {
      report(r, "second-name", many, {
        message: `The collection \`${many.text}\` stands here again.`,
      });
    } else r.collections.set(many.text, name);
  }
}

function declareSettingsAndBlocks(r: Resolver): void {
  for (const section of sectionsOf(r, "resource")) {
    for (const fence of section.fences) {
      if (fence.block === "rows") declare(r, "block", fence.name, section);
    }
  }
}

function checkMachines(
  r: Resolver,
  machines: ReadonlyMap<string, SectionNode>,
  resources: ReadonlyMap<string, SectionNode>,
): void {
  const [top] = sectionsOf(r, "states");
  const stateless = new Map(
    (top?.bullets ?? [])
      .filter((b) => b.key === "no states")
      .flatMap((b) => textsOf(b.match, "resources"))
      .map((slot) => [slot.text, slot] as const),
  );
  for (const [name, slot] of stateless) {
    if (!resources.has(name))
      report(r, "unknown-name", slot, { message: `There is no resource \`${name}\`.` });
    if (machines.has(name)) {
      report(r, "contradiction", slot, { message: `\`${name}\` has states further below.` });
    }
  }
  for (const [name, section] of machines) {
    if (!resources.has(name)) {
      report(r, "unknown-name", nameOf(section), { message: `There is no resource \`${name}\`.` });
    }
  }
  if (top === undefined) return;
  const said = top.sentences.some((sentence) => sentence.facet === "states");
  const subjects = new Set(top.sentences.map((sentence) => sentence.subject.text));
  for (const [name, section] of resources) {
    if (said || machines.has(name) || stateless.has(name)) continue;
    if (subjects.has(`States of ${name}`)) continue;
    const at = lineEnd(r, (top.bullets.at(-1) ?? headSpan(r, top)).end);
    silent(r, {
      question: "states",
      section,
      id: `states/${name}`,
      about: `\`${name}\``,
      fix: { at, insert: `\n\nStates of ${name}: not shown.` },
    });
  }
}

/** Collects everything that is declared. */
export function collect(r: Resolver): Collected {
  const resources = declareAll(r, "resource", "type");
  const parts = declareAll(r, "part", "type");
  const viewSections = declareAll(r, "view", "type");
  const shapes = declareAll(r, "shape", "type");
  const machines = declareAll(r, "machine", "machine");
  declareAll(r, "routine", "routine");
  declareAll(r, "call", "call");
  declareAll(r, "scheme", "scheme");
  declareAll(r, "webhook", "webhook");
  declareAll(r, "stream", "stream");
  const events = declareRows(r, "events", "events", "event");
  const errors = declareRows(r, "errors", "errors", "error");
  declareRows(r, "authentication", "actors", "actor");
  declareRows(r, "scheme", "actors", "actor");
  declareRows(r, "limits", "limits", "limit");
  declareSettingsAndBlocks(r);
  const views = new Map(
    [...viewSections].map(
      ([name, section]) => [name, textOf(section.heading, "resource")] as const,
    ),
  );
  const names: TypeNames = {
    resources,
    parts,
    views,
    shapes,
    events,
    errors,
    states: statesOf(machines),
    precision: precisionOf(r),
  };
  collectSettings(r, names);
  collectCollections(r, resources);
  const fields = new Map<string, readonly FieldDraft[]>();
  const partFields = new Map<string, readonly FieldDraft[]>();
  for (const [name, section] of parts) partFields.set(name, draftFields(r, names, section, name));
  for (const [name, section] of resources) fields.set(name, draftFields(r, names, section, name));
  for (const [name, drafts] of partFields) registerObjects(r, "part", name, drafts);
  for (const [name, drafts] of fields) registerObjects(r, "row", name, drafts);
  checkMachines(r, machines, resources);
  collectCaller(r);
  return { ...names, fields, partFields, machines };
}

/** The resource that the schemes' Caller bullets name. */
function collectCaller(r: Resolver): void {
  for (const section of sectionsOf(r, "scheme")) {
    const bullet = section.bullets.find((one) => one.key === "caller" && one.status === "stated");
    const name = slotOf(bullet?.match, "resource");
    if (name === undefined) continue;
    if (r.callerResource !== undefined && r.callerResource !== name.text) {
      report(r, "contradiction", name, {
        message: `Another scheme's caller is a \`${r.callerResource}\`.`,
        hint: "All schemes must name one resource for the caller.",
      });
    }
    r.callerResource ??= name.text;
  }
}
