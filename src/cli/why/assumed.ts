/** Takes origins and chapters, finds the assumed items that are parts of the items in chapters. */
import type { Span } from "../../base/index.ts";
import type { ItemId } from "../../plan/index.ts";
import type { Chapter } from "./lines.ts";

/**
 * For an item, the assumed items directly below it: the cells and rules that fill its gaps. What
 * stands in a chapter of its own, such as the steps of an endpoint, is not among them.
 */
export function assumedBelow(
  origins: ReadonlyMap<ItemId, Span>,
  chapters: readonly Chapter[],
): (id: ItemId) => readonly ItemId[] {
  const listed = new Set(chapters.flatMap((chapter) => chapter.items));
  const below = new Map<ItemId, ItemId[]>();
  for (const [id, span] of origins) {
    if (span.file !== 1 || listed.has(id) || /\/step [^/]*$/.test(id)) continue;
    const owner = id.slice(0, id.lastIndexOf("/"));
    const items = below.get(owner);
    if (items === undefined) below.set(owner, [id]);
    else items.push(id);
  }
  return (id) => below.get(id) ?? [];
}
