/** The form in which values pass a call, in whatever they stand: see docs/calls.md. */
import { type BaseType, isText, type ValueType } from "../../plan/index.ts";

/** `wire`: numbers of exact digits are given as texts, and read as numbers. */
export function passed({ type, ...rest }: ValueType, wire: "string" | "number"): ValueType {
  return { ...rest, type: passedBase(type, wire) };
}

function passedBase(type: BaseType, wire: "string" | "number"): BaseType {
  if (isText(type)) return type;
  switch (type.kind) {
    case "integer":
      return { ...type, wire };
    case "decimal":
      return { ...type, wire };
    case "timestamp":
      return {
        kind: "timestamp",
        wire: "rfc3339",
        precision: { is: "stated", id: "calls", value: "microseconds" },
      };
    case "list":
      return { kind: "list", of: passed(type.of, wire) };
    case "map":
      return { kind: "map", of: passed(type.of, wire) };
    case "number":
    case "boolean":
    case "duration":
    case "json":
    case "schema":
    case "structure":
    case "reference":
      return type;
  }
}
