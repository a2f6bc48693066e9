/** Equality of values, chosen by their static type; rows by key, lists and maps inside out. */
import { type Type, withoutNull } from "../../expr/index.ts";
import type { Row, State, Value } from "./values.ts";
import { charge, keyOf } from "./values.ts";

type Equal = (a: Value, b: Value, state: State) => boolean;

/** Equality of values of both types (either may be null, or of unknown type). */
export function equalityOf(left: Type, right: Type): Equal {
  const [a, b] = [withoutNull(left), withoutNull(right)];
  const type = a.kind === "unknown" || a.kind === "null" ? b : a;
  switch (type.kind) {
    case "row":
      return equalRows;
    case "list": {
      const item = equalityOf(type.of, b.kind === "list" ? b.of : type.of);
      return (x, y, state) => equalLists(x, y, { item, state });
    }
    case "map": {
      const item = equalityOf(type.of, b.kind === "map" ? b.of : type.of);
      return (x, y, state) => equalMaps(x, y, { item, state });
    }
    case "json":
    case "unknown":
    case "object":
      return equalTrees;
    case "string":
    case "number":
    case "boolean":
    case "integer":
    case "timestamp":
    case "date":
    case "duration":
    case "zone":
    case "null":
    case "secret":
    case "file":
    case "decimal":
    case "nullable":
      return (x, y) => x === y;
  }
}

function equalRows(a: Value, b: Value): boolean {
  if (a == null || b == null) return a === b;
  return keyOf(a) === keyOf(b);
}

interface Inner {
  readonly item: Equal;
  readonly state: State;
}

function equalLists(a: Value, b: Value, { item, state }: Inner): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  if (a.length !== b.length) return false;
  charge(state, a.length);
  return a.every((value: Value, i) => item(value, b[i], state));
}

function equalMaps(a: Value, b: Value, { item, state }: Inner): boolean {
  if (!(a instanceof Map) || !(b instanceof Map)) return a === b;
  if (a.size !== b.size) return false;
  charge(state, a.size);
  for (const [key, value] of a) if (!b.has(key) || !item(value, b.get(key), state)) return false;
  return true;
}

/** Json trees, and parts: in these a row as it is named, and the key of a row as it is stored. */
function equalTrees(a: Value, b: Value, state: State): boolean {
  if (a === b) return true;
  if (isRow(a) && typeof b === "number") return a.key === b;
  if (isRow(b) && typeof a === "number") return b.key === a;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const inner: Inner = { item: equalTrees, state };
  if (Array.isArray(a)) return equalLists(a, b, inner);
  if (a instanceof Map) return equalMaps(a, b, inner);
  if ("keptText" in a && "keptText" in b) return a.keptText === b.keptText;
  if ("numberText" in a && "numberText" in b) {
    return normalNumber(String(a.numberText)) === normalNumber(String(b.numberText));
  }
  return isRow(a) && isRow(b) && equalRows(a, b);
}

function isRow(value: Value): value is Row {
  return typeof value === "object" && value !== null && "key" in value && "resource" in value;
}

/** One text for all ways to write a JSON number: sign, digits without outer zeros, exponent. */
export function normalNumber(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(text) ?? [];
  const leading = (whole + fraction).replace(/^0+/, "");
  if (leading === "") return "0";
  let end = leading.length;
  while (leading[end - 1] === "0") end--;
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(leading.length - end);
  return `${sign}${leading.slice(0, end)}e${power}`;
}

const PLAIN = /^(boolean|string|integer|decimal|number|timestamp|date|duration|zone|file)$/;

/** Whether values of the type are told apart by `===` (so that a `Set` can hold them). */
export function isPlain(type: Type): boolean {
  const inner = withoutNull(type);
  return PLAIN.test(inner.kind);
}
