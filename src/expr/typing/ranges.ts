/**
 * What is known of numbers and of the lengths of lists, so that an index, a division or a page is
 * surely right: bounds are kept in types while an expression is checked, and are not in its code.
 */
import { bothBounds, neverZeroBound } from "../bounds.ts";
import { partsOf, withParts } from "../code.ts";
import { render } from "../render.ts";
import type { Bound, Code, Facts, Type } from "../types.ts";
import { bounded, isMeasured, sharedBound, unitsOf } from "../units.ts";

const ZERO = 0n;

/** Functions whose value hangs on their arguments alone. */
const UNSTABLE: ReadonlySet<string> = new Set(["token"]);

/** A text that names what the code gives, where it is the same each time; else undefined. */
export function keyOf(code: Code): string | undefined {
  return isStable(code) ? render(code) : undefined;
}

function isStable(code: Code): boolean {
  if (code.op === "gap" || (code.op === "call" && UNSTABLE.has(code.fn))) return false;
  return partsOf(code).every(isStable);
}

/** The type of which that is known as well. */
export function narrowed(type: Type, bound: Bound): Type {
  if (type.kind === "nullable") return { ...type, of: narrowed(type.of, bound) };
  return isMeasured(type) ? bounded(type, bothBounds(type, bound)) : type;
}

/** The name in facts of what is known of each item of a list. */
const itemsOf = (key: string): string => `${key}[]`;

/** The code with what the facts say of the value that it gives, or of its items. */
export function known(code: Code, facts: Facts): Code {
  if (facts.bounds.size === 0) return code;
  const key = keyOf(code);
  if (key === undefined) return code;
  const { type } = code;
  if (type.kind === "list") {
    const items = facts.bounds.get(itemsOf(key));
    return items ? { ...code, type: { ...type, of: narrowed(type.of, items) } } : code;
  }
  const bound = facts.bounds.get(key);
  return bound === undefined ? code : { ...code, type: narrowed(type, bound) };
}

/** What is known of a value that has an order; of any other, nothing. */
export function numberBound(code: Code): Bound {
  const { type } = code;
  if (!isMeasured(type)) return {};
  if (code.op !== "literal" || typeof code.value !== "string") return type;
  const value = unitsOf(type, code.value);
  return value === undefined ? {} : { least: value, most: value };
}

/** What literal code says of its value, a minus in front of it included. */
export function boundOf(code: Code): Bound {
  const [of] = code.op === "call" && code.fn === "neg" ? code.args : [];
  if (of === undefined) return numberBound(code);
  const { least, most } = numberBound(of);
  return least === undefined || most === undefined ? {} : { least: -most, most: -least };
}

/** Whether the number is surely not zero. */
export function neverZero(code: Code): boolean {
  return neverZeroBound(numberBound(code));
}

/** The fewest items that a list or map surely has. */
export function lengthLeast(code: Code, facts: Facts): bigint {
  const key = keyOf(code);
  const known = (key === undefined ? undefined : facts.bounds.get(`size(${key})`)?.least) ?? ZERO;
  const own = ownLength(code, facts);
  return own > known ? own : known;
}

const SAME_LENGTH: ReadonlySet<string> = new Set(["sorted", "reverse"]);

function ownLength(code: Code, facts: Facts): bigint {
  if (code.op === "list") return BigInt(code.items.length);
  if (code.op === "map") return code.entries.length > 0 ? 1n : ZERO;
  if (code.op === "each" && code.macro === "map") return lengthLeast(code.over, facts);
  if (code.type.kind === "list" && code.type.least !== undefined) return code.type.least;
  if (code.op !== "call") return ZERO;
  const [a, b] = code.args;
  if (a === undefined) return ZERO;
  if (SAME_LENGTH.has(code.fn)) return lengthLeast(a, facts);
  if (code.fn === "distinct") return lengthLeast(a, facts) > ZERO ? 1n : ZERO;
  if (code.fn === "+" && b) return lengthLeast(a, facts) + lengthLeast(b, facts);
  // A text cut at something has at least one piece; cut between its characters it may have none.
  return code.fn === "split" && b?.op === "literal" && b.value !== "" ? 1n : ZERO;
}

