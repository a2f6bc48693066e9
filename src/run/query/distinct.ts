/** Recognises `distinct(flatten(list.map(x, x.f)))`: the items of a list field, each once. */
import type { Code } from "../../expr/index.ts";

interface DistinctItems {
  /** The list of rows that it goes through: a name or a collection. */
  readonly over: Code;
  readonly resource: string;
  readonly field: string;
}

function onlyArgument(code: Code | undefined, fn: string): Code | undefined {
  return code?.op === "call" && code.fn === fn && code.args.length === 1 ? code.args[0] : undefined;
}

/** The list field whose different items the code gives; undefined for any other code. */
export function distinctItems(code: Code): DistinctItems | undefined {
  const mapped = onlyArgument(onlyArgument(code, "distinct"), "flatten");
  if (mapped?.op !== "each" || mapped.macro !== "map") return undefined;
  const { body, over, as } = mapped;
  if (body.op !== "get" || body.of.op !== "name" || body.of.name !== as) return undefined;
  if (body.of.type.kind !== "row" || (over.op !== "name" && over.op !== "rows")) return undefined;
  return { over, resource: body.of.type.resource, field: body.member };
}
