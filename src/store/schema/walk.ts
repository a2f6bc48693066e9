/** What the lowering of queries asks of typed code; knows neither SQL nor a store. */
import type { Code } from "../../expr/index.ts";

/** Whether a value of this code may be null. */
export function isNullable(code: Code): boolean {
  return code.type.kind === "nullable" || code.type.kind === "null" || code.type.kind === "unknown";
}

/** The rows that a collection or a chain of filters over one goes through. */
export interface RowChain {
  readonly resource: string;
  readonly filters: readonly { readonly as: string; readonly body: Code }[];
}

/** Reads a collection, or filters over one; undefined for any other list. */
export function rowChain(code: Code): RowChain | undefined {
  if (code.op === "rows") return { resource: code.resource, filters: [] };
  if (code.op !== "each" || code.macro !== "filter") return undefined;
  const below = rowChain(code.over);
  if (below === undefined) return undefined;
  return { ...below, filters: [...below.filters, { as: code.as, body: code.body }] };
}
