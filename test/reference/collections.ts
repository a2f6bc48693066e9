/** Functions of lists, maps and positions in texts, for the reference. */
import { equal, isList, isMap, type Value } from "./values.ts";

type Call = (args: readonly Value[]) => Value;
type Members = ReadonlyMap<string, Value>;

/** The code points of a text, or the items of a list. */
function itemsOf(value: Value): readonly Value[] {
  return typeof value === "string" ? [...value] : (value as readonly Value[]);
}

/** All places at which the part stands in a text, or the item in a list. */
function placesOf(of: Value, wanted: Value): number[] {
  const items = itemsOf(of);
  if (typeof of !== "string") return [...items.keys()].filter((i) => equal(items[i], wanted));
  const part = [...(wanted as string)];
  return [...Array(items.length + 1).keys()].filter((i) =>
    part.every((one, k) => items[i + k] === one),
  );
}

function between(items: readonly Value[], from: Value, to: Value): Value[] {
  return items.filter((_, i) => i >= (from as bigint) && (to === undefined || i < (to as bigint)));
}

function cut(map: Value, keys: Value, isWanted: boolean): Value {
  const words = keys as readonly string[];
  return new Map([...(map as Members)].filter(([key]) => words.includes(key) === isWanted));
}

/** The functions, by their names. */
export const COLLECTIONS: Readonly<Record<string, Call>> = {
  indexOf: ([of, part, from]) => {
    const start = from === undefined || (from as bigint) < 0n ? 0n : (from as bigint);
    // Behind the end an empty text stands at the end.
    const size = BigInt(itemsOf(of).length);
    const least = start > size ? size : start;
    return BigInt(placesOf(of, part).find((place) => place >= least) ?? -1);
  },
  lastIndexOf: ([of, part]) => BigInt(placesOf(of, part).at(-1) ?? -1),
  substring: ([of, from, to]) => between(itemsOf(of), from, to).join(""),
  reverse: ([of]) => {
    const back = itemsOf(of).toReversed();
    return isList(of) ? back : back.join("");
  },
  range: ([count]) => [...Array(Number(count)).keys()].map(BigInt),
  positions: ([items]) => itemsOf(items).map((_, i) => BigInt(i)),
  first_or_null: ([items]) => itemsOf(items).at(0) ?? null,
  last_or_null: ([items]) => itemsOf(items).at(-1) ?? null,
  at_or_null: ([of, at]) => {
    if (isMap(of)) return of.get(at as string) ?? null;
    return itemsOf(of).find((_, i) => BigInt(i) === at) ?? null;
  },
  keys: ([map]) => [...(map as Members).keys()],
  values: ([map]) => [...(map as Members).values()],
  merge: ([a, b]) => {
    const made = new Map(a as Members);
    for (const [key, value] of b as Members) made.set(key, value);
    return made;
  },
  only: ([map, keys]) => cut(map, keys, true),
  without: ([map, keys]) => cut(map, keys, false),
};
