/** How a difference is told in each direction. */
import type { ChangeName } from "../../language/index.ts";
import type { MapNode, Place } from "../tree/index.ts";
import type { Fact, Pair } from "./graph.ts";
import type { Part, Said, View } from "./view.ts";

type Kinds = Pick<Fact, "in" | "out">;

/** The same in both directions. */
export const both = (kind: ChangeName): Kinds => ({ in: kind, out: kind });

/** A rule that lets less in, more in, or other things. */
export const RULES: Readonly<Record<"stricter" | "looser" | "other", Kinds>> = {
  stricter: { in: "rule made stricter", out: "rule of an answer made stricter" },
  looser: { in: "rule made looser", out: "rule of an answer made looser" },
  other: { in: "rule changed", out: "rule of an answer changed" },
};

/** Kinds for the way in which something is written. */
export const WRITTEN: Kinds = {
  in: "way an input is written changed",
  out: "way an answer is written changed",
};

/** Where something stands, or where it would. */
interface Spot {
  readonly owner?: string;
  readonly before?: Place;
  readonly now?: Place;
}

/** The place of a member, by its name where it has one. */
export function memberPlace(map: MapNode, key: string): Place {
  return map.indexOf(key) < 0
    ? { file: map.file, start: map.start, end: map.start + 1 }
    : map.keyPlace(key);
}

/** The schema of the other side in which a member would stand that stands in this one. */
function counterpart(part: Part, view: View): Part | undefined {
  if (part.owner === undefined) return view.parts[0];
  return view.parts.find(({ owner }) => owner === part.owner) ?? view.parts[0];
}

/** Where a keyword stands on both sides; `before` and `now` are what says it, if anything does. */
export function spotOf(views: Views, before: Said | undefined, now: Said | undefined): Spot {
  const key = (now ?? before)?.key ?? "";
  const old = before?.part ?? (now && counterpart(now.part, views.before));
  const own = now?.part ?? (before && counterpart(before.part, views.now));
  const owner = (now ?? before)?.part.owner;
  return {
    ...(owner === undefined ? {} : { owner }),
    ...(old === undefined ? {} : { before: memberPlace(old.map, before?.key ?? key) }),
    ...(own === undefined ? {} : { now: memberPlace(own.map, now?.key ?? key) }),
  };
}

/** Both sides of a pair of schemas, everything taken in. */
export interface Views {
  readonly before: View;
  readonly now: View;
}

/** Adds what differs at a pair. */
export function add(pair: Pair, ...facts: readonly (Kinds | Omit<Fact, "in" | "out">)[]): void {
  pair.facts.push(Object.assign({}, ...facts) as Fact);
}
