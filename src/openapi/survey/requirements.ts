/**
 * What the lists of security requirements say. Operations that have none of their own share one
 * list: each is looked through once.
 */
import type { Operation, Requirement } from "../model/index.ts";
import type { Place } from "../tree/index.ts";
import type { Known } from "./rule.ts";

type List = readonly Requirement[];

/** The same function, computed once for each list, and for each file that is asked about. */
function once<T>(find: (list: List, about: Known) => T): (list: List, about: Known) => T {
  const known = new WeakMap<List, { readonly about: Known; readonly found: T }>();
  return (list, about) => {
    const before = known.get(list);
    if (before?.about === about) return before.found;
    const found = find(list, about);
    known.set(list, { about, found });
    return found;
  };
}

const secured = new WeakMap<List, boolean>();

/** Whether credentials are needed: no alternative is without. */
export function needsCredentials({ security }: Pick<Operation, "security">): boolean {
  if (security === undefined || security.length === 0) return false;
  const known = secured.get(security) ?? security.every((each) => each.length > 0);
  secured.set(security, known);
  return known;
}

const unknownIn = once((list, about) =>
  list.flat().find((each) => !about.schemeNames.has(each.scheme)),
);

/** Where a scheme is named that the file does not define. */
export function unknownScheme({ security }: Operation, about: Known): Place | undefined {
  return security && unknownIn(security, about)?.place;
}

const asking = new WeakMap<List, boolean>();

/** Whether any scope is asked for. */
export function asksForScopes({ security }: Operation): boolean {
  if (security === undefined) return false;
  const known = asking.get(security) ?? security.flat().some(({ scopes }) => scopes.length > 0);
  asking.set(security, known);
  return known;
}

const unlisted = once((list, about) =>
  list.flat().find(({ scheme, scopes }) => {
    const known = about.scopes(scheme);
    return known !== undefined && scopes.some((each) => !known.has(each));
  }),
);

/** Where a scope is asked for that its scheme does not list. */
export function unknownScope({ security }: Operation, about: Known): Place | undefined {
  return security && unlisted(security, about)?.place;
}
