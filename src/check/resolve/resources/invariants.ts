/** Resolves the invariants and the version tag of a resource. */
import { noFacts, type Type, withNotNull } from "../../../expr/index.ts";
import type {
  Field,
  InvariantKey,
  References,
  Resource,
  ResourceInvariant,
} from "../../../plan/index.ts";
import type { BulletNode, TextSlot } from "../../../spec/index.ts";
import { silent } from "../names/asking.ts";
import { BOOLEAN, refusalSlot, resolve, resolveRefusal, type View } from "../names/expression.ts";
import {
  bulletsOf,
  lineEnd,
  origin,
  type Resolver,
  report,
  shownGap,
  slotOf,
  textOf,
  textsOf,
  unknownName,
} from "../names/resolver.ts";
import type { Owner } from "./owner.ts";
import { refusalOr, uniqueRefusal } from "./rules.ts";

function invariant(
  r: Resolver,
  owner: Owner,
  bullet: BulletNode,
  references: readonly string[],
): ResourceInvariant | undefined {
  const { match } = bullet;
  const id = origin(r, bullet.id, bullet);
  const { view } = owner;
  const place = { section: owner.section, id, name: `\`${owner.name}\``, view };
  const condition = (slot: string, seen = view) =>
    resolve(r, slotOf(match, slot) as TextSlot, seen, BOOLEAN).expression;
  switch (match.form) {
    case "always": {
      const tail = refusalSlot(match, "tail");
      return {
        id,
        kind: "always",
        condition: condition("condition"),
        ...(tail && { otherwise: resolveRefusal(r, tail, place) }),
      };
    }
    case "unique":
      return {
        id,
        kind: "unique",
        fields: checkFields(r, owner, textsOf(match, "fields")),
        ...(match.slots.where && { where: condition("where") }),
        ...uniqueRefusal(r, match, place),
      };
    case "missing": {
      const slot = slotOf(match, "field") as TextSlot;
      checkReference(r, owner, slot, references);
      const refusal = refusalSlot(match, "refusal");
      return {
        id,
        kind: "missing",
        field: slot.text,
        otherwise:
          refusal === undefined ? { is: "gap", gap: id } : resolveRefusal(r, refusal, place),
      };
    }
    case "rows":
      return { id, kind: "rows", where: condition("where", knownCaller(r, view)) };
    case "changed":
      return { id, kind: "changed never" };
    case "deleted":
      return { id, kind: "deleted never" };
    case "deleted refused":
      return {
        id,
        kind: "deleted refused",
        condition: condition("condition"),
        otherwise: refusalOr(r, match, "deleted error", place),
      };
    case "kept": {
      const after = slotOf(match, "field") as TextSlot;
      checkFields(r, owner, [after]);
      // Of a field whose type is not shown nobody knows which time it says.
      const gap = owner.drafts.find(({ name }) => name.text === after.text)?.gap;
      if (gap !== undefined) return { id, kind: "gap", of: "kept", gap };
      return { id, kind: "kept for", durationText: textOf(match, "time"), after: after.text };
    }
    default:
      return undefined;
  }
}

/** `Rows` is judged for a request with a caller. */
function knownCaller(r: Resolver, view: View): View {
  if (r.callerResource === undefined) return view;
  const caller: Type = { kind: "row", resource: r.callerResource };
  return {
    names: new Map([...view.names, ["caller", caller]]),
    facts: withNotNull(noFacts(), "caller"),
  };
}

/** Reports a way that leads to no reference of the resource. */
function checkReference(r: Resolver, owner: Owner, slot: TextSlot, paths: readonly string[]): void {
  const [first] = slot.text.split(".");
  // Of a field whose type is not shown nobody knows whether it refers to rows.
  if (owner.drafts.some(({ name, gap }) => name.text === first && gap !== undefined)) return;
  if (paths.includes(slot.text)) return;
  unknownName(r, slot, `reference of \`${owner.name}\``, paths);
}

/** The names of the fields; reports those that the owner does not have. */
function checkFields(r: Resolver, owner: Owner, slots: readonly TextSlot[]): string[] {
  const names = owner.drafts.map((draft) => draft.name.text);
  for (const slot of slots) {
    if (!names.includes(slot.text)) unknownName(r, slot, `field of \`${owner.name}\``, names);
  }
  return slots.map((slot) => slot.text);
}

