/** Takes a list that is complete, gives it without room to grow; must not know what it lists. */

const EMPTY: readonly never[] = Object.freeze([]);

/**
 * The list with room for its elements alone: one that grew by `push` keeps room for many more, and
 * a large document has many lists. All empty lists are one. Linear in the list.
 */
export function packed<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? EMPTY : list.slice();
}
