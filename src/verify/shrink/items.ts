/**
 * Items of lists, named by a text of what a replay has made: where they stand hangs on what else is
 * in the service.
 */
import { isJsonObject, type Json } from "../../run/index.ts";
import { textOf, type Where } from "../judge/compare.ts";

/** What differs at an item, or in one. */
export interface ItemDifference {
  /** Names of members, and for an item the name of its text. */
  readonly where: readonly string[];
  readonly expected: string | undefined;
  readonly observed: string | undefined;
}

/** A name that is no pattern for whatever stands there. */
const NAMED = /\{\{(?!any|time)[a-z0-9]+\}\}/;

/** An item of which a text, whole, is that; undefined: there is none. */
export function itemOf(list: readonly Json[], text: string): Json | undefined {
  const has = (one: Json): boolean =>
    one === text || (isJsonObject(one) && [...one.values()].includes(text));
  return list.find(has);
}

/** The value at a path of members; undefined: nothing is there. */
function memberAt(tree: Json | undefined, where: Where): Json | undefined {
  return where.reduce<Json | undefined>((at, name) => {
    if (Array.isArray(at)) return typeof name === "number" ? (at as Json[])[name] : undefined;
    return at !== undefined && isJsonObject(at) ? at.get(String(name)) : undefined;
  }, tree);
}

/** The text as it stands in a body. */
const within = (text: string, named: (text: string) => string): string =>
  named(JSON.stringify(text)).slice(1, -1);

/** What names an item, which no other item of the list has; undefined: nothing made does. */
function nameOf(
  item: Json,
  list: readonly Json[],
  named: (text: string) => string,
): string | undefined {
  const texts = typeof item === "string" ? [item] : isJsonObject(item) ? [...item.values()] : [];
  const own = texts.find((one) => {
    if (typeof one !== "string" || !NAMED.test(within(one, named))) return false;
    return list.filter((other) => itemOf([other], one) !== undefined).length === 1;
  });
  return typeof own === "string" ? own : undefined;
}

/**
 * What two bodies have otherwise in items that `named` gives a name; `at`: the places that differ
 * by the order in which items stand. Empty: no item is named.
 */
export function itemDifferences(
  bodies: { readonly expected: Json | undefined; readonly observed: Json | undefined },
  at: readonly Where[],
  named: (text: string) => string,
): readonly ItemDifference[] {
  const places = new Map<string, { readonly list: Where; readonly inner: Where[] }>();
  for (const where of at) {
    const first = where.findIndex((part) => typeof part === "number");
    if (first < 0) continue;
    const list = where.slice(0, first);
    const place = places.get(JSON.stringify(list)) ?? { list, inner: [] };
    places.set(JSON.stringify(list), place);
    place.inner.push(where.slice(first + 1));
  }
  return [...places.values()].flatMap(({ list, inner }) => {
    const listIn = (tree: Json | undefined): readonly Json[] => {
      const found = memberAt(tree, list);
      return Array.isArray(found) ? (found as readonly Json[]) : [];
    };
    const [expected, observed] = [listIn(bodies.expected), listIn(bodies.observed)];
    const texts = [expected, observed].flatMap((all) =>
      all.flatMap((one) => nameOf(one, all, named) ?? []),
    );
    return [...new Set(texts)].flatMap((text): ItemDifference[] => {
      const [mine, theirs] = [itemOf(expected, text), itemOf(observed, text)];
      const paths = mine === undefined || theirs === undefined ? [[]] : inner;
      const seen = new Set<string>();
      return paths.flatMap((path): ItemDifference[] => {
        const where = [...list.map(String), within(text, named), ...path.map(String)];
        const values = [mine, theirs].map((one) => {
          const found = memberAt(one, path);
          return found === undefined ? undefined : textOf(found);
        });
        const [first, second] = values;
        const isNew = !seen.has(JSON.stringify(path));
        seen.add(JSON.stringify(path));
        const isWhole = path.length === 0 && mine !== undefined && theirs !== undefined;
        if (!isNew || isWhole || first === second) return [];
        return [{ where, expected: first, observed: second }];
      });
    });
  });
}
