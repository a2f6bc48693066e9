/** Second pass: fields with rules, invariants and start rows of resources and parts. */
import type { Type } from "../../../expr/index.ts";
import type { QuestionId } from "../../../language/index.ts";
import {
  type BaseType,
  type Field,
  fillsItself,
  type Given,
  type ItemId,
  type Part,
  type Read,
  References,
  type Resource,
} from "../../../plan/index.ts";
import type { Match, TextSlot } from "../../../spec/index.ts";
import { answer, silent } from "../names/asking.ts";
import { cellGap as recordGap } from "../names/cells.ts";
import { type Collected, type FieldDraft, hasRule, nameOf } from "../names/collect.ts";
import { commonNames } from "../names/common.ts";
import { BOOLEAN, resolve, withNames } from "../names/expression.ts";
import {
  cellOf,
  known,
  origin,
  type Resolver,
  report,
  sectionsOf,
  slotOf,
  textOf,
  textsOf,
} from "../names/resolver.ts";
import { askMissing, invariants, versionTag } from "./invariants.ts";
import { newOwner, type Owner } from "./owner.ts";
import { startRows } from "./rows.ts";
import { resolveRules } from "./rules.ts";

const words = new Map<string, { readonly is: string }>();

/** What a word alone says; one object for each word, since a large document has many fields. */
function sharedWord<T extends string>(is: T): { readonly is: T } {
  const known = words.get(is) ?? { is };
  words.set(is, known);
  return known as { readonly is: T };
}

function givenUnder(
  r: Resolver,
  owner: Owner,
  draft: FieldDraft,
  title: "Create" | "Update",
): Given {
  const cell = cellOf(draft.table, draft.row, title);
  if (cell === undefined) return { is: "no" };
  const match = cell.matches[0];
  if (cell.status !== "stated" || match === undefined) {
    return { is: "gap", gap: cellGap(r, owner, draft, title) };
  }
  if (match.form !== "required when")
    return sharedWord(match.form as "required" | "optional" | "no");
  const body: Type = {
    kind: "object",
    name: `${title === "Create" ? "new" : "changed"}:${owner.name}`,
  };
  const slot = slotOf(match, "condition") ?? conditionSlot(match);
  const view = withNames(commonNames(r), [["body", body]]);
  return { is: "required when", condition: resolve(r, slot, view, BOOLEAN).expression };
}

function conditionSlot(match: Match): TextSlot {
  const value = match.slots.condition;
  const inner = value?.kind === "condition" ? value.match.slots.expr : undefined;
  return inner?.kind === "text"
    ? inner
    : { kind: "text", text: "true", start: match.start, end: match.end };
}

function cellGap(r: Resolver, owner: Owner, draft: FieldDraft, title: string): ItemId {
  const { table, row } = draft;
  const cell = cellOf(table, row, title);
  return recordGap({ r, section: owner.section, row }, cell, title.toLowerCase());
}

function read(r: Resolver, owner: Owner, draft: FieldDraft): Read {
  const cell = cellOf(draft.table, draft.row, "Read");
  if (cell === undefined) return { is: "no" };
  const match = cell.matches[0];
  if (cell.status !== "stated" || match === undefined) {
    return { is: "gap", gap: cellGap(r, owner, draft, "Read") };
  }
  if (match.form !== "actors") return sharedWord(match.form as "yes" | "no" | "on create");
  const actors = textsOf(match, "actors");
  for (const actor of actors) known(r, "actor", actor);
  return { is: "actors", actors: actors.map((actor) => actor.text) };
}

interface FieldQuestion {
  readonly question: QuestionId;
  readonly subject: string;
  readonly raised: boolean;
}

/** A secret, or a list or map of them. */
function isSecret(type: BaseType): boolean {
  return type.kind === "list" || type.kind === "map"
    ? isSecret(type.of.type)
    : type.kind === "secret";
}

/** The questions of a field that its Rules cell answers. */
function fieldQuestions(draft: FieldDraft, field: Field, isReplaced: boolean): FieldQuestion[] {
  const { type } = field.type;
  const kinds = new Set(field.rules.map((rule) => rule.kind));
  const isLeftOut = ({ is }: Field["create"]): boolean =>
    is === "optional" || is === "required when" || is === "merged";
  const mayLack = isLeftOut(field.create) || (isReplaced && isLeftOut(field.update));
  const filled = fillsItself(field);
  const asked: readonly FieldQuestion[] = [
    {
      question: "list order",
      subject: "order of items",
      raised: type.kind === "list" && !kinds.has("order"),
    },
    { question: "starts", subject: "starts", raised: mayLack && !filled && !field.type.orAbsent },
    {
      question: "kept as",
      subject: "how it is kept",
      raised: isSecret(type) && !kinds.has("kept as"),
    },
  ];
  return asked.filter(({ subject }) => !gapIn(draft, subject));
}

const gapTexts = new Map<string, string>();

