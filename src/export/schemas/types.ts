/** A type of a document as a JSON Schema (2020-12) of its form in messages. */
import { never } from "../../base/index.ts";
import { type BaseType, gapOf, namelessGap, statedOf, type ValueType } from "../../plan/index.ts";
import { exactNumber, type JsonObject } from "./json.ts";
import { schemaOf } from "./stated.ts";
import type { Form, Mode, World } from "./world.ts";

/** Where a value stands. */
export interface At {
  readonly mode: Mode;
  /** `Resource.field` of what holds it: tells which states a value can be. */
  readonly holder?: string;
  /** Default: in JSON. */
  readonly form?: Form;
  /** It is a part of a form with parts: a file is its bytes. */
  readonly bytes?: true;
}

const WHOLE = "^-?(0|[1-9][0-9]*)$";
const SECONDS = "[0-9]+([.,][0-9]+)?S";
const CLOCK = `T([0-9]+H([0-9]+M)?(${SECONDS})?|[0-9]+M(${SECONDS})?|${SECONDS})`;
/** ISO 8601 without years and months, which have no fixed length. */
const DURATION = `^-?P([0-9]+W|[0-9]+D(${CLOCK})?|${CLOCK})$`;
const FILE = "^data:[^,]+;base64,[A-Za-z0-9+/]*={0,2}$";

const special = /[\\^$.*+?()[\]{}|/]/g;

/** A pattern that the text itself matches. */
function escaped(text: string): string {
  return text.replaceAll(special, (one) => `\\${one}`);
}

/** A schema that null fits, too. */
export function nullable(schema: JsonObject): JsonObject {
  const { type, enum: values } = schema;
  if (typeof type !== "string") {
    // Whatever fits a schema that says no type is null already.
    return isOpen(schema) ? schema : { anyOf: [schema, { type: "null" }] };
  }
  const listed = Array.isArray(values) ? { enum: [...values, null] } : {};
  return { ...schema, type: [type, "null"], ...listed };
}

function isOpen(schema: JsonObject): boolean {
  return Object.keys(schema).every((name) => name.startsWith("x-lacuna-"));
}

/** The schema of a value, null where it may be; whether it may be absent is for its holder. */
export function typeSchema(w: World, value: ValueType, at: At): JsonObject {
  if (value.gap !== undefined) return { "x-lacuna-gap": w.gap(value.gap) };
  const schema = baseSchema(w, value.type, at);
  return value.orNull && at.form !== "text" ? nullable(schema) : schema;
}

function listed(values: readonly string[]): JsonObject {
  return values.length === 0 ? { type: "string" } : { type: "string", enum: [...values] };
}

/** The schema of a value that is there and is not null. */
export function baseSchema(w: World, type: BaseType, at: At): JsonObject {
  switch (type.kind) {
    case "string":
    case "boolean":
    case "number":
      return { type: type.kind };
    case "integer":
      return type.wire === "number" ? { type: "integer" } : { type: "string", pattern: WHOLE };
    case "decimal":
      return decimal(type);
    case "timestamp":
      return timestamp(w, type, at);
    case "date":
    case "email":
    case "uri":
    case "uuid":
      return { type: "string", format: type.kind };
    case "duration":
      return { type: "string", pattern: DURATION, "x-lacuna-type": "duration" };
    case "time zone":
      return { type: "string", "x-lacuna-type": "time zone" };
    case "secret":
      return { type: "string", format: "password" };
    case "json":
      return { "x-lacuna-type": "json" };
    case "schema":
      return schemaOf(w, type.name);
    case "file":
      return at.bytes
        ? { type: "string", contentMediaType: "application/octet-stream" }
        : { type: "string", pattern: FILE, "x-lacuna-type": "file" };
    case "id":
      return { type: "string", pattern: `^${escaped(type.prefix ?? "")}.` };
    case "one of":
      return listed(type.values);
    case "event name":
      return listed(w.plan.events.map(({ name }) => name));
    case "error name":
      return listed(w.plan.errors.map(({ name }) => name));
    case "state":
      return state(w, at.holder);
    case "list":
      return { type: "array", items: typeSchema(w, type.of, inside(at)) };
    case "map":
      return { type: "object", additionalProperties: member(w, type.of, at) };
    case "structure":
      return w.ref(type.name, at.mode === "changed" ? "new" : at.mode, at.form);
    case "reference":
      return type.view === undefined ? key(w, type.resource) : w.ref(type.view);
    default:
      return never(type);
  }
}

/** Items of a list are sent whole, whatever the list is laid over. */
function inside(at: At): At {
  return at.mode === "merged" ? { ...at, mode: "new" } : at;
}

/** Null takes a member of a merged map away. */
function member(w: World, of: ValueType, at: At): JsonObject {
  const schema = typeSchema(w, of, at);
  return at.mode === "merged" && !of.orNull && at.form !== "text" ? nullable(schema) : schema;
}

function decimal({ places, wire }: BaseType & { readonly kind: "decimal" }): JsonObject {
  if (wire === "number") {
    const step = places === 0 ? "1" : `0.${"1".padStart(places, "0")}`;
    return { type: "number", multipleOf: exactNumber(step) };
  }
  const fraction = places === 0 ? "" : `\\.[0-9]{${places}}`;
  return { type: "string", pattern: `^-?(0|[1-9][0-9]*)${fraction}$` };
}

/** RFC 3339 with a fraction of at most as many digits as are read. */
const YEAR = "([0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)";
const DAY = `${YEAR}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])`;
const TIME = "([01][0-9]|2[0-3]):[0-5][0-9]";
const FRACTIONS = {
  seconds: "",
  milliseconds: "(\\.[0-9]{1,3})?",
  microseconds: "(\\.[0-9]{1,6})?",
};

function timestamp(
  w: World,
  type: BaseType & { readonly kind: "timestamp" },
  { mode }: At,
): JsonObject {
  if (type.wire !== "rfc3339") {
    return { type: "integer", "x-lacuna-type": `timestamp as ${type.wire}` };
  }
  const gap = gapOf(type.precision);
  const mark = gap === undefined ? {} : { "x-lacuna-gap": w.gap(gap) };
  const precision = mode === "read" ? undefined : statedOf(type.precision);
  const pattern =
    precision === undefined
      ? {}
      : { pattern: `^${DAY}[Tt]${TIME}:[0-5][0-9]${FRACTIONS[precision]}([Zz]|[+-]${TIME})$` };
  return { type: "string", format: "date-time", ...pattern, ...mark };
}

function state(w: World, holder: string | undefined): JsonObject {
  const own = w.plan.machines.filter(({ resource, field }) => `${resource}.${field}` === holder);
  const machines = own.length === 0 ? w.plan.machines : own;
  const gap = machines.find((one) => one.gap !== undefined)?.gap;
  if (gap !== undefined) return { type: "string", "x-lacuna-gap": w.gap(gap) };
  const names = machines.flatMap(({ states }) => states.map(({ name }) => name));
  return listed([...new Set(names)]);
}

/** What names a row of the resource. */
function key(w: World, resource: string): JsonObject {
  const field = w.key(resource);
  const found = w.resources.get(resource);
  const gap = field === undefined ? found && namelessGap(found) : field.gap;
  if (gap !== undefined) return { "x-lacuna-gap": w.gap(gap) };
  // A row that is named by another row has no name that clients know.
  if (field === undefined || field.type.type.kind === "reference") return { not: {} };
  return typeSchema(w, field.type, { mode: "read" });
}
