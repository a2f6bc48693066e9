/** Takes a checked document and chapters, finds the named values that the items in them use. */
import type { Span } from "../../base/index.ts";
import type { CheckedSpec } from "../../check/index.ts";
import type { ItemId } from "../../plan/index.ts";
import type { Chapter } from "./lines.ts";

/**
 * A value's line belongs to the innermost item of the chapters in whose text it is used: what
 * stands inside others is an item of its own. Gives the bullets that say what the values are.
 */
export function valuesBelow(
  { origins, uses }: Pick<CheckedSpec, "origins" | "uses">,
  chapters: readonly Chapter[],
): (id: ItemId) => readonly ItemId[] {
  const found = new Map<ItemId, Set<ItemId>>();
  const items = chapters.flatMap((chapter) => chapter.items);
  for (const { at, values } of uses) {
    let inner: { readonly id: ItemId; readonly span: Span } | undefined;
    for (const id of items) {
      const span = origins.get(id);
      if (span === undefined || span.file !== at.file) continue;
      if (span.start > at.start || at.start >= span.end) continue;
      if (inner === undefined || span.end - span.start < inner.span.end - inner.span.start) {
        inner = { id, span };
      }
    }
    if (inner === undefined) continue;
    const all = found.get(inner.id) ?? new Set();
    for (const value of values) all.add(`${value}/is`);
    found.set(inner.id, all);
  }
  return (id) => [...(found.get(id) ?? [])];
}
