/** Resolves types of the notation, and gives the expression type of each. */
import type { Member, Type } from "../../../expr/index.ts";
import {
  type Answer,
  type BaseType,
  type ItemId,
  isScalar,
  type Precision,
  scalarType,
  type ValueType,
} from "../../../plan/index.ts";
import type { SectionNode, TextSlot, TypeSlot } from "../../../spec/index.ts";
import {
  isAmong,
  type Resolver,
  report,
  slotOf,
  textOf,
  textsOf,
  unknownName,
} from "./resolver.ts";

import { schemaName } from "./schemas.ts";

/** What is known of type names: which are resources, views, shapes and parts. */
export interface TypeNames {
  readonly resources: ReadonlyMap<string, SectionNode>;
  readonly parts: ReadonlyMap<string, SectionNode>;
  readonly views: ReadonlyMap<string, string>;
  readonly shapes: ReadonlyMap<string, SectionNode>;
  /** Names of events and errors, for `event name` and `error name`. */
  readonly events: readonly string[];
  readonly errors: readonly string[];
  /** States by resource. */
  readonly states: ReadonlyMap<string, readonly string[]>;
  readonly precision: () => Answer<Precision>;
}

const PLACES = 18;

const simple: ReadonlyMap<string, BaseType> = new Map(
  (
    [
      "string",
      "number",
      "boolean",
      "date",
      "duration",
      "time zone",
      "email",
      "uri",
      "uuid",
      "json",
      "file",
      "secret",
      "state",
      "event name",
      "error name",
    ] as const
  ).map((kind) => [kind, { kind }]),
);

/** What stands for a type that has an error. */
const ANYTHING = simple.get("json") as BaseType;
/** A type that nobody can tell: its name is not known, or it is out of bounds. */
const NOBODY_KNOWS: BaseType = { kind: "json" };

/** The names of all that can be shown. */
export function* shownNames(names: TypeNames): Generator<string> {
  yield* names.resources.keys();
  yield* names.parts.keys();
  yield* names.views.keys();
  yield* names.shapes.keys();
}

function named(r: Resolver, names: TypeNames, name: TextSlot): BaseType {
  const text = name.text;
  if (names.resources.has(text)) return { kind: "reference", resource: text };
  const viewed = names.views.get(text);
  if (viewed !== undefined) return { kind: "reference", resource: viewed, view: text };
  if (names.parts.has(text) || names.shapes.has(text)) return { kind: "structure", name: text };
  unknownName(r, name, "resource, part, view or shape", shownNames(names));
  return NOBODY_KNOWS;
}

function* viewsOf(names: TypeNames, resource: string): Generator<string> {
  for (const [name, one] of names.views) if (one === resource) yield name;
}

function referenceAs(r: Resolver, names: TypeNames, slot: TypeSlot): BaseType {
  const resource = slotOf(slot.match, "name") as TextSlot;
  const view = slotOf(slot.match, "view") as TextSlot;
  if (!isAmong(r, resource, "resource", names.resources)) {
    return NOBODY_KNOWS;
  }
  const of = names.views.get(view.text);
  if (of === undefined && view.text !== resource.text) {
    unknownName(r, view, `view of \`${resource.text}\``, viewsOf(names, resource.text));
  } else if (of !== undefined && of !== resource.text) {
    report(r, "wrong-type", view, {
      message: `\`${view.text}\` is a view of \`${of}\`, not of ` + `\`${resource.text}\`.`,
    });
  }
  return { kind: "reference", resource: resource.text, view: view.text };
}

