/** What may be any in an answer, found by what a few runs that choose otherwise give. */
import { isJsonObject, type Json, parseJson, type Response } from "../../run/index.ts";
import { withoutMarks } from "../world/texts.ts";
import { keyOf, type Loose, textOf, type Where } from "./compare.ts";

/** The places at which the answers of several runs differ. */
export function looseOf(all: readonly Response[]): Loose {
  const values = new Set<string>();
  const orders = new Set<string>();
  const [first, ...others] = all;
  if (first === undefined) return { values, orders };
  const tree = treeOf(first);
  for (const other of others) {
    if (other.status !== first.status) values.add(keyOf(["status"]));
    for (const [name, value] of first.headers) {
      const same = other.headers.find(([one]) => one === name)?.[1];
      if (same !== value) values.add(keyOf(["header", name]));
    }
    const mine = treeOf(other);
    if (tree !== undefined && mine !== undefined) differing(tree, mine, [], { values, orders });
    else if (first.body !== other.body) values.add(keyOf([]));
  }
  return { values, orders };
}

function treeOf({ body }: Response): Json | undefined {
  const parsed = body === undefined ? undefined : parseJson(body);
  return parsed?.ok === true ? parsed.value : undefined;
}

interface Found {
  readonly values: Set<string>;
  readonly orders: Set<string>;
}

function differing(a: Json, b: Json, where: Where, found: Found): void {
  if (Array.isArray(a) && Array.isArray(b)) {
    // Each run makes texts of its own.
    const plain = (one: Json): string => withoutMarks(textOf(one), "");
    const [mine, theirs] = [a.map(plain), b.map(plain)];
    if (mine.join() === theirs.join()) return;
    if (mine.toSorted().join() === theirs.toSorted().join()) found.orders.add(keyOf(where));
    else if (a.length !== b.length) found.values.add(keyOf(where));
    else for (const [i, one] of a.entries()) differing(one, b[i] as Json, [...where, i], found);
  } else if (isJsonObject(a) && isJsonObject(b)) {
    for (const name of new Set([...a.keys(), ...b.keys()])) {
      const [mine, theirs] = [a.get(name), b.get(name)];
      if (mine !== undefined && theirs !== undefined)
        differing(mine, theirs, [...where, name], found);
      else found.values.add(keyOf([...where, name]));
    }
  } else if (textOf(a) !== textOf(b)) found.values.add(keyOf(where));
}
