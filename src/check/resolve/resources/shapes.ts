/** Resolves views and shapes, and what a name in a Respond step can show. */
import type { Span } from "../../../base/index.ts";
import { containsType, freeNames, plainType, type Type } from "../../../expr/index.ts";
import {
  type Answer,
  type Expression,
  type ItemId,
  isStated,
  type Shape,
  type ShapeField,
  statedOf,
  type ValueType,
} from "../../../plan/index.ts";
import type { SectionNode, TextSlot, WrittenCell } from "../../../spec/index.ts";
import { rowsOf, sentAs, type TableRow } from "../names/cells.ts";
import { type Collected, nameOf } from "../names/collect.ts";
import { commonNames, withService } from "../names/common.ts";
import { type View, withNames } from "../names/expression.ts";
import {
  bulletsOf,
  cellOf,
  firstMatch,
  isAmong,
  origin,
  type Resolver,
  report,
  shownGap,
  slotOf,
  textOf,
  textsOf,
  unknownName,
} from "../names/resolver.ts";
import { exprType, hiddenValue, OpenMembers, valueType } from "../names/types.ts";
import { type Carried, messageViews } from "./message-views.ts";
import { ALONE, type Alternatives, alternativesOf, nullable, shownWhen } from "./shown-when.ts";

const PLAIN: ValueType = { type: { kind: "json" }, orNull: false, orAbsent: false };

/** Names and types of the Given bullets of a section. */
export function givenOf(
  r: Resolver,
  names: Collected,
  section: SectionNode,
): { name: string; type: ValueType }[] {
  const seen = new Set<string>();
  return bulletsOf([section], "given").flatMap((bullet) => {
    const name = slotOf(bullet.match, "name");
    const slot = bullet.match.slots.type;
    if (name === undefined) return [];
    if (seen.has(name.text)) {
      report(r, "second-name", name, { message: `\`${name.text}\` is given already.` });
      return [];
    }
    seen.add(name.text);
    origin(r, bullet.id, bullet);
    if (slot?.kind === "type") return [{ name: name.text, type: valueType(r, names, slot) }];
    const gap = shownGap(r, section, bullet, `the type of \`${name.text}\``);
    return [{ name: name.text, type: hiddenValue(gap) }];
  });
}

/** The type of both but for what is known of numbers and lengths; undefined: they differ. */
function alike(a: Type, b: Type): Type | undefined {
  const [one, other] = [plainType(a), plainType(b)];
  return JSON.stringify(one) === JSON.stringify(other) ? one : undefined;
}

/** Values of `with` over all refusals that send one of the errors with this body. */
function registerGiven(
  r: Resolver,
  shape: string,
  errors: readonly string[],
  open: ItemId | undefined,
): void {
  const members = new Map<string, { type: Type; absent: boolean }>();
  const all = errors.flatMap((error) => r.given.get(error) ?? []);
  for (const one of all) {
    for (const [name, type] of one) {
      const before = members.get(name);
      // What one refusal knows of a number or a length, another does not.
      const common = before === undefined ? type : alike(before.type, type);
      members.set(name, { type: common ?? { kind: "unknown" }, absent: false });
    }
  }
  for (const [name, one] of members) {
    members.set(name, { type: one.type, absent: all.some((given) => !given.has(name)) });
  }
  r.objects.set(`given:${shape}`, open === undefined ? members : new OpenMembers(members, open));
}

/** The shapes that errors are sent in. */
interface Bodies {
  /** Error -> name of its body's shape. */
  readonly shapes: ReadonlyMap<string, string>;
  /** Column -> the errors that have nothing there. */
  readonly empty: ReadonlyMap<string, ReadonlySet<string>>;
  /** Where the body of some error is not shown. */
  readonly gap?: ItemId | undefined;
}

/** Which of the errors of a shape have nothing in a column that it reads. */
function columnAdvice(bodies: Bodies, errors: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    [...bodies.empty].flatMap(([column, all]) => {
      const own = errors.filter((error) => all.has(error)).map((error) => `\`${error}\``);
      if (own.length === 0) return [];
      const have = own.length === 1 ? "has none" : "have none";
      return [
        [
          `error.${column}`,
          `${listed(own)} ${have} in the column \`${column}\`: write a text there, give ` +
            `${own.length === 1 ? "it" : "them"} another shape, or make the member \`or null\``,
        ] as const,
      ];
    }),
  );
}

