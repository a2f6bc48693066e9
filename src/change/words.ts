/** Types in the words of a document. */
import { never } from "../base/index.ts";
import type { BaseType, ValueType } from "../plan/index.ts";

/** Such as `decimal 2`, ``one of `a`, `b` or null``, ``list of `Line` ``. */
export function typeWords({ type, orNull, orAbsent, gap }: ValueType): string {
  if (gap !== undefined) return "`not shown`";
  return `${baseWords(type)}${orNull ? " or null" : ""}${orAbsent ? " or absent" : ""}`;
}

function baseWords(type: BaseType): string {
  switch (type.kind) {
    case "decimal":
      return `decimal ${type.places}`;
    case "one of":
      return `one of ${type.values.map((one) => `\`${one}\``).join(", ")}`;
    case "list":
    case "map":
      return `${type.kind} of ${typeWords(type.of)}`;
    case "structure":
      return `\`${type.name}\``;
    case "reference":
      return `\`${type.resource}\``;
    case "schema":
      return `schema \`${type.name}\``;
    case "id":
      return type.prefix === undefined ? "id" : `id \`${type.prefix}\``;
    case "boolean":
    case "number":
    case "duration":
    case "json":
    case "string":
    case "date":
    case "time zone":
    case "file":
    case "secret":
    case "email":
    case "uri":
    case "uuid":
    case "state":
    case "event name":
    case "error name":
    case "integer":
    case "timestamp":
      return type.kind;
    default:
      return never(type);
  }
}
