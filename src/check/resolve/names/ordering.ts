/** Resolves the keys by which rows are ordered: each is of a type whose values have an order. */
import { formatWithArticle, type Type, withoutNull } from "../../../expr/index.ts";
import type { Expression } from "../../../plan/index.ts";
import type { SlotValue } from "../../../spec/index.ts";
import { resolve, type View } from "./expression.ts";
import { type Resolver, report } from "./resolver.ts";

interface OrderKey {
  readonly by: Expression;
  readonly descending: boolean;
}

/** Whether two values of the type stand one before the other. */
function hasOrder(type: Type): boolean {
  switch (type.kind) {
    case "boolean":
    case "integer":
    case "decimal":
    case "number":
    case "string":
    case "timestamp":
    case "date":
    case "duration":
    case "zone":
    case "unknown":
      return true;
    case "json":
    case "null":
    case "secret":
    case "file":
    case "list":
    case "map":
    case "row":
    case "object":
    case "nullable":
      return false;
  }
}

/** The keys of a slot; what has no order is reported. */
export function orderKeys(r: Resolver, slot: SlotValue | undefined, view: View): OrderKey[] {
  if (slot?.kind !== "order") return [];
  return slot.keys.map(({ by, descending }) => {
    const { expression, type } = resolve(r, by, view);
    if (!hasOrder(withoutNull(type))) {
      report(r, "wrong-type", by, {
        message: `Nothing is ordered by ${formatWithArticle(type)}.`,
        hint: "Order by a text, a number, a boolean, a date, a time or a duration.",
      });
    }
    return { by: expression, descending };
  });
}