/** Several things in one phrase, at most four by name. */
function listed(all: readonly string[]): string {
  const shown = all.length > 4 ? [...all.slice(0, 3), `${all.length - 3} more`] : all;
  return shown.length < 2
    ? shown.join("")
    : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1) ?? ""}`;
}

function errorNames(r: Resolver, shape: string, bodies: Bodies): View {
  const errors = [...bodies.shapes].filter(([, one]) => one === shape).map(([error]) => error);
  // A step, or an error, of which it is not shown what it sends may send anything.
  registerGiven(r, shape, errors, r.hiddenStep ?? bodies.gap);
  const advice = columnAdvice(bodies, errors);
  return withNames({ ...withService(r, commonNames(r)), advice }, [
    ["error", { kind: "object", name: "error" }],
    ["field", nullable({ kind: "string" })],
    ["failures", { kind: "list", of: { kind: "object", name: "failure" } }],
    ["given", { kind: "object", name: `given:${shape}` }],
  ]);
}

/** A row of a shape's table, with what its value sees. */
interface ShapeRow extends TableRow {
  readonly view: View;
  readonly alternatives: Alternatives;
  /** What it sees as well, by the resource that an event is about; it must fit each. */
  readonly others: ReadonlyMap<string, View>;
}

function shapeField(r: Resolver, names: Collected, at: ShapeRow): ShapeField | undefined {
  const { table, row } = at;
  const name = slotOf(firstMatch(row), "name");
  if (name === undefined) return undefined;
  const slot = cellOf(table, row, "Type")?.matches[0]?.slots.type;
  const type = slot?.kind === "type" ? shownWhole(valueType(r, names, slot)) : PLAIN;
  const unsent = unsentIn(type);
  if (unsent !== undefined) {
    report(r, "hidden-field", slot?.kind === "type" ? slot : name, {
      message: `A payload has no member of type ${unsent}.`,
      hint:
        unsent === "state"
          ? "Write `string` or `one of ...`."
          : "Send a token made by a function, as `string`.",
    });
  }
  judgeInner(r, names, type, slot?.kind === "type" ? slot : name);
  const cell = cellOf(table, row, "Value");
  const id = origin(r, row.id, name);
  const field = { id, type, cell, named: slot?.kind === "type" };
  const value = fieldValue(r, names, at, field);
  const isAbout = isStated(value) && freeNames(value.value.code).has("it");
  const byAbout = [...(isAbout ? at.others : [])].flatMap(([about, view]) => {
    const one = statedOf(fieldValue(r, names, { ...at, view }, field));
    return one === undefined ? [] : [[about, one] as const];
  });
  return {
    id,
    name: name.text,
    ...sentAs(firstMatch(row)),
    type,
    value,
    ...(byAbout.length === 0 ? {} : { byAbout: Object.fromEntries(byAbout) }),
  };
}

/** What inside the type no payload has; undefined: it can be sent. */
function unsentIn({ type }: ValueType): "secret" | "state" | undefined {
  if (type.kind === "list" || type.kind === "map") return unsentIn(type.of);
  return type.kind === "secret" || type.kind === "state" ? type.kind : undefined;
}

/** The name of a resource means, in a payload, the row as the resource itself shows it. */
function shownWhole(type: ValueType): ValueType {
  const { type: base } = type;
  if (base.kind === "list" || base.kind === "map") {
    return { ...type, type: { ...base, of: shownWhole(base.of) } };
  }
  if (base.kind !== "reference" || base.view !== undefined) return type;
  return { ...type, type: { ...base, view: base.resource } };
}

/** A shape inside another shows a value under its one Given name. */
function judgeInner(r: Resolver, names: Collected, { type }: ValueType, at: Span): void {
  if (type.kind === "list" || type.kind === "map") judgeInner(r, names, type.of, at);
  if (type.kind !== "structure") return;
  const inner = names.shapes.get(type.name);
  const count = inner === undefined ? 1 : bulletsOf([inner], "given").length;
  if (count === 1) return;
  report(r, "not-given", at, {
    message: `\`${type.name}\` has ${count} Given names; a shape inside another has one.`,
    hint: "Give it one name, with the value that stands in this row, or show a view.",
  });
}

function fieldValue(
  r: Resolver,
  names: Collected,
  { section, view, alternatives }: ShapeRow,
  field: {
    readonly id: string;
    readonly type: ValueType;
    readonly named: boolean;
    readonly cell: WrittenCell | undefined;
  },
): Answer<Expression> {
  const { cell, id } = field;
  if (cell === undefined || cell.status === "not shown" || !field.named) {
    const node = { id: `${id}/value`, start: cell?.start ?? 0, end: cell?.end ?? 0 };
    return { is: "gap", gap: shownGap(r, section, node, "value") };
  }
  if (cell.status !== "stated") return { is: cell.status, id };
  const slot = slotOf(cell.matches[0], "value");
  if (slot === undefined) return { is: "gap", gap: id };
  const expected = shownType(r, names, field.type);
  const { expression, type } = shownWhen(
    r,
    { view, type: field.type, slot, match: cell.matches[0], ...alternatives },
    expected,
  );
  if (unsentIn(field.type) === undefined && containsType(type, ({ kind }) => kind === "secret")) {
    report(r, "hidden-field", slot, { message: "A secret is never shown." });
  }
  return { is: "stated", id, value: expression };
}

