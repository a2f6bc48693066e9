/** Relations between types: what fits where, what two types have in common; knows no syntax. */
import { eitherBound } from "./bounds.ts";
import type { Type } from "./types.ts";
import { bounded, isMeasured } from "./units.ts";

export const UNKNOWN: Type = { kind: "unknown" };
export const BOOLEAN: Type = { kind: "boolean" };
export const STRING: Type = { kind: "string" };
export const INTEGER: Type = { kind: "integer" };
export const JSON_TYPE: Type = { kind: "json" };

/** Most values of a `oneOf` kept when two sets are united; past it, the type is plain `string`. */
const ONE_OF_MAX = 1000;

/** `type` or null; a nullable type stays as it is. */
export function nullable(type: Type): Type {
  const open = type.kind === "nullable" || type.kind === "null" || type.kind === "unknown";
  return open ? type : { kind: "nullable", of: type };
}

/** The type without its null. */
export function withoutNull(type: Type): Type {
  return type.kind === "nullable" ? type.of : type;
}

/** Whether a value of the type can be null. */
export function canBeNull(type: Type): boolean {
  return type.kind === "nullable" || type.kind === "null";
}

/** Whether every value of `from` is a value of `to`, without any conversion. */
export function isAssignable(from: Type, to: Type): boolean {
  if (from.kind === "unknown" || to.kind === "unknown") return true;
  if (to.kind === "json") return isJson(from);
  if (to.kind === "nullable") return from.kind === "null" || isAssignable(withoutNull(from), to.of);
  switch (from.kind) {
    case "string": {
      if (to.kind !== "string") return false;
      const allowed = to.oneOf;
      return (
        allowed === undefined || (from.oneOf?.every((word) => allowed.includes(word)) ?? false)
      );
    }
    case "decimal":
      return to.kind === "decimal" && from.places === to.places;
    case "list":
    case "map":
      return to.kind === from.kind && isAssignable(from.of, to.of);
    case "row":
      return to.kind === "row" && from.resource === to.resource;
    case "object":
      return to.kind === "object" && from.name === to.name;
    case "nullable":
      return false;
    case "number":
    case "boolean":
    case "integer":
    case "timestamp":
    case "date":
    case "duration":
    case "zone":
    case "json":
    case "null":
    case "secret":
    case "file":
      return from.kind === to.kind;
  }
}

/** Whether values of the type are JSON as they are: numbers have types of their own. */
function isJson(type: Type): boolean {
  if (type.kind === "list" || type.kind === "map" || type.kind === "nullable") {
    return isJson(type.of);
  }
  return /^(json|string|boolean|null|unknown)$/.test(type.kind);
}

/** The narrowest type that holds the values of both, or undefined where there is none. */
export function commonType(a: Type, b: Type): Type | undefined {
  if (a.kind === "unknown") return b;
  if (b.kind === "unknown") return a;
  if (canBeNull(a) || canBeNull(b)) {
    if (a.kind === "null") return nullable(b);
    if (b.kind === "null") return nullable(a);
    const inner = commonType(withoutNull(a), withoutNull(b));
    return inner && nullable(inner);
  }
  if (a.kind === "string" && b.kind === "string") return commonString(a.oneOf, b.oneOf);
  if (isMeasured(a) && isMeasured(b)) {
    return isAssignable(a, b) ? bounded(a, eitherBound(a, b)) : undefined;
  }
  if ((a.kind === "list" || a.kind === "map") && a.kind === b.kind) {
    const of = commonType(a.of, b.of);
    return of && { kind: a.kind, of };
  }
  return isAssignable(a, b) ? a : undefined;
}

function commonString(a: readonly string[] | undefined, b: readonly string[] | undefined): Type {
  if (!a || !b) return STRING;
  const words = [...new Set([...a, ...b])];
  return words.length > ONE_OF_MAX ? STRING : { kind: "string", oneOf: words };
}

/** Whether `predicate` holds for the type or for any type inside it. */
export function containsType(type: Type, predicate: (type: Type) => boolean): boolean {
  if (predicate(type)) return true;
  const outer = type.kind === "list" || type.kind === "map" || type.kind === "nullable";
  return outer && containsType(type.of, predicate);
}
