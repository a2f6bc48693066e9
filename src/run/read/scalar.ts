/** Reads one value of a type that is not made of others, from JSON or from text, exactly. */
import {
  type BaseType,
  isEmail,
  isUri,
  isZoneName,
  type Precision,
  readUuid,
  statedOf,
} from "../../plan/index.ts";
import type { Value } from "../ports/index.ts";
import { readFile } from "../wire/file.ts";
import type { Json } from "../wire/json.ts";
import { isJsonNumber } from "../wire/json.ts";
import {
  readDecimal,
  readDecimalString,
  readInteger,
  readIntegerString,
  readNumber,
} from "../wire/number.ts";
import { parseJson } from "../wire/parse.ts";
import { readDate, readDuration, readTimestamp, readUnix } from "../wire/time.ts";
import { unknown, WRONG_TYPE, Wrong } from "../wire/wrong.ts";
import type { Names } from "./names.ts";
import { keyField, keyGap } from "./names.ts";

/** Both forms of a scalar: in JSON, and as text in a path, a query, a header or a cookie. */
interface ScalarReader {
  readonly json: (json: Json) => Value | Wrong;
  readonly text: (text: string) => Value | Wrong;
}

type TextReader = (text: string) => Value | Wrong;
type NumberReader = (text: string) => Value | Wrong;

/** A value that stands in JSON as a string: both forms read the same text. */
function ofText(text: TextReader): ScalarReader {
  return { text, json: (json) => (typeof json === "string" ? text(json) : WRONG_TYPE) };
}

/** A value that stands in JSON as a number. */
function ofNumber(number: NumberReader, text: TextReader): ScalarReader {
  return {
    text,
    json: (json) => (isJsonNumber(json) ? number(json.numberText) : WRONG_TYPE),
  };
}

const plain = ofText((text) => text);

const boolean: ScalarReader = {
  json: (json) => (typeof json === "boolean" ? json : WRONG_TYPE),
  text: (text) => (text === "true" ? true : text === "false" ? false : WRONG_TYPE),
};

const anyJson: ScalarReader = {
  json: (json) => json as Value,
  text: (text) => {
    const parsed = parseJson(text);
    return parsed.ok && parsed.repeated.length === 0 ? (parsed.value as Value) : WRONG_TYPE;
  },
};

const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const number = ofNumber(readNumber, (text) =>
  JSON_NUMBER.test(text) ? readNumber(text) : WRONG_TYPE,
);

const test = (isOne: (text: string) => boolean): ScalarReader =>
  ofText((text) => (isOne(text) ? text : WRONG_TYPE));

function among(values: readonly string[]): ScalarReader {
  const known = new Set(values);
  const notOneOf = new Wrong("not one of");
  return ofText((text) => (known.has(text) ? text : notOneOf));
}

const SIMPLE = {
  string: plain,
  secret: plain,
  boolean,
  number,
  json: anyJson,
  email: test(isEmail),
  uri: test(isUri),
  "time zone": test(isZoneName),
  uuid: ofText((text) => readUuid(text) ?? WRONG_TYPE),
  date: ofText(readDate),
  duration: ofText(readDuration),
  file: ofText((text) => readFile(text) ?? WRONG_TYPE),
};

/**
 * The reader of a scalar type; undefined for lists, maps and structures. `holder` is
 * `Resource.field` of a value of type `state`. A reference is read as the key that names its row.
 */
export function scalarReader(
  type: BaseType,
  names: Names,
  holder?: string,
): ScalarReader | undefined {
  switch (type.kind) {
    case "list":
    case "map":
    case "structure":
    case "schema":
      return undefined;
    case "integer":
      return type.wire === "string"
        ? ofText(readIntegerString)
        : ofNumber(readInteger, readInteger);
    case "decimal":
      return decimalReader(type.places, type.wire);
    case "timestamp":
      return timestampReader(type);
    case "id":
      return idReader(type.prefix ?? "");
    case "one of":
      return among(type.values);
    case "state":
      return stateReader(names, holder);
    case "event name":
      return among(names.events);
    case "error name":
      return among(names.errors);
    case "reference":
      return referenceReader(type.resource, names);
    case "string":
    case "number":
    case "boolean":
    case "date":
    case "duration":
    case "time zone":
    case "email":
    case "uri":
    case "uuid":
    case "json":
    case "file":
    case "secret":
      return SIMPLE[type.kind];
  }
}

function decimalReader(places: number, wire: "number" | "string"): ScalarReader {
  if (wire === "string") return ofText((text) => readDecimalString(text, places));
  const read: NumberReader = (text) => readDecimal(text, places);
  return ofNumber(read, read);
}

/** A finer fraction than the stated precision is refused; where none is stated, it is a gap. */
function timestampReader(type: BaseType & { readonly kind: "timestamp" }): ScalarReader {
  const { precision, wire } = type;
  if (wire !== "rfc3339") {
    const read: NumberReader = (text) => readUnix(text, wire);
    return ofNumber(read, read);
  }
  const stated: Precision = statedOf(precision) ?? "microseconds";
  if (precision.is !== "gap") return ofText((text) => readTimestamp(text, stated));
  const unknown = new Wrong("refused", { is: "gap", gap: precision.gap });
  return ofText((text) => {
    const value = readTimestamp(text, stated);
    return typeof value === "bigint" && value % 1_000_000n !== 0n ? unknown : value;
  });
}

/** A text without the stated beginning, or with nothing after it, is no such id. */
function idReader(prefix: string): ScalarReader {
  return test((text) => text.length > prefix.length && text.startsWith(prefix));
}

/** Outside a resource with a machine any state's name may stand: what it means is compared. */
function stateReader(names: Names, holder: string | undefined): ScalarReader {
  const states = names.states.get(holder ?? "");
  return among(states ?? [...names.states.values()].flat());
}

function referenceReader(resource: string, names: Names): ScalarReader {
  const gap = keyGap(names, resource);
  if (gap !== undefined) {
    const met = unknown(gap);
    return { json: () => met, text: () => met };
  }
  const field = keyField(names, resource);
  const nothing = test(() => false);
  if (!field || field.type.type.kind === "reference") return nothing;
  return scalarReader(field.type.type, names) ?? nothing;
}