/** What a value must be to be shown as `type`; undefined for any. */
function shownType(r: Resolver, names: Collected, type: ValueType): Type | undefined {
  const { type: base } = type;
  const open = (inner: Type | undefined) =>
    inner === undefined ? undefined : type.orNull ? nullable(inner) : inner;
  const inner = base.kind === "structure" ? names.shapes.get(base.name) : undefined;
  if (inner !== undefined) {
    const given = givenOf(r, names, inner);
    return given.length === 1 && given[0] ? open(exprType(names, given[0].type)) : undefined;
  }
  if (base.kind === "list" || base.kind === "map") {
    const of = shownType(r, names, base.of);
    return of === undefined ? undefined : open({ kind: base.kind, of });
  }
  return exprType(names, type);
}

function taken(r: Resolver, section: SectionNode, resource: string) {
  const [bullet] = bulletsOf([section], "fields");
  if (bullet === undefined || bullet.status !== "stated") return undefined;
  const slots = textsOf(bullet.match, "fields");
  const fields = r.objects.get(`row:${resource}`);
  for (const slot of slots) {
    isAmong(r, slot, `field of \`${resource}\``, fields);
  }
  origin(r, bullet.id, bullet);
  return {
    allBut: bullet.match.form === "fields all but",
    fields: slots.map((slot: TextSlot) => slot.text),
  };
}

/** The gap of the bullet that says which fields a view takes over. */
function takenGap(r: Resolver, section: SectionNode): ItemId | undefined {
  const [bullet] = bulletsOf([section], "fields");
  if (bullet?.status !== "not shown") return undefined;
  return shownGap(r, section, bullet, "fields");
}

/** The media type that the shape states for itself. */
function contentType(r: Resolver, section: SectionNode): Answer<string> | undefined {
  const [bullet] = bulletsOf([section], "content type");
  if (bullet === undefined) return undefined;
  const id = origin(r, bullet.id, bullet);
  switch (bullet.status) {
    case "stated":
      return { is: "stated", id, value: textOf(bullet.match, "media") };
    case "not shown":
      return { is: "gap", gap: shownGap(r, section, bullet, "content type") };
    case "none":
    case "free":
      return { is: bullet.status, id };
  }
}

/** What else shapes are resolved by. */
interface Around {
  readonly bodies: Bodies;
  /** Shape -> what its messages carry. */
  readonly carried: ReadonlyMap<string, Carried>;
  /** What every request gives, by the table of `### Every endpoint`. */
  readonly shared: readonly (readonly [name: string, type: Type])[];
}

function shape(
  r: Resolver,
  names: Collected,
  section: SectionNode,
  { bodies, carried, shared }: Around,
): Shape {
  const name = nameOf(section).text;
  const viewOf = textOf(section.heading, "resource");
  const given = givenOf(r, names, section);
  const part = section.id.split("/", 1)[0];
  let view: View;
  let others: ReadonlyMap<string, View> = new Map();
  if (given.length > 0 && (part === "errors" || part === "events")) {
    const [first] = bulletsOf([section], "given");
    const seen =
      part === "errors"
        ? "`error`, `field`, `failures` and `given`"
        : "`event`, `it`, `data`, `sent`, `receiver` and names of the message";
    report(r, "unknown-bullet", first ?? section, {
      message: `A shape in ${part === "errors" ? "Errors" : "Events"} reads ${seen} alone.`,
      hint: "Put a shape with Given names into part 2; any part may show it.",
    });
  }
  if (viewOf !== "") {
    const slot = slotOf(section.heading, "resource") as TextSlot;
    if (!names.resources.has(viewOf)) {
      unknownName(r, slot, "resource", names.resources.keys());
    }
    view = withNames(withService(r, commonNames(r)), [
      ...shared,
      ["it", { kind: "row", resource: viewOf }],
    ]);
  } else if (part === "errors") view = errorNames(r, name, bodies);
  else if (part === "events") ({ view, others } = messageViews(r, names, carried.get(name)));
  else {
    view = withNames(withService(r, commonNames(r)), [
      ...shared,
      ...given.map((one) => [one.name, exprType(names, one.type)] as const),
    ]);
  }
  const rows = rowsOf(r, [section], "shape");
  const byRow = alternativesOf(rows);
  const fields = rows.flatMap((at) => {
    const alternatives = byRow.get(at.row) ?? ALONE;
    return shapeField(r, names, { ...at, view, others, alternatives }) ?? [];
  });
  const took = viewOf === "" ? undefined : taken(r, section, viewOf);
  const media = contentType(r, section);
  const gap = viewOf === "" ? undefined : takenGap(r, section);
  return {
    id: origin(r, section.id, nameOf(section)),
    name,
    ...(viewOf === "" ? {} : { viewOf }),
    ...(took === undefined ? {} : { taken: took }),
    given,
    fields,
    ...(media === undefined ? {} : { contentType: media }),
    ...(gap === undefined ? {} : { gap }),
  };
}

/** Resolves all views and shapes. */
export function resolveShapes(r: Resolver, names: Collected, around: Around): Shape[] {
  const sections = r.spec.parts
    .flatMap((part) => part.sections)
    .filter((section) => section.scope === "view" || section.scope === "shape");
  return sections.map((section) => shape(r, names, section, around));
}
