/** Rule: the rows of a block `json rows` are rows of their resource: types, keys, names of rows. */
import { DIGITS_MAX, daysOfDate, parseTimestamp } from "../../expr/index.ts";
import {
  type BaseType,
  type Field,
  fillsItself,
  isEmail,
  isStated,
  isUri,
  isZoneName,
  type Resource,
  readUuid,
  type StartRow,
  statedOf,
  type ValueType,
} from "../../plan/index.ts";
import { Schemas, type Tree } from "../../schema/index.ts";
import { isHiddenField, type Rule, type RuleContext, report } from "./context.ts";

/** A number as it is written: no digit is lost. */
class Digits {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown;

const exact: Reviver = (_, value, context) =>
  typeof value === "number" ? new Digits(context?.source ?? String(value)) : value;

const WHOLE = /^-?(?:0|[1-9][0-9]*)$/;
const DATA_URL = /^data:[^,]+;base64,[A-Za-z0-9+/]*={0,2}$/;
const CLOCK = "(?:[0-9]+H)?(?:[0-9]+M)?(?:[0-9]+(?:[.,][0-9]{1,6}0*)?S)?";
const DURATION = new RegExp(`^-?P(?!$)(?:[0-9]+W|(?:[0-9]+D)?(?:T(?!$)${CLOCK})?)$`);
const FRACTION_DIGITS = { seconds: 0, milliseconds: 3, microseconds: 6 };
/** The first and last second of the years 0001 to 9999. */
const SECONDS = { min: -62_135_596_800, max: 253_402_300_799 };

const isText = (value: unknown): value is string => typeof value === "string";
const textOf = (value: unknown): string => (isText(value) ? value : "");

function isWhole(value: unknown, wire: "number" | "string"): boolean {
  const text = wire === "string" ? textOf(value) : value instanceof Digits ? value.text : "";
  if (!WHOLE.test(text) || (wire === "string" && text === "-0")) return false;
  return text.replace("-", "").length <= DIGITS_MAX;
}

function isDecimal(value: unknown, { places, wire }: BaseType & { kind: "decimal" }): boolean {
  const text = wire === "string" ? textOf(value) : value instanceof Digits ? value.text : "";
  const found = /^-?(0|[1-9][0-9]*)(?:\.([0-9]+))?$/.exec(text);
  if (found === null) return false;
  const [, whole = "", fraction = ""] = found;
  if ((whole === "0" ? 0 : whole.length) + places > DIGITS_MAX) return false;
  if (wire === "number") return fraction.length <= places;
  return fraction.length === places && !(text.startsWith("-") && /^[-0.]*$/.test(text));
}

function isTimestamp(
  value: unknown,
  { wire, precision }: BaseType & { kind: "timestamp" },
): boolean {
  if (wire !== "rfc3339") {
    const seconds = isWhole(value, "number") ? Number((value as Digits).text) : Number.NaN;
    const unit = wire === "unix seconds" ? 1 : 1000;
    return seconds >= SECONDS.min * unit && seconds < (SECONDS.max + 1) * unit;
  }
  const digits = /\.([0-9]+)/.exec(textOf(value))?.[1]?.length ?? 0;
  const most = isStated(precision) ? FRACTION_DIGITS[precision.value] : 6;
  return parseTimestamp(textOf(value)) !== undefined && digits <= most;
}

/** What stands around the values of one document. */
interface Around {
  readonly c: RuleContext;
  /** For each resource the keys of rows that are there before. */
  readonly keys: ReadonlyMap<string, ReadonlySet<string>>;
  readonly holder: string;
  readonly schemas: Schemas;
}

/** The value as schemas judge it. */
function treeOf(value: unknown): Tree {
  if (value instanceof Digits) return { numberText: value.text };
  if (Array.isArray(value)) return value.map(treeOf);
  if (!isObject(value)) return value as Tree;
  return new Map(Object.entries(value).map(([name, one]) => [name, treeOf(one)]));
}

function among(value: unknown, words: readonly string[]): string | undefined {
  if (!isText(value)) return "is no string";
  return words.includes(value) ? undefined : `is none of ${words.join(", ")}`;
}

function named(around: Around, resource: string, value: unknown): string | undefined {
  const key = around.c.resources.get(resource)?.key;
  const known = around.keys.get(resource);
  if (key === undefined || known === undefined) return undefined;
  const text = value instanceof Digits ? value.text : textOf(value);
  return known.has(text) ? undefined : `names no row of \`${resource}\` that is there by then`;
}

const unless = (isRight: boolean, what: string): string | undefined => (isRight ? undefined : what);

function ofSchema(schemas: Schemas, name: string, value: unknown): string | undefined {
  const isTaken = schemas.judge(name, treeOf(value)) !== "invalid";
  return unless(isTaken, `is nothing that the schema \`${name}\` takes`);
}

/** What is wrong with a value that is not null; undefined: nothing that can be told here. */
function ofType(around: Around, type: BaseType, value: unknown): string | undefined {
  switch (type.kind) {
    case "string":
    case "secret":
      return unless(isText(value), "is no string");
    case "email":
      return unless(isEmail(textOf(value)), "is no email address");
    case "uri":
      return unless(isUri(textOf(value)), "is no URI");
    case "boolean":
      return unless(typeof value === "boolean", "is no boolean");
    case "number":
      return unless(value instanceof Digits && Number.isFinite(Number(value.text)), "is no number");
    case "integer":
      return unless(isWhole(value, type.wire), `is no integer, sent as a ${type.wire}`);
    case "decimal":
      return unless(
        isDecimal(value, type),
        `is no decimal with ${type.places} places, sent as a ${type.wire}`,
      );
    case "timestamp":
      return unless(isTimestamp(value, type), "is no such timestamp");
    case "date":
      return unless(daysOfDate(textOf(value)) !== undefined, "is no date");
    case "duration":
      return unless(DURATION.test(textOf(value)), "is no ISO 8601 duration");
    case "time zone":
      return unless(isZoneName(textOf(value)), "is no time zone");
    case "uuid":
      return unless(readUuid(textOf(value)) !== undefined, "is no UUID");
    case "file":
      return unless(DATA_URL.test(textOf(value)), "is no `data` URL in base64");
    case "json":
      return undefined;
    case "schema":
      return ofSchema(around.schemas, type.name, value);
    case "id": {
      const { prefix = "" } = type;
      const isOne = textOf(value).startsWith(prefix) && textOf(value).length > prefix.length;
      return unless(isOne, prefix === "" ? "is no id" : `is no id that begins with ${prefix}`);
    }
    case "one of":
      return among(value, type.values);
    case "state":
      return among(value, statesOf(around));
    case "event name":
      return among(
        value,
        around.c.service.events.map(({ name }) => name),
      );
    case "error name":
      return among(
        value,
        around.c.service.errors.map(({ name }) => name),
      );
    case "list":
      return Array.isArray(value)
        ? first(value, (one) => judge(around, type.of, one))
        : "is no list";
    case "map":
      return isObject(value)
        ? first(Object.values(value), (one) => judge(around, type.of, one))
        : "is no map";
    case "structure":
      return isObject(value) ? ofPart(around, type.name, value) : "is no object";
    case "reference":
      return named(around, type.resource, value);
  }
}

/** The states of the holder's own machine; of any, where it has none. */
function statesOf({ c, holder }: Around): readonly string[] {
  const own = c.machines.get(holder);
  const machines = own === undefined ? [...c.machines.values()] : [own];
  return machines.flatMap(({ states }) => states.map(({ name }) => name));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Digits);

function first<T>(all: readonly T[], tell: (one: T) => string | undefined): string | undefined {
  for (const one of all) {
    const told = tell(one);
    if (told !== undefined) return told;
  }
  return undefined;
}

function judge(around: Around, type: ValueType, value: unknown): string | undefined {
  if (type.gap !== undefined) return undefined;
  if (value === null) {
    if (type.type.kind === "schema" && !type.orNull) return ofType(around, type.type, value);
    return unless(type.orNull || type.type.kind === "json", "is null, and may not be");
  }
  return ofType(around, type.type, value);
}

function ofPart(
  around: Around,
  name: string,
  value: Readonly<Record<string, unknown>>,
): string | undefined {
  const part = around.c.parts.get(name);
  if (part === undefined) return undefined;
  const other = Object.keys(value).find((one) => part.fields.every((field) => field.name !== one));
  if (other !== undefined) return `has a member \`${other}\`, which \`${name}\` has not`;
  return first(part.fields, (field) => {
    const given = value[field.name];
    if (given !== undefined) {
      const told = isHiddenField(field) ? undefined : judge(around, field.type, given);
      return told && `has a member \`${field.name}\` that ${told}`;
    }
    return unless(!isNeeded(around.c, field), `lacks \`${field.name}\``);
  });
}

function isNeeded(c: RuleContext, field: Field): boolean {
  if (field.type.orAbsent || fillsItself(field) || isHiddenField(field)) return false;
  if (c.gaps.has(`${field.id}/gap starts`) || field.type.type.kind === "state") return false;
  // Silence about what it starts with is told of elsewhere.
  return field.create.is === "required";
}

interface KeysSeen {
  readonly keys: Map<string, Set<string>>;
  readonly unique: Map<string, Set<string>>;
  readonly schemas: Schemas;
}

function judgeRow(
  c: RuleContext,
  resource: Resource,
  row: StartRow,
  held: KeysSeen,
): string | undefined {
  const around: Around = { c, keys: held.keys, holder: resource.name, schemas: held.schemas };
  return first(resource.fields, (field) => {
    const text = row[field.name];
    if (text === undefined) {
      return unless(!isNeeded(c, field), `lacks \`${field.name}\``);
    }
    if (isHiddenField(field)) return undefined;
    const value: unknown = JSON.parse(text, exact as (name: string, value: unknown) => unknown);
    const told = judge(around, field.type, value);
    if (told !== undefined) return `has \`${field.name}\`: ${text}, which ${told}`;
    const unique = field.rules.find((rule) => rule.kind === "unique" && rule.within.length === 0);
    if (unique?.kind !== "unique" || value === null) return undefined;
    const said = unique.anyCase ? text.replace(/[A-Z]+/g, (run) => run.toLowerCase()) : text;
    const known = held.unique.get(field.id) ?? new Set();
    held.unique.set(field.id, known);
    if (known.has(said)) {
      const how = unique.anyCase ? " in any case" : "";
      return `has \`${field.name}\`: ${text}, as a row before it has${how}`;
    }
    known.add(said);
    return undefined;
  });
}

function noteKey({ key, name }: Resource, row: StartRow, { keys }: KeysSeen): void {
  const text = key === undefined ? undefined : row[key];
  if (text === undefined) return;
  const value: unknown = JSON.parse(text, exact as (name: string, value: unknown) => unknown);
  keys.get(name)?.add(value instanceof Digits ? value.text : textOf(value));
}

/** Reports `rows`. */
export const starts: Rule = (c) => {
  const { schemas = [] } = c.service;
  const texts = schemas.map(({ name, schema }) => ({ name, text: statedOf(schema) }));
  const held: KeysSeen = { keys: new Map(), unique: new Map(), schemas: new Schemas(texts) };
  for (const resource of c.service.resources) {
    const { startRows, name } = resource;
    // Rows that the operator gives are not known here.
    if (statedOf(startRows)?.is === "block") held.keys.set(name, new Set());
  }
  for (const resource of c.service.resources) {
    const { startRows, name } = resource;
    if (!isStated(startRows) || startRows.value.is !== "block") continue;
    for (const [i, row] of startRows.value.rows.entries()) {
      const told = judgeRow(c, resource, row, held);
      noteKey(resource, row, held);
      if (told === undefined) continue;
      report(c, {
        code: "rows",
        severity: "error",
        at: startRows.id,
        message: `Row ${i + 1} of \`${name}\` in the block \`${startRows.value.block}\` ${told}.`,
        hint: "Write a value of the field's type; a row that others name stands before them.",
      });
    }
  }
};