function baseType(r: Resolver, names: TypeNames, slot: TypeSlot): BaseType {
  const { match } = slot;
  const alone = simple.get(match.form);
  if (alone !== undefined) return alone;
  switch (match.form) {
    case "integer":
      return { kind: "integer", wire: "number" };
    case "integer string":
      return { kind: "integer", wire: "string" };
    case "decimal":
    case "decimal string": {
      const places = Number(textOf(match, "places"));
      if (places > PLACES) {
        report(r, "too-large", slot, { message: `A decimal has at most ${PLACES} places.` });
        return NOBODY_KNOWS;
      }
      return {
        kind: "decimal",
        places,
        wire: match.form === "decimal" ? "number" : "string",
      };
    }
    case "timestamp":
      return { kind: "timestamp", precision: names.precision(), wire: "rfc3339" };
    case "timestamp in":
      return {
        kind: "timestamp",
        wire: "rfc3339",
        precision: { is: "stated", id: "", value: textOf(match, "precision") as Precision },
      };
    case "timestamp seconds":
      return {
        kind: "timestamp",
        wire: "unix seconds",
        precision: { is: "stated", id: "", value: "seconds" },
      };
    case "timestamp milliseconds":
      return {
        kind: "timestamp",
        wire: "unix milliseconds",
        precision: { is: "stated", id: "", value: "milliseconds" },
      };
    case "id":
      return { kind: "id" };
    case "id prefix":
      return { kind: "id", prefix: textOf(match, "prefix") };
    case "one of":
      return oneOf(r, slot);
    case "schema": {
      const name = schemaName(r, slotOf(match, "schema") as TextSlot);
      return name === undefined ? NOBODY_KNOWS : { kind: "schema", name };
    }
    case "list":
    case "map": {
      const of = match.slots.of;
      const inner =
        of?.kind === "type"
          ? valueType(r, names, of)
          : { type: { kind: "json" as const }, orNull: false, orAbsent: false };
      return { kind: match.form, of: inner };
    }
    case "reference as":
      return referenceAs(r, names, slot);
    default:
      return named(r, names, slotOf(match, "name") as TextSlot);
  }
}

function oneOf(r: Resolver, slot: TypeSlot): BaseType {
  const values = textsOf(slot.match, "values");
  const seen = new Set<string>();
  for (const value of values) {
    if (seen.has(value.text)) {
      report(r, "second-name", value, { message: `\`${value.text}\` stands twice in this list.` });
    }
    seen.add(value.text);
  }
  return { kind: "one of", values: values.map((value) => value.text) };
}

/** Types of one word, with nothing else: one object for each, since fields are many. */
const plain = new Map(
  [...simple.values()].map((type) => [type, { type, orNull: false, orAbsent: false }]),
);

/** Resolves a type slot. */
export function valueType(r: Resolver, names: TypeNames, slot: TypeSlot): ValueType {
  const { orNull, orAbsent } = slot;
  const type = baseType(r, names, slot);
  // What is meant is not known: nothing follows from it, and no plan is made.
  if (type === NOBODY_KNOWS)
    return { ...hiddenValue("a type that is not known"), orNull, orAbsent };
  const known = orNull || orAbsent ? undefined : plain.get(type);
  if (known !== undefined) return known;
  // An item is never absent: the word is said of the whole list.
  if ((type.kind !== "list" && type.kind !== "map") || !type.of.orAbsent) {
    return { type, orNull, orAbsent };
  }
  return { type: { ...type, of: { ...type.of, orAbsent: false } }, orNull, orAbsent: true };
}

/** The type of what is not shown: nothing follows from it, and its use meets the gap. */
export function hiddenType(gap: ItemId): Type {
  return { kind: "unknown", gap };
}

/** Members of which a gap hides some: any name may be one of them, and reading it meets the gap. */
export class OpenMembers extends Map<string, Member> {
  readonly #gap: ItemId;

  constructor(known: Iterable<readonly [string, Member]>, gap: ItemId) {
    super(known);
    this.#gap = gap;
  }

  override get(name: string): Member {
    return super.get(name) ?? { type: hiddenType(this.#gap), absent: false };
  }
}

/** A type that is not shown. */
export function hiddenValue(gap: ItemId): ValueType {
  return { type: ANYTHING, orNull: false, orAbsent: false, gap };
}

/** Type of the values of `type` in expressions. `states`: those of a field of type `state`. */
export function exprType(names: TypeNames, value: ValueType, states?: readonly string[]): Type {
  if (value.gap !== undefined) return hiddenType(value.gap);
  const bare = exprBase(names, value.type, states);
  return value.orNull ? { kind: "nullable", of: bare } : bare;
}

function exprBase(names: TypeNames, type: BaseType, states: readonly string[] = []): Type {
  if (isScalar(type)) {
    const words = { state: states, "event name": names.events, "error name": names.errors };
    return scalarType(type, (kind) => words[kind]);
  }
  switch (type.kind) {
    case "list":
    case "map":
      return { kind: type.kind, of: exprType(names, type.of) };
    case "structure":
      return {
        kind: "object",
        name: names.parts.has(type.name) ? `part:${type.name}` : `shape:${type.name}`,
      };
    case "reference":
      return { kind: "row", resource: type.resource };
  }
}
