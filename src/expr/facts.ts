/** Sets of facts about access paths: made, united, intersected; knows no expression. */
import { bothBounds, eitherBound } from "./bounds.ts";
import type { Bound, Facts } from "./types.ts";

/** No facts; compared by identity. */
export const EMPTY_FACTS: Facts = { present: new Set(), notNull: new Set(), bounds: new Map() };

/** What holds after an outcome that cannot occur (`false` being true): everything. */
export const IMPOSSIBLE: Facts = { present: new Set(), notNull: new Set(), bounds: new Map() };

/** No facts. */
export function noFacts(): Facts {
  return EMPTY_FACTS;
}

/** What holds where both `a` and `b` hold. */
export function mergeFacts(a: Facts, b: Facts): Facts {
  if (a === b || b === EMPTY_FACTS) return a;
  if (a === EMPTY_FACTS) return b;
  if (a === IMPOSSIBLE || b === IMPOSSIBLE) return IMPOSSIBLE;
  return {
    present: new Set([...a.present, ...b.present]),
    notNull: new Set([...a.notNull, ...b.notNull]),
    bounds: bothOf(a.bounds, b.bounds),
  };
}

type Bounds = Facts["bounds"];

function bothOf(a: Bounds, b: Bounds): Bounds {
  if (a.size === 0 || b.size === 0) return a.size === 0 ? b : a;
  const all = new Map(a);
  for (const [key, bound] of b) all.set(key, bothBounds(all.get(key) ?? {}, bound));
  return all;
}

function eitherOf(a: Bounds, b: Bounds): Bounds {
  const all = new Map<string, Bound>();
  for (const [key, bound] of a) {
    const other = b.get(key);
    if (other !== undefined) all.set(key, eitherBound(bound, other));
  }
  return all;
}

/** What can be relied on where `held` was found under `facts`, even where that cannot occur. */
export function factsUnder(facts: Facts, held: Facts): Facts {
  return held === IMPOSSIBLE ? facts : mergeFacts(facts, held);
}

/** What holds where `a` or `b` holds and it is not known which. */
export function commonFacts(a: Facts, b: Facts): Facts {
  if (a === b || b === IMPOSSIBLE) return a;
  if (a === IMPOSSIBLE) return b;
  return {
    present: new Set([...a.present].filter((path) => b.present.has(path))),
    notNull: new Set([...a.notNull].filter((path) => b.notNull.has(path))),
    bounds: eitherOf(a.bounds, b.bounds),
  };
}

/** `facts` and that `path` (dotted names) is present. */
export function withPresent(facts: Facts, path: string): Facts {
  return { ...facts, present: new Set(facts.present).add(path) };
}

/** `facts` and that `path` (dotted names) is not null. */
export function withNotNull(facts: Facts, path: string): Facts {
  return { ...facts, notNull: new Set(facts.notNull).add(path) };
}

/** The names that a fact speaks of: those in it that stand behind no dot and are not called. */
export function namesIn(fact: string): readonly string[] {
  return [...fact.matchAll(/(?<![\w.])[A-Za-z_]\w*\b(?!\()/g)].map(([name]) => name);
}

/** The facts of which `stays` holds. */
export function factsThat(facts: Facts, stays: (fact: string) => boolean): Facts {
  return {
    present: new Set([...facts.present].filter(stays)),
    notNull: new Set([...facts.notNull].filter(stays)),
    bounds: new Map([...facts.bounds].filter(([fact]) => stays(fact))),
  };
}

/** `facts` without those that speak of `name`: the name means something else now. */
export function withoutName(facts: Facts, name: string): Facts {
  return factsThat(facts, (fact) => !namesIn(fact).includes(name));
}
