/** The value that a document states of a field for rows that do not have it. */
import type { Field } from "../../plan/index.ts";
import { constant, type Value } from "../../run/index.ts";

/** What rows that are there have in a field that a changed document adds. */
export function firstValue({ id, rules, type }: Field): Value {
  const starts = rules.find((one) => one.kind === "starts");
  if (starts?.kind === "starts") return constant(starts.value.code);
  if (type.orAbsent) return undefined;
  if (type.orNull) return null;
  throw new Error(`nothing says what ${id} is in rows that are there`);
}
