/** Which rules and transitions act where nobody asks them to; resources in types. */
import { never } from "../../base/index.ts";
import { type Code, partsOf } from "../../expr/index.ts";
import type { Field, ItemId, Resource, Rule, Transition, ValueType } from "../types/index.ts";

export { keepersOf } from "../references.ts";

/** Whether the transition is taken at a time, by no step. */
export function isTimed({ on }: Transition): boolean {
  switch (on.is) {
    case "time":
    case "every":
    case "by itself":
    case "refused":
    case "gap":
      return true;
    case "step":
    case "transition":
    case "call":
      return false;
    default:
      return never(on);
  }
}

/** Whether the field holds the states of a machine. */
export const isState = ({ type }: Field): boolean => type.type.kind === "state";

/** Rules that fill or judge a field when its row is made. */
export const FILLS: ReadonlySet<Rule["kind"]> = new Set([
  "starts",
  "set",
  "counts up",
  "random",
  "unique",
]);
/** Whether the rule acts when a row changes that is there already. */
export function actsOnChange(rule: Rule): boolean {
  if (rule.kind === "set") return rule.onUpdate || rule.changes.length > 0;
  return rule.kind === "counts up" ? rule.onEveryChange : rule.kind === "unique";
}

/** Resources that a value of the type refers to, at any depth but inside parts. */
export function referredIn({ type }: ValueType): readonly string[] {
  if (type.kind === "reference") return [type.resource];
  if (type.kind === "list" || type.kind === "map") return referredIn(type.of);
  return [];
}

/** The part inside a type, at any depth of lists and maps. */
export function partIn(type: ValueType["type"]): string | undefined {
  if (type.kind === "structure") return type.name;
  return type.kind === "list" || type.kind === "map" ? partIn(type.of.type) : undefined;
}

/** Whether code goes from one row to another one that it names. */
export function looksUp(code: Code): boolean {
  const isNamed = (code.op === "get" || code.op === "has") && code.of.type.kind === "row";
  return (isNamed && code.of.op === "get") || partsOf(code).some(looksUp);
}

/** The field as which a reference to a row is sent. */
export function keyOf(resource: Resource | undefined): ItemId[] {
  return (resource?.fields ?? []).filter(({ name }) => name === resource?.key).map(({ id }) => id);
}
