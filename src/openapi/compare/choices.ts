/** Compares alternatives: `oneOf` and `anyOf`, in whatever order they stand. */
import { type Node, textAt } from "../tree/index.ts";
import { add, memberPlace, RULES, type Views } from "./facts.ts";
import type { Pair } from "./graph.ts";
import type { Choice } from "./view.ts";
import { formOf, type Side, type World } from "./world.ts";

/** Asks for the comparison of two alternatives. */
type Below = (sides: { before: Node[]; now: Node[] }, at: string) => void;

/** Characters of an alternative up to which it is compared as a whole. */
const FORM_MAX = 4000;

/** Alternatives of one side that no other has been found for, by what is alike. */
type Found = Map<string, Node[]>;

/** What is alike in two alternatives, the surest first. */
const LIKENESSES: readonly ((side: Side, node: Node) => string | undefined)[] = [
  (side, node) => nameOf(side, node),
  (side, node) => {
    const found = side.resolve(node);
    return found.end - found.start > FORM_MAX ? undefined : formOf(found);
  },
  (side, node) => textAt(side.resolve(node), "title"),
  // What is left is taken in order, one of a type behind the other.
  (side, node) => (nameOf(side, node) === undefined ? typeOf(side, node) : undefined),
];

function nameOf(side: Side, node: Node): string | undefined {
  const ref = textAt(node, "$ref");
  return ref === undefined ? undefined : (side.names.get(side.resolve(node)) ?? ref);
}

function typeOf(side: Side, node: Node): string {
  const found = side.resolve(node);
  const type = found.kind === "map" ? found.get("type") : undefined;
  return type === undefined ? "" : formOf(type);
}

function byLikeness(side: Side, nodes: readonly Node[], like: (typeof LIKENESSES)[number]): Found {
  const found: Found = new Map();
  for (const node of nodes) {
    const key = like(side, node);
    if (key === undefined) continue;
    const all = found.get(key);
    if (all === undefined) found.set(key, [node]);
    else all.push(node);
  }
  for (const all of found.values()) all.reverse();
  return found;
}

interface Matched {
  readonly pairs: readonly (readonly [Node, Node])[];
  readonly gone: readonly Node[];
  readonly added: readonly Node[];
}

/** Finds for each alternative the one that it was. */
export function match({ before, now }: World, old: readonly Node[], own: readonly Node[]): Matched {
  const pairs: [Node, Node][] = [];
  let [gone, added] = [old, own];
  for (const like of LIKENESSES) {
    if (gone.length === 0 || added.length === 0) break;
    const open = byLikeness(before, gone, like);
    const taken = new Set<Node>();
    added = added.filter((node) => {
      const key = like(now, node);
      const found = key === undefined ? undefined : open.get(key)?.pop();
      if (found === undefined) return true;
      taken.add(found);
      pairs.push([found, node]);
      return false;
    });
    gone = gone.filter((node) => !taken.has(node));
  }
  return { pairs, gone, added };
}

const ADDED = {
  in: "alternative added to an input",
  out: "alternative added to an answer",
} as const;
const GONE = {
  in: "alternative removed from an input",
  out: "alternative removed from an answer",
} as const;

function label(side: Side, node: Node): string {
  const type = typeOf(side, node).replaceAll('"', "");
  return nameOf(side, node) ?? textAt(node, "title") ?? (type === "" ? "a schema" : type);
}

/** Compares the alternatives of two schemas. */
export function compareChoices(world: World, pair: Pair, views: Views, below: Below): void {
  const [old, own] = [views.before.choices, views.now.choices];
  for (let at = 0; at < Math.max(old.length, own.length); at += 1) {
    const [before, now] = [old[at], own[at]];
    if (before === undefined || now === undefined) {
      ofOne(pair, views, before, now);
      continue;
    }
    if (before.keyword !== now.keyword) {
      add(pair, RULES.other, { was: before.keyword, is: now.keyword }, places(before, now));
    }
    const { pairs, gone, added } = match(world, before.items, now.items);
    for (const [was, is] of pairs) {
      below({ before: [was], now: [is] }, ` ${now.keyword} ${label(world.now, is)}`);
    }
    for (const node of gone) add(pair, GONE, { what: label(world.before, node), before: node });
    for (const node of added) add(pair, ADDED, { what: label(world.now, node), now: node });
  }
}

function places(before: Choice | undefined, now: Choice | undefined): object {
  const owner = (now ?? before)?.part.owner;
  return {
    ...(owner === undefined ? {} : { owner }),
    ...(before && { before: memberPlace(before.part.map, before.keyword) }),
    ...(now && { now: memberPlace(now.part.map, now.keyword) }),
  };
}

/** Alternatives where there were none, or none any more. */
function ofOne(
  pair: Pair,
  views: Views,
  before: Choice | undefined,
  now: Choice | undefined,
): void {
  const kinds = before === undefined ? RULES.stricter : RULES.looser;
  const what = (now ?? before)?.keyword ?? "oneOf";
  const [old, own] = [views.before.parts[0], views.now.parts[0]];
  const whole = { ...(old && { before: old.map }), ...(own && { now: own.map }) };
  add(pair, kinds, { what }, whole, places(before, now));
}
