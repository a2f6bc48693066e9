/** What a document's own compatibility table says of a change. Nothing is judged but by it. */
import { type ChangeKind, type ItemId, isStated, type Plan } from "../plan/index.ts";

export type Verdict =
  | { readonly is: "compatible" | "breaking" | "free"; readonly by: ItemId }
  | {
      readonly is: "not judged";
      /** `no rules`: the document says that it has none. `no row`: its table lacks the change. */
      readonly why: "not shown" | "no rules" | "no row";
      /** The row, or undefined where the whole table is meant. */
      readonly by?: ItemId;
    };

const FACET = "compatibility rules";

/** The verdict of the document that callers were promised: the first of the two. */
export function verdictOf(kind: ChangeKind, { versioning, parts }: Plan): Verdict {
  const row = versioning.rules.find(({ change }) => change === kind);
  if (row !== undefined) {
    const { verdict } = row;
    if (isStated(verdict)) return { is: verdict.value, by: row.id };
    if (verdict.is === "free") return { is: "free", by: row.id };
    return { is: "not judged", why: "not shown", by: row.id };
  }
  if (versioning.rules.length > 0) return { is: "not judged", why: "no row" };
  const facets = parts.flatMap((part) => part.facets);
  const isNone = facets.some(({ name, status }) => name === FACET && status === "none");
  return { is: "not judged", why: isNone ? "no rules" : "not shown" };
}
