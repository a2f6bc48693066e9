/** Compares members of objects that are no schemas: what is said beside what is sent. */
import type { MapNode, Node, Place } from "../tree/index.ts";
import { add, both, memberPlace } from "./facts.ts";
import type { Fact, Pair } from "./graph.ts";
import { isSameValue, shown } from "./world.ts";

type Kinds = Pick<Fact, "in" | "out">;

/** Two objects that are the same thing. */
export interface Maps {
  readonly before: MapNode | undefined;
  readonly now: MapNode | undefined;
  /** Behind what the pair is about. */
  readonly at?: string;
}

/** Where a member stands on both sides, or would. */
export function placesOf({ before, now }: Maps, key: string): { before?: Place; now?: Place } {
  return {
    ...(before && { before: memberPlace(before, key) }),
    ...(now && { now: memberPlace(now, key) }),
  };
}

/** Tells a member that differs. */
export function ofMember(pair: Pair, maps: Maps, key: string, kinds: Kinds): void {
  const [before, now] = [maps.before?.get(key), maps.now?.get(key)];
  if (isSameValue(before, now)) return;
  const { at } = maps;
  const said = {
    what: key,
    was: shown(before),
    is: shown(now),
    ...(at === undefined ? {} : { at }),
  };
  add(pair, kinds, said, placesOf(maps, key));
}

/** Tells descriptions, examples and extensions that differ. */
export function ofWords(pair: Pair, maps: Maps, keys: readonly string[]): void {
  for (const key of keys) ofMember(pair, maps, key, both("wording changed"));
  const extensions = [maps.before, maps.now].flatMap((map) =>
    (map?.keys ?? []).filter((key) => key.startsWith("x-")),
  );
  for (const key of new Set(extensions)) ofMember(pair, maps, key, both("annotation changed"));
}

/** Whether a member is true. */
export function isTrue(map: MapNode | undefined, key: string): boolean {
  const found = map?.get(key);
  return found?.kind === "scalar" && found.value === true;
}

/** Tells of `deprecated`. */
export function ofDeprecated(pair: Pair, maps: Maps): void {
  const [was, is] = [isTrue(maps.before, "deprecated"), isTrue(maps.now, "deprecated")];
  if (was === is) return;
  const kind = is ? "marked as deprecated" : "no longer marked as deprecated";
  add(pair, both(kind), placesOf(maps, "deprecated"));
}

/** The value if it is an object. */
export function asMap(node: Node | undefined): MapNode | undefined {
  return node?.kind === "map" ? node : undefined;
}
