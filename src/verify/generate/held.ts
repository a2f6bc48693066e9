/** JSON texts of values that rows of the model hold. */
import { type Plan, sentName, statedOf, type ValueType } from "../../plan/index.ts";
import { type Row, writeTimestamp } from "../../run/index.ts";
import type { Making } from "./making.ts";

/** A decimal of unscaled digits. */
export function decimalText(unscaled: bigint, places: number): string {
  if (places === 0) return String(unscaled);
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(places + 1, "0");
  const sign = unscaled < 0n ? "-" : "";
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** The chance that an input takes the value that it is compared with. */
const LINKED = 0.7;

/** JSON text of what an input is compared with; undefined: nothing, or it is not to be taken. */
export function linkedText(making: Making, name: string): string | undefined {
  const link = making.random.chance(LINKED) ? making.linked?.(name) : undefined;
  return link === undefined ? undefined : fieldText(making, link.row, link.field);
}

/** The value of the field of that name in the row that is looked at. */
export function focusText(making: Making, name: string): string | undefined {
  return making.focus === undefined ? undefined : fieldText(making, making.focus, name);
}

/** JSON text of what a row holds in a field of that name; undefined: there is no such text. */
export function fieldText(
  { plan, world }: Pick<Making, "plan" | "world">,
  row: Row,
  name: string,
): string | undefined {
  const resource = plan.resources.find((one) => one.name === row.resource);
  const place = resource?.fields.findIndex((one) => one.name === name) ?? -1;
  const value = row.values[place];
  const type = resource?.fields[place]?.type.type;
  if (type === undefined) return undefined;
  if (typeof value === "string") return JSON.stringify(world.secrets.plain(value) ?? value);
  return valueText(plan, type, value);
}

/** JSON text of a value that a client may give; undefined: there is none that is sure to be it. */
function valueText(plan: Plan, type: ValueType["type"], value: unknown): string | undefined {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "boolean" || value === null) return String(value);
  if (typeof value === "bigint") return countText(type, value);
  if (type.kind === "list" && Array.isArray(value)) {
    const items = value.map((one: unknown) => valueText(plan, type.of.type, one));
    return items.includes(undefined) ? undefined : `[${items.join(",")}]`;
  }
  if (type.kind !== "structure" || !(value instanceof Map)) return undefined;
  const part = plan.partTypes.find(({ name }) => name === type.name);
  const given = (part?.fields ?? []).filter((field) => field.create.is !== "no");
  const members = given.flatMap((field): readonly (string | undefined)[] => {
    const own: unknown = value.get(field.name);
    if (own === undefined) return [];
    const text = valueText(plan, field.type.type, own);
    return [text && `${JSON.stringify(sentName(field))}:${text}`];
  });
  return members.includes(undefined) ? undefined : `{${members.join(",")}}`;
}

/** Texts anywhere inside a list, map or part; `member`: those of members of that name alone. */
function textsInside(value: unknown, member?: string): readonly string[] {
  if (typeof value === "string") return member === undefined ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one) => textsInside(one, member));
  if (!(value instanceof Map)) return [];
  return [...value].flatMap(([name, one]) =>
    textsInside(one, name === member ? undefined : member),
  );
}

/** The rows of each resource whose parts are looked at: those that were made last. */
const LAST_ROWS = 3;
/** The chance that it is one of the rows that the request is about. */
const NEAR = 0.7;

/**
 * JSON text of a text that stands inside of a value of a row, such as the key of a part; `member`:
 * as a member of that name.
 */
export function insideText(
  { plan, world, random, focus, near }: Making,
  member?: string,
): string | undefined {
  const among = [focus === undefined ? [] : [focus], near ?? []].filter((one) => one.length > 0);
  const own =
    among.length > 0 && random.chance(NEAR)
      ? random.pick(among)
      : plan.resources.flatMap(({ name }) => world.rows(name).slice(-LAST_ROWS));
  const deep = own.flatMap(({ values }) =>
    values.filter((one) => Array.isArray(one) || one instanceof Map),
  );
  const picked = member === undefined && deep.length > 0 ? [random.pick(deep)] : deep;
  const found = picked.flatMap((one) => textsInside(one, member));
  return found.length === 0 ? undefined : JSON.stringify(random.pick(found));
}

/** JSON text of a number or a time; undefined: it is neither, or its precision is not stated. */
function countText(type: ValueType["type"], value: bigint): string | undefined {
  if (type.kind !== "timestamp") return numberText(value, type);
  const precision = statedOf(type.precision);
  return precision === undefined ? undefined : writeTimestamp(value, type.wire, precision);
}

/** JSON text of an integer or decimal; undefined: it is neither. */
function numberText(value: bigint, type: ValueType["type"]): string | undefined {
  if (type.kind !== "integer" && type.kind !== "decimal") return undefined;
  const text = decimalText(value, type.kind === "decimal" ? type.places : 0);
  return type.wire === "string" ? `"${text}"` : text;
}

/** Rows of which values are taken, of each resource. */
const ROWS_LOOKED_AT = 20;

/** Types whose values are taken from rows. */
const HELD = new Set(["string", "integer", "decimal", "date", "timestamp", "email", "uri"]);

/** JSON text of a value that some row of the model has, of the same type. */
export function heldText({ plan, world, random }: Making, { type }: ValueType): string | undefined {
  if (!HELD.has(type.kind)) return undefined;
  const found: string[] = [];
  for (const { name, fields } of plan.resources) {
    const places = fields.flatMap((field, place) => {
      const same = field.type.type;
      const isSame = same.kind === type.kind;
      const isOf =
        same.kind !== "decimal" || type.kind !== "decimal" || same.places === type.places;
      return isSame && isOf ? [place] : [];
    });
    for (const { values } of places.length === 0 ? [] : world.rows(name).slice(-ROWS_LOOKED_AT)) {
      for (const place of places) {
        const value = values[place];
        const count = typeof value === "bigint" ? countText(type, value) : undefined;
        const text = typeof value === "string" ? JSON.stringify(value) : count;
        if (text !== undefined) found.push(text);
      }
    }
  }
  return found.length === 0 ? undefined : random.pick(found);
}
