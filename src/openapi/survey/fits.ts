/** Whether a value fits a schema, as far as that is told without patterns and formats. */
import type { Description } from "../model/index.ts";
import { listAt, type MapNode, type Node, type Place, textAt, valueAt } from "../tree/index.ts";

/** Pairs of value and schema that are looked at for one value. */
const STEPS_MAX = 2000;

/** Alternatives inside one another that are followed. */
const NESTED_MAX = 4;

interface Pair {
  readonly value: Node;
  readonly schema: Node;
}

/** The types that a schema states. */
export function typesOf(node: MapNode): string[] {
  const one = textAt(node, "type");
  if (one !== undefined) return [one];
  return (listAt(node, "type")?.items ?? []).flatMap((each) =>
    each.kind === "scalar" && typeof each.value === "string" ? [each.value] : [],
  );
}

/** Whether a value is of the type that a schema states. */
export function isOfType(value: Node, schema: MapNode): boolean {
  const types = typesOf(schema);
  if (types.length === 0 || types.includes("file")) return true;
  if (value.kind === "map") return types.includes("object");
  if (value.kind === "list") return types.includes("array");
  if (value.value === null) return types.includes("null") || isNullable(schema);
  if (typeof value.value === "string") return types.includes("string");
  if (typeof value.value === "boolean") return types.includes("boolean");
  return types.includes("number") || (types.includes("integer") && Number.isInteger(value.value));
}

const isNullable = (schema: MapNode): boolean =>
  valueAt(schema, "nullable") === true || valueAt(schema, "x-nullable") === true;

/** Whether two values are the same; objects and lists are not compared deeper than this. */
function isSame(a: Node, b: Node): boolean {
  if (a.kind !== "scalar" || b.kind !== "scalar") return a.kind === b.kind;
  return a.value === b.value;
}

const number = (schema: MapNode, key: string): number | undefined => {
  const value = valueAt(schema, key);
  return typeof value === "number" ? value : undefined;
};

/** Whether a number is outside the bounds; `exclusive…` is a flag in 3.0 and a number later. */
function isOutside(value: number, schema: MapNode): boolean {
  const [low, high] = [number(schema, "minimum"), number(schema, "maximum")];
  const [above, below] = [number(schema, "exclusiveMinimum"), number(schema, "exclusiveMaximum")];
  if (low !== undefined && value < low) return true;
  if (high !== undefined && value > high) return true;
  if (value === low && valueAt(schema, "exclusiveMinimum") === true) return true;
  if (value === high && valueAt(schema, "exclusiveMaximum") === true) return true;
  return (above !== undefined && value <= above) || (below !== undefined && value >= below);
}

/** Whether a size is outside the bounds of that name. */
function isSized(size: number, schema: MapNode, what: "Length" | "Items" | "Properties"): boolean {
  const [low, high] = [number(schema, `min${what}`), number(schema, `max${what}`)];
  return !((low !== undefined && size < low) || (high !== undefined && size > high));
}

const isAccessed = (schema: MapNode | undefined): boolean =>
  valueAt(schema, "readOnly") === true || valueAt(schema, "writeOnly") === true;

/** Judges one value; `STEPS_MAX` bounds its work. */
class Judge {
  private readonly refs: Description["refs"];
  private steps = 0;

  constructor(refs: Description["refs"]) {
    this.refs = refs;
  }

  /** The first part of the value that does not fit; undefined: none is seen. */
  misfit(value: Node, schema: Node, nested = 0): Place | undefined {
    const left: Pair[] = [{ value, schema }];
    for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
      this.steps += 1;
      if (this.steps > STEPS_MAX) return undefined;
      const node = this.refs.follow(pair.schema);
      if (node?.kind === "scalar" && node.value === false) return pair.value;
      if (node?.kind !== "map") continue;
      // A null that is allowed beside a reference or alternatives needs nothing else.
      const isNull = pair.value.kind === "scalar" && pair.value.value === null;
      if (isNull && isNullable(node)) continue;
      const found = this.own(pair.value, node, left) ?? this.chosen(pair.value, node, nested);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** What the schema says of the value itself; what is inside goes to `left`. */
  private own(value: Node, schema: MapNode, left: Pair[]): Place | undefined {
    if (!isOfType(value, schema)) return value;
    const listed = listAt(schema, "enum")?.items;
    if (listed !== undefined && !listed.some((each) => isSame(each, value))) return value;
    const constant = schema.get("const");
    if (constant !== undefined && !isSame(constant, value)) return value;
    for (const each of listAt(schema, "allOf")?.items ?? []) left.push({ value, schema: each });
    if (value.kind === "map") return this.members(value, schema, left);
    if (value.kind === "list") {
      const items = schema.get("items");
      if (items?.kind === "map" && schema.indexOf("prefixItems") < 0) {
        for (const each of value.items) left.push({ value: each, schema: items });
      }
      return isSized(value.items.length, schema, "Items") ? undefined : value;
    }
    if (typeof value.value === "number") return isOutside(value.value, schema) ? value : undefined;
    if (typeof value.value !== "string") return undefined;
    return isSized([...value.value].length, schema, "Length") ? undefined : value;
  }

  private members(value: MapNode, schema: MapNode, left: Pair[]): Place | undefined {
    const properties = schema.get("properties");
    const known = properties?.kind === "map" ? properties : undefined;
    for (const each of listAt(schema, "required")?.items ?? []) {
      if (each.kind !== "scalar" || value.indexOf(String(each.value)) >= 0) continue;
      // Of what is only read, or only written, an example of the other side has nothing.
      if (!isAccessed(this.refs.map(known?.get(String(each.value))))) return value;
    }
    const more = schema.get("additionalProperties");
    const isClosed = more?.kind === "scalar" && more.value === false;
    for (const [index, key] of value.keys.entries()) {
      const inner = value.values[index] as Node;
      const own = known?.get(key);
      if (own !== undefined) left.push({ value: inner, schema: own });
      else if (schema.indexOf("patternProperties") < 0) {
        if (isClosed) return value.keyPlace(key);
        if (more?.kind === "map") left.push({ value: inner, schema: more });
      }
    }
    return isSized(value.keys.length, schema, "Properties") ? undefined : value;
  }

  /** Of alternatives one must fit. */
  private chosen(value: Node, schema: MapNode, nested: number): Place | undefined {
    for (const key of ["anyOf", "oneOf"]) {
      const all = listAt(schema, key)?.items ?? [];
      if (all.length === 0 || nested >= NESTED_MAX) continue;
      if (all.every((each) => this.misfit(value, each, nested + 1) !== undefined)) return value;
    }
    return undefined;
  }
}

/** The first part of a value that does not fit its schema; undefined where none is seen. */
export const misfit = (refs: Description["refs"], value: Node, schema: Node): Place | undefined =>
  new Judge(refs).misfit(value, schema);
