/** Writes values as JSON text in the wire form of their type; knows no views. */
import { type BaseType, type ItemId, isText, statedOf, type ValueType } from "../../plan/index.ts";
import type { Value } from "../ports/index.ts";
import type { Json } from "../wire/json.ts";
import { writeDecimal } from "../wire/number.ts";
import { writeDuration, writeTimestamp } from "../wire/time.ts";
import { writeJson } from "../wire/write.ts";

type Writer = (value: Value) => string;

const quoted: Writer = (value) => JSON.stringify(value);
const asString: Writer = (value) => `"${value as bigint}"`;

const SIMPLE = {
  boolean: (value: Value) => (value === true ? "true" : "false"),
  number: quoted,
  duration: (value: Value) => `"${writeDuration(value as bigint)}"`,
  json: (value: Value) => writeJson(value as Json),
} satisfies Partial<Record<BaseType["kind"], Writer>>;

/**
 * The writer of a type: JSON text without spaces. Null gives `null`. A reference is written by the
 * key that names it, given as that key's value. A structure is no scalar: asking for it is a bug.
 */
export function compileWriter(type: ValueType): Writer {
  const write = writerOf(type.type);
  return type.orNull ? (value) => (value === null ? "null" : write(value)) : write;
}

/** The gap that writing a value of the type meets: a timestamp whose precision is not shown. */
export function writingGap(type: BaseType): ItemId | undefined {
  if (type.kind === "list" || type.kind === "map") return writingGap(type.of.type);
  if (type.kind !== "timestamp" || type.wire !== "rfc3339") return undefined;
  if (type.precision.is !== "gap") return undefined;
  return type.precision.gap;
}

function writerOf(type: BaseType): Writer {
  if (isText(type)) return quoted;
  switch (type.kind) {
    case "integer":
      return type.wire === "string" ? asString : (value) => (value as bigint).toString();
    case "decimal": {
      const { places } = type;
      const text: Writer = (value) => writeDecimal(value as bigint, places);
      return type.wire === "string" ? (value) => `"${text(value)}"` : text;
    }
    case "timestamp": {
      const { wire } = type;
      const precision = statedOf(type.precision) ?? "microseconds";
      return (value) => writeTimestamp(value as bigint, wire, precision);
    }
    case "list":
      return listWriter(compileWriter(type.of));
    case "map":
      return mapWriter(compileWriter(type.of));
    case "reference":
      return (value) => (typeof value === "bigint" ? value.toString() : JSON.stringify(value));
    case "structure":
      throw new Error(`a structure is not written as a scalar: ${type.name}`);
    case "number":
    case "boolean":
    case "duration":
    case "json":
      return SIMPLE[type.kind];
    case "schema":
      return SIMPLE.json;
  }
}

function listWriter(write: Writer): Writer {
  return (value) => {
    let text = "[";
    for (const item of value as readonly Value[]) {
      text += `${text === "[" ? "" : ","}${write(item)}`;
    }
    return `${text}]`;
  };
}

function mapWriter(write: Writer): Writer {
  return (value) => {
    let text = "{";
    for (const [name, member] of value as ReadonlyMap<string, Value>) {
      text += `${text === "{" ? "" : ","}${JSON.stringify(name)}:${write(member)}`;
    }
    return `${text}}`;
  };
}
