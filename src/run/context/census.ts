/** Counts the values of all rows at once, so that each need not be looked for among the others. */
import type { ItemId } from "../../plan/index.ts";
import type { Session, Value } from "../ports/index.ts";

/** Rows that are read at a time. */
const PAGE = 1000;

/** The same text for values that are equal, in any case; others may have it, too. */
function textOf(value: Value): string {
  if (typeof value === "string") return value.toLowerCase();
  return value === undefined || typeof value === "object" ? "" : String(value);
}

const keyOf = (values: readonly Value[], places: readonly number[]): string =>
  places.map((place) => textOf(values[place])).join("\0");

/** How often the values of rows occur that are all there; it is good until one is changed. */
export class Census {
  readonly #session: Session;
  readonly #counts = new Map<ItemId, ReadonlyMap<string, number>>();

  constructor(session: Session) {
    this.#session = session;
  }

  /** False: surely no other row has these values at these places. `item`: what asks. */
  mayRepeat(
    item: ItemId,
    { resource, values }: { readonly resource: string; readonly values: readonly Value[] },
    places: readonly number[],
  ): boolean {
    const counts = this.#counts.get(item) ?? this.#count(resource, places);
    this.#counts.set(item, counts);
    return counts.get(keyOf(values, places)) !== 1;
  }

  #count(resource: string, places: readonly number[]): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (let last = 0; ; ) {
      const page = this.#session.after(resource, last, PAGE);
      for (const { values } of page) {
        const key = keyOf(values, places);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      const end = page.at(-1);
      if (end === undefined) return counts;
      last = end.key;
    }
  }
}
