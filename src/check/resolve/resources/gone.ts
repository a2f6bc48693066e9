/** Asks what becomes of rows that name a row which is deleted, and judges what is said of it. */
import {
  type Field,
  heldReference,
  heldStructure,
  type Part,
  type Resource,
  type Rule,
} from "../../../plan/index.ts";
import type { SectionNode } from "../../../spec/index.ts";
import { silent } from "../names/asking.ts";
import type { Collected, FieldDraft } from "../names/collect.ts";
import { cellOf, type Resolver, report } from "../names/resolver.ts";

type WhenGone = Extract<Rule, { kind: "when gone" }>;

/** A field of a resource, or of a part, that comes down to a reference. */
interface Referring {
  readonly owner: string;
  readonly section: SectionNode;
  readonly draft: FieldDraft;
  readonly field: Field;
  readonly resource: string;
  readonly orNull: boolean;
  /** Whether a list or map is around each value of it that a row keeps. */
  readonly inside: boolean;
  /** The resources whose rows keep values of it. */
  readonly keptBy: ReadonlySet<string>;
}

/** A part among what rows keep. */
interface Kept {
  /** Around every value of it. */
  inside: boolean;
  readonly by: Set<string>;
}

/** The parts that rows keep, with the resources of the rows. */
function keptParts(resources: readonly Resource[], parts: readonly Part[]): Map<string, Kept> {
  const byName = new Map(parts.map((part) => [part.name, part]));
  const kept = new Map<string, Kept>();
  const open: { fields: readonly Field[]; by: string; inside: boolean }[] = resources.map(
    ({ fields, name }) => ({ fields, by: name, inside: false }),
  );
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const { type } of at.fields) {
      const held = heldStructure(type.type, at.inside);
      const part = byName.get(held?.name ?? "");
      if (held === undefined || part === undefined) continue;
      const known = kept.get(part.name);
      const isNew = known?.by.has(at.by) !== true || (known.inside && !held.inside);
      kept.set(part.name, {
        inside: held.inside && known?.inside !== false,
        by: (known?.by ?? new Set<string>()).add(at.by),
      });
      if (isNew) open.push({ fields: part.fields, by: at.by, inside: held.inside });
    }
  }
  return kept;
}

interface Owner {
  readonly name: string;
  readonly section: SectionNode | undefined;
  readonly drafts: readonly FieldDraft[];
  readonly fields: readonly Field[];
  readonly kept: Kept | undefined;
}

function referringOf(owner: Owner): readonly Referring[] {
  const { name, section, drafts, fields, kept } = owner;
  const byName = new Map(drafts.map((draft) => [draft.name.text, draft]));
  return fields.flatMap((field) => {
    const held = heldReference(field.type);
    const draft = byName.get(field.name);
    if (held === undefined || draft === undefined || section === undefined) return [];
    const inside = held.inside || kept?.inside === true;
    const keptBy = kept?.by ?? new Set();
    return [{ ...held, owner: name, section, draft, field, inside, keptBy }];
  });
}

const ruleOf = (field: Field): WhenGone | undefined =>
  field.rules.find((rule): rule is WhenGone => rule.kind === "when gone");

const isKept = (one: Resource["invariants"][number]): boolean =>
  one.kind === "kept for" || (one.kind === "gap" && one.of === "kept");

/** Resources whose rows can be deleted: by a step, in time, or with the rows that they name. */
function deletable(r: Resolver, all: readonly Referring[], resources: readonly Resource[]) {
  const never = new Set<string>();
  const found = new Set(r.effects.deletes);
  for (const { name, invariants } of resources) {
    if (invariants.some(isKept)) found.add(name);
    if (invariants.some((one) => one.kind === "deleted never")) never.add(name);
  }
  for (const name of never) found.delete(name);
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const { field, resource, keptBy } of all) {
      if (!found.has(resource) || ruleOf(field)?.action !== "deleted with it") continue;
      for (const name of keptBy) if (!never.has(name)) found.add(name);
    }
  }
  return found;
}

const SUBJECT = "when it is deleted";

function ask(r: Resolver, { owner, section, draft, field }: Referring): void {
  const cell = cellOf(draft.table, draft.row, "Rules");
  const isShown = cell === undefined || cell.status === "not shown";
  if (isShown || cell.gaps.some((gap) => gap.text.toLowerCase() === SUBJECT)) return;
  const empty = cell.matches.length === 0 && cell.status === "stated" && cell.gaps.length === 0;
  silent(r, {
    question: "gone",
    section,
    span: draft.name,
    id: `${field.id}/${SUBJECT}`,
    about: `\`${owner}.${field.name}\``,
    fix: { at: cell.end, insert: `${empty ? "" : "; "}${SUBJECT}: not shown` },
  });
}

/** Reports a rule that cannot be done where it stands. */
function judge(r: Resolver, one: Referring, { action, id }: WhenGone): void {
  const wrong = (message: string, hint: string) => {
    const { start, end } = r.origins.get(id) ?? one.draft.name;
    report(r, "wrong-rule", { start, end }, { message, hint });
  };
  const name = `\`${one.owner}.${one.field.name}\``;
  if (one.keptBy.size === 0) {
    wrong(
      `No row keeps a \`${one.owner}\`: nothing refers when a row is deleted.`,
      "Take the rule away, or keep the part in a field of a resource.",
    );
  } else if (action === "set to null" && !one.orNull) {
    wrong(
      `${name} may not be null.`,
      `Write \`${one.resource}\` or null as its type, or another rule for the case.`,
    );
  } else if (action === "taken out" && !one.inside) {
    wrong(
      `${name} stands in no list and no map: there is nothing to take it out of.`,
      "Write `deleted with it`, `set to null when it is deleted` or `its deletion is refused`.",
    );
  }
}

/** Asks and judges for all fields; what steps delete must be known. */
export function resolveGone(
  r: Resolver,
  names: Collected,
  { resources, partTypes }: { resources: readonly Resource[]; partTypes: readonly Part[] },
): void {
  const parts = keptParts(resources, partTypes);
  const owners: Owner[] = [
    ...resources.map(({ name, fields }) => ({
      name,
      fields,
      section: names.resources.get(name),
      drafts: names.fields.get(name) ?? [],
      kept: { inside: false, by: new Set([name]) },
    })),
    ...partTypes.map(({ name, fields }) => ({
      name,
      fields,
      section: names.parts.get(name),
      drafts: names.partFields.get(name) ?? [],
      kept: parts.get(name),
    })),
  ];
  const all = owners.flatMap(referringOf);
  const gone = deletable(r, all, resources);
  for (const one of all) {
    const rule = ruleOf(one.field);
    if (rule !== undefined) judge(r, one, rule);
    else if (one.keptBy.size > 0 && gone.has(one.resource)) ask(r, one);
  }
}
