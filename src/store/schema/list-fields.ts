/** Tells of a plan's code which list fields are searched, and so need a table of their items. */
import { type Code, partsOf } from "../../expr/index.ts";

/** Resource -> fields that are lists and are searched with `in`, or whose items are collected. */
export function listFieldsOf(parts: readonly Code[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const listed = (resource: string, field: string) => {
    const set = found.get(resource) ?? new Set<string>();
    found.set(resource, set.add(field));
  };
  for (const part of parts) {
    if (part.op !== "call" && part.op !== "each") continue;
    for (const inner of part.op === "each" ? [part.body] : partsOf(part)) {
      if (inner.op !== "get" || inner.of.type.kind !== "row") continue;
      if (inner.type.kind === "list") listed(inner.of.type.resource, inner.member);
    }
  }
  return found;
}
