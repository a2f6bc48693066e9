/** Makes JSON of values: numbers become the numbers of a JSON tree, all else is one as it is. */
import type { Type } from "../../expr/index.ts";
import { formatDecimal } from "./numbers.ts";
import type { Build, State, Value } from "./values.ts";
import { argument, charge } from "./values.ts";

type Convert = (value: Value) => Value;

/** How values of the type become JSON; undefined where they are JSON already. */
function conversionOf(type: Type): Convert | undefined {
  switch (type.kind) {
    case "integer":
      return (value) => ({ numberText: String(value) });
    case "number":
      return (value) => ({ numberText: JSON.stringify(value) });
    case "decimal":
      return (value) => ({ numberText: formatDecimal(value as bigint, type.places) });
    case "nullable": {
      const inner = conversionOf(type.of);
      return inner && ((value) => (value === null ? null : inner(value)));
    }
    case "list": {
      const item = conversionOf(type.of);
      return item && ((value) => (value as readonly Value[]).map(item));
    }
    case "map": {
      const member = conversionOf(type.of);
      if (member === undefined) return undefined;
      return (value) =>
        new Map([...(value as ReadonlyMap<string, Value>)].map(([key, one]) => [key, member(one)]));
    }
    case "boolean":
    case "string":
    case "json":
    case "null":
    case "unknown":
    case "timestamp":
    case "date":
    case "duration":
    case "zone":
    case "secret":
    case "file":
    case "row":
    case "object":
      return undefined;
  }
}

/** RFC 7396, section 2. JSON nests 64 levels at most. */
function patchedBy(target: Value | undefined, patch: Value, state: State): Value {
  if (!(patch instanceof Map)) return patch;
  const made = new Map<string, Value>(target instanceof Map ? target : []);
  charge(state, made.size + patch.size);
  for (const [name, value] of patch as ReadonlyMap<string, Value>) {
    if (value === null) made.delete(name);
    else made.set(name, patchedBy(made.get(name), value, state));
  }
  return made;
}

export const jsonBuilds = {
  patched: (args) => {
    const [target, patch] = [argument<Value>(args, 0), argument<Value>(args, 1)];
    return (state) => patchedBy(target(state), patch(state), state);
  },
  json: (args, code) => {
    const value = argument<Value>(args, 0);
    const convert = conversionOf(code.args[0]?.type ?? code.type);
    return convert === undefined ? value : (state) => convert(value(state));
  },
} as const satisfies Readonly<Record<string, Build>>;