/** `facts` and what a comparison says where it holds: `a < b`, or `a <= b`. */
export function orderFacts(a: Code, b: Code, strict: boolean, facts: Facts): Facts {
  if (!isMeasured(a.type) || !isMeasured(b.type)) return facts;
  const [left, right] = [keyOf(a), keyOf(b)];
  const step = strict ? 1n : ZERO;
  const { least } = numberBound(a);
  const { most } = numberBound(b);
  let held = facts;
  if (left !== undefined && most !== undefined) {
    held = withBound(held, left, telling(a.type, { most: most - step }));
  }
  if (right !== undefined && least !== undefined) {
    held = withBound(held, right, telling(b.type, { least: least + step }));
  }
  if (a.type.kind !== "integer" || left === undefined || right === undefined || !strict)
    return held;
  return { ...held, present: new Set(held.present).add(lessThan(left, right)) };
}

/** What a comparison tells of a value: that it is within the bounds of all is no news. */
function telling(type: Type, bound: Bound): Bound {
  const bare = type.kind === "nullable" ? type.of : type;
  if (!isMeasured(bare)) return bound;
  const share = sharedBound(bare, {});
  const { least, most, nonZero } = bound;
  return {
    ...(least === undefined || (bare.least === undefined && least < share.least) ? {} : { least }),
    ...(most === undefined || (bare.most === undefined && most > share.most) ? {} : { most }),
    ...(nonZero ? { nonZero } : {}),
  };
}

/** How the facts say that one number is less than another. */
export function lessThan(left: string, right: string): string {
  return `${left} < ${right}`;
}

/** `facts` and what `a == b` says of numbers and lengths, or `a != b`. */
export function equalFacts(a: Code, b: Code, equal: boolean, facts: Facts): Facts {
  let held = facts;
  for (const [side, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const key = keyOf(side);
    if (key === undefined || side.op === "literal") continue;
    if (isMeasured(side.type) || side.type.kind === "nullable") {
      if (equal) held = withBound(held, key, telling(side.type, numberBound(other)));
      else if (isZero(other)) {
        const positive = (numberBound(side).least ?? -1n) === ZERO;
        held = withBound(held, key, positive ? { least: 1n } : { nonZero: true });
      }
    }
    const empty = (other.op === "list" || other.op === "map") && partsOf(other).length === 0;
    if (empty && !equal) held = withBound(held, `size(${key})`, { least: 1n });
  }
  return held;
}

function isZero(code: Code): boolean {
  if (code.op !== "literal" || !isMeasured(code.type)) return false;
  const { least, most } = numberBound(code);
  return least === ZERO && most === ZERO;
}

/** `facts` and that a number is so; numbers are named by `keyOf`. */
function withBound(facts: Facts, key: string, bound: Bound): Facts {
  if (Object.keys(bound).length === 0) return facts;
  const known = facts.bounds.get(key) ?? {};
  return { ...facts, bounds: new Map(facts.bounds).set(key, bothBounds(known, bound)) };
}

/** The code with its types as they are without what is known of numbers and lengths. */
export function plainCode(code: Code): Code {
  const parts = partsOf(code);
  const plain = parts.map(plainCode);
  const same = plain.every((part, i) => part === parts[i]);
  const made = same ? code : withParts(code, plain);
  const type = plainType(made.type);
  return type === made.type ? made : { ...made, type };
}

/** The type without what is known of numbers and lengths. */
export function plainType(type: Type): Type {
  const { kind } = type;
  if (isMeasured(type)) {
    const isPlain = Object.keys(type).length === (kind === "decimal" ? 2 : 1);
    return isPlain ? type : bounded(type, {});
  }
  if (type.kind !== "list" && type.kind !== "map" && type.kind !== "nullable") return type;
  const of = plainType(type.of);
  const isPlain = of === type.of && (type.kind !== "list" || type.least === undefined);
  return isPlain ? type : { kind: type.kind, of };
}

/** `facts` and what holds of every item of a list, which `as` named. */
export function allItems(list: Code, as: string, item: Facts, facts: Facts): Facts {
  const [key, bound] = [keyOf(list), item.bounds.get(as)];
  return key === undefined || bound === undefined ? facts : withBound(facts, itemsOf(key), bound);
}

/** `facts` and that a list or map is not empty. */
export function notEmpty(code: Code, facts: Facts): Facts {
  const key = keyOf(code);
  return key === undefined ? facts : withBound(facts, `size(${key})`, { least: 1n });
}
