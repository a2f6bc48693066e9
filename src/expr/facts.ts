/** Sets of facts about access paths: made, united, intersected; knows no expression. */
import type { Facts } from "./types.ts";

/** No facts; compared by identity. */
export const EMPTY_FACTS: Facts = { present: new Set(), notNull: new Set() };

/** What holds after an outcome that cannot occur (`false` being true): everything. */
export const IMPOSSIBLE: Facts = { present: new Set(), notNull: new Set() };

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
  };
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
  };
}

/** `facts` and that `path` (dotted names) is present. */
export function withPresent(facts: Facts, path: string): Facts {
  return { present: new Set(facts.present).add(path), notNull: facts.notNull };
}

/** `facts` and that `path` (dotted names) is not null. */
export function withNotNull(facts: Facts, path: string): Facts {
  return { present: facts.present, notNull: new Set(facts.notNull).add(path) };
}

/** `facts` without those about `name` and what is below it: the name means something else now. */
export function withoutName(facts: Facts, name: string): Facts {
  const others = (path: string): boolean => path !== name && !path.startsWith(`${name}.`);
  return {
    present: new Set([...facts.present].filter(others)),
    notNull: new Set([...facts.notNull].filter(others)),
  };
}
