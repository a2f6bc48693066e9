/** Bridges between official CEL test cases (protobuf values, declared types) and our values. */

import type { IncrementalTest } from "@bufbuild/cel-spec/testdata/tests.js";
import type { Code, Environment, Type } from "../../../src/expr/index.ts";
import { check, noFacts } from "../../../src/expr/index.ts";
import type { Source, Value } from "../../../src/run/evaluate/index.ts";
import { compile, EvaluationFault } from "../../../src/run/evaluate/index.ts";
import { digest } from "../digest.ts";

export type Original = IncrementalTest["original"];
export type CelValue = Extract<Original["resultMatcher"], { case: "value" }>["value"];
type CelType = NonNullable<ReturnType<typeof declaredType>>;

export const NO_DATA: Source = { get: () => undefined, all: () => [], digest };

function declaredType(decl: Original["typeEnv"][number]) {
  return decl.declKind.case === "ident" ? decl.declKind.value.type : undefined;
}

const PRIMITIVES: readonly (Type | undefined)[] = [
  undefined,
  { kind: "boolean" },
  { kind: "integer" },
  undefined,
  { kind: "number" },
  { kind: "string" },
];

/** The type as the profile has it, or undefined where it has none such. */
export function profileType(type: CelType): Type | undefined {
  const { typeKind } = type;
  switch (typeKind.case) {
    case "primitive":
      return PRIMITIVES[typeKind.value];
    case "wellKnown":
      return [undefined, undefined, { kind: "timestamp" }, { kind: "duration" }][typeKind.value] as
        | Type
        | undefined;
    case "messageType":
      if (typeKind.value === "google.protobuf.Timestamp") return { kind: "timestamp" };
      return typeKind.value === "google.protobuf.Duration" ? { kind: "duration" } : undefined;
    case "null":
      return { kind: "null" };
    case "listType": {
      const of = typeKind.value.elemType && profileType(typeKind.value.elemType);
      return of && { kind: "list", of };
    }
    case "mapType": {
      const key = typeKind.value.keyType && profileType(typeKind.value.keyType);
      const of = typeKind.value.valueType && profileType(typeKind.value.valueType);
      return of && key?.kind === "string" ? { kind: "map", of } : undefined;
    }
    default:
      return undefined;
  }
}

/** The environment that a case declares, or undefined where the profile lacks a type of it. */
export function environmentOf(original: Original): Environment | undefined {
  const names = new Map<string, Type>();
  for (const decl of original.typeEnv) {
    const declared = declaredType(decl);
    const type = declared && profileType(declared);
    if (!type) return undefined;
    names.set(decl.name, type);
  }
  return { names, collections: new Map(), members: () => undefined };
}

/** The values that a case binds, in the order of the environment's names. */
export function bindingsOf(original: Original, environment: Environment): Value[] {
  return [...environment.names.keys()].map((name) => {
    const bound = original.bindings[name]?.kind;
    return bound?.case === "value" ? ourValue(bound.value) : undefined;
  });
}

/** An official value as one of ours. */
export function ourValue(value: CelValue): Value {
  const { kind } = value;
  switch (kind.case) {
    case "boolValue":
    case "stringValue":
    case "doubleValue":
    case "int64Value":
      return kind.value;
    case "nullValue":
      return null;
    case "listValue":
      return kind.value.values.map(ourValue);
    case "mapValue":
      return new Map(
        kind.value.entries.map(({ key, value: item }) => [
          key ? String(ourValue(key)) : "",
          item && ourValue(item),
        ]),
      );
    case "objectValue":
      return anyOf(kind.value);
    default:
      return `(${String(kind.case)})`;
  }
}

/** Timestamps and durations stand as packed messages: two varint fields. */
function anyOf(packed: { readonly typeUrl: string; readonly value: Uint8Array }): bigint {
  const fields = [0n, 0n, 0n];
  let at = 0;
  while (at < packed.value.length) {
    const field = (packed.value[at++] ?? 0) >> 3;
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = packed.value[at++] ?? 0;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) break;
    }
    fields[field] = BigInt.asIntN(64, value);
  }
  return (fields[1] ?? 0n) * 1_000_000n + (fields[2] ?? 0n) / 1000n;
}

/** A value with its type, as text: decimals as numbers, so that `1.50` and 1.5 are the same. */
export function shown(value: Value, type: Type): string {
  if (value === null) return "null";
  switch (type.kind) {
    case "nullable":
      return shown(value, type.of);
    case "decimal":
      return String(Number(value) / 10 ** type.places);
    case "list":
      return `[${(value as readonly Value[]).map((item) => shown(item, type.of)).join(", ")}]`;
    case "map": {
      const map = value as ReadonlyMap<string, Value>;
      const entries = [...map].map(([key, item]) => `${key}: ${shown(item, type.of)}`);
      return `{${entries.sort().join(", ")}}`;
    }
    default:
      return String(value);
  }
}

/** An official value as text, in the form of `shown`. */
export function shownOracle(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(shownOracle).join(", ")}]`;
  if (value instanceof Map) {
    return `{${[...value]
      .map(([key, item]) => `${key}: ${shownOracle(item)}`)
      .sort()
      .join(", ")}}`;
  }
  return String(value);
}

/** What a case comes to with us: a value as text, a fault, or the checker's problems. */
export type Outcome =
  | { readonly is: "value"; readonly text: string }
  | { readonly is: "fault"; readonly code: string }
  | { readonly is: "problem"; readonly text: string };

export function evaluateCase(original: Original, environment: Environment): Outcome {
  const checked = check(original.expr, environment, noFacts());
  if (!checked.code) {
    return {
      is: "problem",
      text: checked.problems.map((p) => `${p.code}: ${p.message}`).join("; "),
    };
  }
  return run(checked.code, bindingsOf(original, environment), [...environment.names.keys()]);
}

export function run(code: Code, values: readonly Value[], names: readonly string[]): Outcome {
  try {
    const value = compile(code, { names, fields: () => [] })(values, NO_DATA, 100_000);
    return { is: "value", text: shown(value, code.type) };
  } catch (error) {
    if (error instanceof EvaluationFault) return { is: "fault", code: error.code };
    throw error;
  }
}
