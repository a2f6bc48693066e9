/** Tells what is there already of a field that a changed document adds. */
import { type Code, partsOf } from "../expr/index.ts";
import { type Field, isScalar, statedOf, type ValueType } from "../plan/index.ts";

/** Whether rows and parts that are there can be given a value of it that the document states. */
export function hasFirstValue({ type, rules }: Field): boolean {
  const starts = rules.find((one) => one.kind === "starts");
  // What is kept of it is made of it: its hash, or its items in an order.
  const isMade = rules.some(
    (one) =>
      (one.kind === "kept as" && one.hash.kind !== "plain") ||
      (one.kind === "order" && statedOf(one.order) !== "as given"),
  );
  if (starts?.kind === "starts") {
    return isConstant(starts.value.code) && !holdsPart(type) && !isMade;
  }
  return type.orAbsent || type.orNull;
}

/** Whether the value is the same whenever and wherever it is asked for. */
function isConstant(code: Code): boolean {
  const isOpen = code.op === "name" || code.op === "rows" || code.op === "gap";
  return !isOpen && partsOf(code).every(isConstant);
}

/** A part that is given is made by the rules of its members. */
function holdsPart({ type }: ValueType): boolean {
  if (isScalar(type)) return false;
  if (type.kind === "structure") return true;
  return type.kind === "reference" || holdsPart(type.of);
}