/** What records the gap of a subject in a cell; one text for each. */
function gapText(subject: string, empty: boolean): string {
  const text = `${empty ? "" : "; "}${subject}: not shown`;
  const known = gapTexts.get(text) ?? text;
  gapTexts.set(known, known);
  return known;
}

function gapIn(draft: FieldDraft, subject: string): boolean {
  const cell = cellOf(draft.table, draft.row, "Rules");
  return (
    cell?.status === "not shown" ||
    cell?.gaps.some((gap) => gap.text.toLowerCase() === subject) === true
  );
}

function field(r: Resolver, owner: Owner, draft: FieldDraft, isReplaced: boolean): Field {
  const cell = cellOf(draft.table, draft.row, "Rules");
  const id = origin(r, draft.row.id, draft.name);
  const rules = resolveRules(
    r,
    {
      section: owner.section,
      id,
      name: draft.name.text,
      type: draft.type,
      exprType: draft.exprType,
      on: owner.kind === "row" ? "field" : "part",
      view: owner.view,
      createView: owner.createView,
      cell: cell ?? draft.row,
      fields: owner.fieldNames,
      gaps: cell?.gaps.map((gap) => gap.text.toLowerCase()) ?? [],
    },
    cell,
  );
  const made: Field = {
    id,
    name: draft.name.text,
    ...(draft.sentAs === undefined ? {} : { sentAs: draft.sentAs }),
    type: draft.type,
    create: givenUnder(r, owner, draft, "Create"),
    update: givenUnder(r, owner, draft, "Update"),
    read: read(r, owner, draft),
    rules,
    ...(draft.gap === undefined ? {} : { gap: draft.gap }),
  };
  for (const question of fieldQuestions(draft, made, isReplaced)) {
    if (!question.raised || cell === undefined) continue;
    const empty = cell.matches.length === 0 && cell.status === "stated" && cell.gaps.length === 0;
    silent(r, {
      question: question.question,
      section: owner.section,
      span: draft.name,
      id: `${id}/${question.subject}`,
      about: `\`${owner.name}.${made.name}\``,
      fix: { at: cell.end, insert: gapText(question.subject, empty) },
    });
  }
  return made;
}

function keyOf(r: Resolver, owner: Owner): string | undefined {
  const keys = owner.drafts.filter(
    (draft) => draft.type.type.kind === "id" || hasRule(draft, "key") !== undefined,
  );
  const second = keys[1];
  if (second !== undefined) {
    report(r, "second-key", second.name, {
      message: `\`${owner.name}\` has a key already: ` + `\`${keys[0]?.name.text}\`.`,
      hint: "One field names the row: the one of type `id` or with `key`.",
    });
  }
  return keys[0]?.name.text;
}

/** What a resource is made of. */
interface Making {
  readonly owner: Owner;
  readonly references: References;
  /** Whether some step sets every member of its rows from a body. */
  readonly isReplaced: boolean;
}

function resource(r: Resolver, { owner, isReplaced, references }: Making): Resource {
  const { section } = owner;
  const id = origin(r, section.id, nameOf(section));
  const kind = textOf(section.heading, "kind");
  const fields = owner.drafts.map((draft) => field(r, owner, draft, isReplaced));
  const [every] = sectionsOf(r, "every resource");
  const rows = answer({ r, section, every }, "rows at the start", (match) =>
    startRows(r, section, match, owner.drafts),
  );
  const key = keyOf(r, owner);
  if (key !== undefined) r.keys.set(owner.name, key);
  const many = textOf(section.heading, "many");
  const tag = versionTag(r, owner);
  return {
    id,
    name: owner.name,
    ...(many === "" ? {} : { many }),
    keptInside: kind === "kept inside",
    fixed: kind === "fixed",
    fields,
    ...(key === undefined ? {} : { key }),
    invariants: [
      ...invariants(r, owner, fields, references),
      ...askMissing(r, owner, fields, references),
    ],
    ...tag,
    startRows: rows,
  };
}

/** Resolves all resources and parts; `replaced`: resources whose rows some step replaces. */
export function resolveResources(
  r: Resolver,
  names: Collected,
  replaced: ReadonlySet<string>,
): { resources: Resource[]; partTypes: Part[] } {
  const partTypes = [...names.parts].map(([name, section]): Part => {
    const drafts = names.partFields.get(name) ?? [];
    const fieldNames = drafts.map((draft) => draft.name.text);
    const owner = newOwner(r, { section, name, kind: "part", drafts, fieldNames });
    return {
      id: origin(r, section.id, nameOf(section)),
      name,
      fields: owner.drafts.map((draft) => field(r, owner, draft, false)),
    };
  });
  const references = new References(partTypes);
  const resources = [...names.resources].map(([name, section]) => {
    const drafts = names.fields.get(name) ?? [];
    const fieldNames = drafts.map((draft) => draft.name.text);
    const owner = newOwner(r, { section, name, kind: "row", drafts, fieldNames });
    return resource(r, { owner, references, isReplaced: replaced.has(owner.name) });
  });
  return { resources, partTypes };
}
