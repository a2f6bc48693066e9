/** Resolves the invariants and the version tag of a resource. */
import { noFacts, type Type, withNotNull } from "../../../expr/index.ts";
import type { Field, InvariantKey, Resource, ResourceInvariant } from "../../../plan/index.ts";
import type { BulletNode, TextSlot } from "../../../spec/index.ts";
import { silent } from "../names/asking.ts";
import { BOOLEAN, refusalSlot, resolve, resolveRefusal, type View } from "../names/expression.ts";
import {
  bulletsOf,
  lineEnd,
  origin,
  type Resolver,
  shownGap,
  slotOf,
  textOf,
  textsOf,
  unknownName,
} from "../names/resolver.ts";
import type { Owner } from "./owner.ts";
import { refusalOr } from "./rules.ts";

function invariant(r: Resolver, owner: Owner, bullet: BulletNode): ResourceInvariant | undefined {
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
        otherwise: refusalOr(r, match, "unique error", place),
      };
    case "missing": {
      const slot = slotOf(match, "field") as TextSlot;
      checkFields(r, owner, [slot]);
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
      return { id, kind: "deleted", rule: "never" };
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
function invariantGap(r: Resolver, owner: Owner, bullet: BulletNode): ResourceInvariant[] {
  const { key, id, status } = bullet;
  if (status !== "not shown") return [];
  const gap = shownGap(r, owner.section, bullet, key);
  if (isKey(key)) return [{ id, kind: "gap", of: key, gap }];
  const slot = slotOf(bullet.match, "field");
  if (slot === undefined) return [];
  checkFields(r, owner, [slot]);
  return [{ id, kind: "missing", field: slot.text, otherwise: { is: "gap", gap } }];
}

/** Resolves the invariants that bullets state. */
export function invariants(r: Resolver, owner: Owner): ResourceInvariant[] {
  return owner.section.bullets.flatMap((bullet): ResourceInvariant[] => {
    if (!isKey(bullet.key) && bullet.key !== "missing") return [];
    if (bullet.status !== "stated") return invariantGap(r, owner, bullet);
    const made = invariant(r, owner, bullet);
    return made === undefined ? [] : [made];
  });
}

/** Asks what answers a reference to no row, for each field where a client may send one. */
export function askMissing(
  r: Resolver,
  owner: Owner,
  fields: readonly Field[],
): ResourceInvariant[] {
  const stated = bulletsOf([owner.section], "missing").map((bullet) =>
    textOf(bullet.match, "field"),
  );
  return fields.flatMap((one): ResourceInvariant[] => {
    const byClient = one.create.is !== "no" || one.update.is !== "no";
    if (one.type.type.kind !== "reference" || !byClient || stated.includes(one.name)) return [];
    const last = owner.section.bullets.at(-1);
    const end = last?.end ?? owner.section.tables.at(-1)?.end ?? owner.section.end;
    const at = lineEnd(r, end);
    const gap = silent(r, {
      question: "missing",
      section: owner.section,
      id: `${one.id}/missing`,
      about: `\`${owner.name}.${one.name}\``,
      fix: {
        at,
        insert: `${last === undefined ? "\n\n" : "\n"}- Missing \`${one.name}\`: not shown`,
      },
    });
    return [{ id: one.id, kind: "missing", field: one.name, otherwise: { is: "gap", gap } }];
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
