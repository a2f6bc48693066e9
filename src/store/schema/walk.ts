/** Walks and takes apart typed code; knows neither SQL nor a store. */
import type { Code } from "../../expr/index.ts";

/** The parts of a piece of code, in the order of writing. */
export function partsOf(code: Code): readonly Code[] {
  switch (code.op) {
    case "list":
      return code.items;
    case "map":
      return code.entries.flatMap((entry) => [entry.key, entry.value]);
    case "get":
    case "has":
      return [code.of];
    case "index":
      return [code.of, code.at];
    case "call":
      return code.args;
    case "each":
      return code.value === undefined ? [code.over, code.body] : [code.over, code.body, code.value];
    case "gap":
    case "literal":
    case "name":
    case "rows":
      return [];
  }
}

/** Every piece of code in it, itself first. */
export function* everyPart(code: Code): Generator<Code> {
  yield code;
  for (const part of partsOf(code)) yield* everyPart(part);
}

/** Whether a free use of the name stands in the code. */
export function mentions(code: Code, name: string): boolean {
  if (code.op === "name") return code.name === name;
  if (code.op === "each" && code.as === name) return mentions(code.over, name);
  return partsOf(code).some((part) => mentions(part, name));
}

/** The conditions of a conjunction, flattened. */
export function conjuncts(code: Code): readonly Code[] {
  return code.op === "call" && code.fn === "&&" ? code.args.flatMap(conjuncts) : [code];
}

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
