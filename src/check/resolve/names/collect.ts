/** First pass: what is declared, and the types of all fields, before any expression is read. */
import type { Member, Type } from "../../../expr/index.ts";
import type { Answer, Precision } from "../../../plan/index.ts";
import type { SectionNode, TableNode, TypeSlot } from "../../../spec/index.ts";
import { type AskedAt, answer, NOT_ASKED, silent, text } from "./asking.ts";
import { cellGap, rowsOf, sentAs, type TableRow } from "./cells.ts";
import { nameOf } from "./name-of.ts";
import { type FieldDraft, hasRule, registerObjects } from "./objects.ts";
import {
  cellOf,
  declare,
  firstMatch,
  headSpan,
  isAmong,
  lineEnd,
  type Resolver,
  report,
  sectionsOf,
  shownGap,
  slotOf,
  tablesOf,
  textOf,
  textsOf,
} from "./resolver.ts";
import { collectSchemas } from "./schemas.ts";
import { exprType, hiddenType, hiddenValue, type TypeNames, valueType } from "./types.ts";

export { nameOf } from "./name-of.ts";
export { type FieldDraft, hasRule };

/** Everything that is declared, with the types of all fields. */
export interface Collected extends TypeNames {
  readonly fields: ReadonlyMap<string, readonly FieldDraft[]>;
  readonly partFields: ReadonlyMap<string, readonly FieldDraft[]>;
  readonly machines: ReadonlyMap<string, SectionNode>;
}

/** A construct that is being resolved: where it stands, and what is declared. */
export interface Place extends AskedAt {
  readonly names: Collected;
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
  for (const { section, row } of rowsOf(r, sectionsOf(r, scope), table)) {
    const slot = slotOf(firstMatch(row), "name");
    if (slot !== undefined && declare(r, kind, slot, section)) names.push(slot.text);
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
    if (section === undefined) return NOT_ASKED;
    known ??= answer({ r, section }, "precision", text<Precision>("precision"));
    return known;
  };
}

/** A row of a field table; `owner` is the resource or part that has the fields. */
interface FieldRow extends TableRow {
  readonly owner: string;
}

function draftField(names: TypeNames, at: FieldRow): FieldDraft | undefined {
  const { r, table, row, owner } = at;
  const name = slotOf(firstMatch(row), "name");
  if (name === undefined) return undefined;
  const sent = sentAs(firstMatch(row));
  const cell = cellOf(table, row, "Type");
  const slot = cell?.matches[0]?.slots.type;
  if (cell === undefined || slot?.kind !== "type") {
    const gap = cellGap(at, cell, "type");
    return { name, ...sent, row, table, type: hiddenValue(gap), exprType: hiddenType(gap), gap };
  }
  const type = valueType(r, names, slot);
  return {
    name,
    ...sent,
    row,
    table,
    type,
    exprType: exprType(names, type, names.states.get(owner)),
  };
}

function draftFields(
  r: Resolver,
  names: TypeNames,
  section: SectionNode,
  owner: string,
): FieldDraft[] {
  const drafts: FieldDraft[] = [];
  const seen = new Set<string>();
  const all = tablesOf(section, "fields");
  if (all.length > 1) {
    report(r, "second-table", all[1] as TableNode, {
      message: "A second field table stands here.",
      hint: "Put all fields into one table.",
    });
  }
  for (const at of rowsOf(r, [section], "fields")) {
    const draft = draftField(names, { ...at, owner });
    if (draft === undefined) continue;
    const { text } = draft.name;
    if (seen.has(text)) {
      report(r, "second-name", draft.name, { message: `The field \`${text}\` stands here again.` });
      continue;
    }
    seen.add(text);
    drafts.push(draft);
  }
  return drafts;
}

/** Key of the bullet that states it. */
const VERSION = "this version";

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
          : hiddenType(shownGap(r, section, bullet, `the setting \`${name.text}\``));
      members.set(name.text, { type, absent: false });
      r.settings.set(name.text, type);
    }
  }
  r.objects.set("setting", members);
}

/** What the document says of itself. */
function collectService(r: Resolver): void {
  const [section] = sectionsOf(r, "versioning");
  if (section === undefined) return;
  const bullet = section.bullets.find((one) => one.key === VERSION);
  if (bullet?.status === "none" || bullet?.status === "free") return;
  const gap = bullet?.id ?? `${section.id}/${VERSION}`;
  const type: Type = bullet?.status === "stated" ? { kind: "string" } : hiddenType(gap);
  r.objects.set("service", new Map([["version", { type, absent: false }]]));
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
    isAmong(r, slot, "resource", resources);
    if (machines.has(name)) {
      report(r, "contradiction", slot, { message: `\`${name}\` has states further below.` });
    }
  }
  for (const section of machines.values()) isAmong(r, nameOf(section), "resource", resources);
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
  collectSchemas(r);
  declareAll(r, "routine", "routine");
  declareAll(r, "value", "value");
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
  collectService(r);
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
    const bullet = section.bullets.find((one) => one.key === "caller");
    if (bullet?.status !== "stated") r.callerGap ??= bullet?.id ?? `${section.id}/caller`;
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
