/** The type that a scalar of the notation has in expressions. */
import type { Type } from "../expr/index.ts";
import type { ScalarType } from "./type-kinds.ts";

/** Scalars whose words the rest of the document names. */
type Worded = "state" | "event name" | "error name";

const STRING: Type = { kind: "string" };

function oneOfType(values: readonly string[]): Type {
  return values.length === 0 ? STRING : { kind: "string", oneOf: values };
}

/** `wordsOf`: the only values of what the document names; none: any text. */
export function scalarType(type: ScalarType, wordsOf: (kind: Worded) => readonly string[]): Type {
  switch (type.kind) {
    case "string":
    case "email":
    case "uri":
    case "uuid":
    case "id":
      return STRING;
    case "state":
    case "event name":
    case "error name":
      return oneOfType(wordsOf(type.kind));
    case "one of":
      return oneOfType(type.values);
    case "integer":
    case "number":
    case "boolean":
    case "date":
    case "duration":
    case "timestamp":
    case "secret":
    case "json":
    case "file":
      return { kind: type.kind };
    case "time zone":
      return { kind: "zone" };
    case "schema":
      return { kind: "json" };
    case "decimal":
      return { kind: "decimal", places: type.places };
  }
}
