/** Pairs what two lists hold: by names first, never by places where places mean nothing. */

export interface Pairs<T> {
  /** In the order of the second list. */
  readonly both: readonly (readonly [before: T, now: T])[];
  readonly gone: readonly T[];
  readonly added: readonly T[];
}

type Key<T> = (one: T) => string;

/** Of those with one key the first goes with the first. What no key pairs goes to the next key. */
export function paired<T>(
  before: readonly T[],
  now: readonly T[],
  ...keys: readonly Key<T>[]
): Pairs<T> {
  const found = new Map<T, T>();
  let [gone, added] = [before, now];
  for (const key of keys) {
    const waiting = new Map<string, T[]>();
    for (const one of gone) {
      const name = key(one);
      const same = waiting.get(name);
      if (same === undefined) waiting.set(name, [one]);
      else same.push(one);
    }
    for (const list of waiting.values()) list.reverse();
    const taken = new Set<T>();
    for (const one of added) {
      const old = waiting.get(key(one))?.pop();
      if (old === undefined) continue;
      found.set(one, old);
      taken.add(old);
    }
    gone = gone.filter((one) => !taken.has(one));
    added = added.filter((one) => !found.has(one));
  }
  const both = now.flatMap((one) => (found.has(one) ? [[found.get(one) as T, one] as const] : []));
  return { both, gone, added };
}

/** Which of these places are left when as few as possible are taken away so that the rest rises. */
function rising(places: readonly number[]): ReadonlySet<number> {
  // For each length of a rising row the place (in `places`) at which the lowest one ends.
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [at, place] of places.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[ends[middle] as number] as number) < place) low = middle + 1;
      else high = middle;
    }
    previous.push(low === 0 ? -1 : (ends[low - 1] as number));
    ends[low] = at;
  }
  const kept = new Set<number>();
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] as number) kept.add(at);
  return kept;
}

/** Those of the pairs that stand elsewhere among the others than before. */
export function moved<T>(before: readonly T[], { both }: Pairs<T>): readonly (readonly [T, T])[] {
  const place = new Map(before.map((one, at) => [one, at]));
  const left = rising(both.map(([old]) => place.get(old) as number));
  return both.filter((_, at) => !left.has(at));
}
