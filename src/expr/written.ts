/** What a literal says of its value, where it is read before its document is resolved. */
import { check } from "./check.ts";
import { noFacts } from "./facts.ts";
import type { Bound, Environment, Type } from "./types.ts";
import { boundOf } from "./typing/ranges.ts";

const NOTHING: Environment = {
  names: new Map(),
  collections: new Map(),
  members: () => undefined,
};

/** The bound of the literal of that type that the text writes; undefined for any other text. */
export function writtenBound(text: string, type: Type): Bound | undefined {
  const { code } = check(text, NOTHING, noFacts(), type);
  const bound = code === undefined ? {} : boundOf(code);
  return bound.least === undefined ? undefined : bound;
}
