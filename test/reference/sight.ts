/** What a caller sees through references: nothing of a row that `Rows` of its resource hides. */
import type { Code } from "../../src/expr/index.ts";
import { isList, isRef, type Ref, type Value } from "./values.ts";

/** The name under which it is kept of a macro's variable that it is a reference. */
export function referenceMark(as: string): string {
  return `#reference ${as}`;
}

/** Whether code gives a row, or rows, that were found, made or named: no reference is followed. */
export function isFound(code: Code, names: ReadonlyMap<string, Value>): boolean {
  if (code.op === "rows") return true;
  if (code.op === "name") return names.get(referenceMark(code.name)) !== true;
  return code.op === "each" && code.macro === "filter" && isFound(code.over, names);
}

/** The field that a path goes through, where one stands there. */
export function throughOf(code: Code): string {
  return code.op === "get" && code.of.type.kind === "row"
    ? `${code.of.type.resource}.${code.member}`
    : "a reference";
}

/** Looks at each row in the value of code that is not found. */
export function lookAt(
  code: Code,
  value: Value,
  names: ReadonlyMap<string, Value>,
  see: (ref: Ref, through: string) => void,
): void {
  if (isFound(code, names)) return;
  for (const one of isList(value) ? value : [value]) if (isRef(one)) see(one, throughOf(code));
}