const KEYS: ReadonlySet<string> = new Set<InvariantKey>([
  "always",
  "unique",
  "rows",
  "changed",
  "deleted",
  "kept",
]);

function isKey(key: string): key is InvariantKey {
  return KEYS.has(key);
}

/** An invariant that is not shown: what it would decide is met, not left out. */
function invariantGap(
  r: Resolver,
  owner: Owner,
  bullet: BulletNode,
  paths: readonly string[],
): ResourceInvariant[] {
  const { key, id, status } = bullet;
  if (status !== "not shown") return [];
  const gap = shownGap(r, owner.section, bullet, key);
  if (isKey(key)) return [{ id, kind: "gap", of: key, gap }];
  const slot = slotOf(bullet.match, "field");
  if (slot === undefined) return [];
  checkReference(r, owner, slot, paths);
  return [{ id, kind: "missing", field: slot.text, otherwise: { is: "gap", gap } }];
}

/** References of one field that a document may state; see the bounds in the reference. */
const PATHS_MAX = 1000;

/** Resolves the invariants that bullets state. */
export function invariants(
  r: Resolver,
  owner: Owner,
  fields: readonly Field[],
  references: References,
): ResourceInvariant[] {
  const paths = fields.flatMap((field) =>
    references.paths(field, PATHS_MAX).map(({ path }) => path),
  );
  return owner.section.bullets.flatMap((bullet): ResourceInvariant[] => {
    if (!isKey(bullet.key) && bullet.key !== "missing") return [];
    if (bullet.status !== "stated") return invariantGap(r, owner, bullet, paths);
    const made = invariant(r, owner, bullet, paths);
    return made === undefined ? [] : [made];
  });
}

/** A client gives the field when it makes a row, or a part, or when it changes one. */
const isGiven = ({ create, update }: Field): boolean => create.is !== "no" || update.is !== "no";

/** Asks what answers a reference to no row, for each that a client may send at any depth. */
export function askMissing(
  r: Resolver,
  owner: Owner,
  fields: readonly Field[],
  references: References,
): ResourceInvariant[] {
  const stated = new Set(
    bulletsOf([owner.section], "missing").map((bullet) => textOf(bullet.match, "field")),
  );
  const all = fields.flatMap((field) => {
    const paths = references.paths(field, PATHS_MAX);
    if (paths.length === PATHS_MAX) {
      report(r, "too-large", r.origins.get(field.id) ?? owner.section, {
        message: `\`${field.name}\` has ${PATHS_MAX} references or more in its parts.`,
      });
    }
    return paths;
  });
  return all.flatMap(({ path, way }): ResourceInvariant[] => {
    if (stated.has(path) || !way.every(isGiven)) return [];
    const last = owner.section.bullets.at(-1);
    const end = last?.end ?? owner.section.tables.at(-1)?.end ?? owner.section.end;
    const at = lineEnd(r, end);
    const id = `${way[0]?.id}${path.slice(way[0]?.name.length)}`;
    const gap = silent(r, {
      question: "missing",
      section: owner.section,
      id: `${id}/missing`,
      about: `\`${owner.name}.${path}\``,
      fix: {
        at,
        insert: `${last === undefined ? "\n\n" : "\n"}- Missing \`${path}\`: not shown`,
      },
    });
    return [{ id, kind: "missing", field: path, otherwise: { is: "gap", gap } }];
  });
}

/** Resolves the version tag; undefined where none is stated. */
export function versionTag(
  r: Resolver,
  owner: Owner,
): { versionTag?: Resource["versionTag"]; versionTagGap?: string } {
  const [bullet] = bulletsOf([owner.section], "version tag");
  if (bullet === undefined) return {};
  const id = origin(r, bullet.id, bullet);
  const slot = slotOf(bullet.match, "field");
  if (bullet.status !== "stated" || slot === undefined) {
    return { versionTagGap: shownGap(r, owner.section, bullet, "version tag") };
  }
  checkFields(r, owner, [slot]);
  const { view } = owner;
  const refusal = (name: string) => {
    const value = refusalSlot(bullet.match, name);
    return value === undefined
      ? { is: "gap" as const, gap: id }
      : resolveRefusal(r, value, { id: `${id}/${name}`, section: owner.section, view });
  };
  const strong = textOf(bullet.match, "strength") === "strong";
  const [absent, other] = [refusal("none"), refusal("other")];
  return { versionTag: { id, field: slot.text, strong, absent, other } };
}
