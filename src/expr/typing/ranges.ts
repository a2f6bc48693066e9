/**
 * What is known of numbers and of the lengths of lists, so that an index, a division or a page is
 * surely right: bounds are kept in types while an expression is checked, and are not in its code.
 */
import { bothBounds, eitherBound, neverZeroBound } from "../bounds.ts";
import { partsOf, withParts } from "../code.ts";
import { render } from "../render.ts";
import type { Bound, Code, Facts, Type } from "../types.ts";

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

function isNumeric(type: Type): boolean {
  return type.kind === "integer" || type.kind === "decimal" || type.kind === "number";
}

/** What the type says of its values. */
function boundOf(type: Type): Bound {
  if (type.kind === "integer") return type;
  return (type.kind === "decimal" || type.kind === "number") && type.nonZero
    ? { nonZero: true }
    : {};
}

/** The type of which that is known as well. */
export function narrowed(type: Type, bound: Bound): Type {
  if (type.kind === "nullable") return { ...type, of: narrowed(type.of, bound) };
  if (type.kind === "integer") return { kind: "integer", ...bothBounds(type, bound) };
  if (type.kind !== "decimal" && type.kind !== "number") return type;
  return neverZeroBound(bound) ? { ...type, nonZero: true } : type;
}

/** The code with what the facts say of the number that it gives. */
export function known(code: Code, facts: Facts): Code {
  if (facts.bounds.size === 0) return code;
  const key = keyOf(code);
  const bound = key === undefined ? undefined : facts.bounds.get(key);
  return bound === undefined ? code : { ...code, type: narrowed(code.type, bound) };
}

function literalOf(code: Code): bigint | undefined {
  if (code.op !== "literal" || code.type.kind !== "integer") return undefined;
  return typeof code.value === "string" ? BigInt(code.value) : undefined;
}

/** What is known of a number. */
export function numberBound(code: Code): Bound {
  const value = literalOf(code);
  if (value !== undefined) return { least: value, most: value };
  if (code.op !== "literal" || !isNumeric(code.type)) return boundOf(code.type);
  return Number(code.value) === 0 ? {} : { nonZero: true };
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

const sum = (a: bigint | undefined, b: bigint | undefined) =>
  a === undefined || b === undefined ? undefined : a + b;
const minus = (a: bigint | undefined) => (a === undefined ? undefined : -a);
const bounds = (least: bigint | undefined, most: bigint | undefined): Bound => ({
  ...(least === undefined ? {} : { least }),
  ...(most === undefined ? {} : { most }),
});

/** What is known of the integer that an operator or function gives. */
export function resultBound(fn: string, args: readonly Code[], facts: Facts): Bound {
  const [first, second] = args;
  if (first === undefined) return {};
  const [a, b] = [numberBound(first), second === undefined ? {} : numberBound(second)];
  switch (fn) {
    case "+":
      return bounds(sum(a.least, b.least), sum(a.most, b.most));
    case "-":
      return bounds(sum(a.least, minus(b.most)), sum(a.most, minus(b.least)));
    case "neg":
      return bounds(minus(a.most), minus(a.least));
    case "*":
      return product(a, b);
    case "/":
      // Of two that are not negative, the quotient is neither negative nor larger.
      return (a.least ?? -1n) >= ZERO && (b.least ?? ZERO) > ZERO ? bounds(ZERO, a.most) : {};
    case "%":
      return (a.least ?? -1n) >= ZERO ? bounds(ZERO, minus(sum(minus(b.most), 1n))) : {};
    case "size": {
      const { kind } = first.type;
      return { least: kind === "list" || kind === "map" ? lengthLeast(first, facts) : ZERO };
    }
    case "abs":
      return { least: ZERO };
    case "min":
      return second === undefined ? {} : { ...eitherBound(a, b), ...lowest(a, b) };
    case "max":
      return second === undefined ? {} : { ...eitherBound(a, b), ...highest(a, b) };
    default:
      return {};
  }
}

/** The less of two is at most either; the more is at least either. */
function lowest(a: Bound, b: Bound): Bound {
  const { most } = bothBounds(bounds(undefined, a.most), bounds(undefined, b.most));
  return bounds(undefined, most);
}

function highest(a: Bound, b: Bound): Bound {
  const { least } = bothBounds(bounds(a.least, undefined), bounds(b.least, undefined));
  return bounds(least, undefined);
}

function product(a: Bound, b: Bound): Bound {
  if ((a.least ?? -1n) < ZERO || (b.least ?? -1n) < ZERO) return {};
  const most = a.most === undefined || b.most === undefined ? undefined : a.most * b.most;
  return bounds((a.least ?? ZERO) * (b.least ?? ZERO), most);
}

/** `facts` and what a comparison says where it holds: `a < b`, or `a <= b`. */
export function orderFacts(a: Code, b: Code, strict: boolean, facts: Facts): Facts {
  if (a.type.kind !== "integer" || b.type.kind !== "integer") return signFacts(a, b, strict, facts);
  const [left, right] = [keyOf(a), keyOf(b)];
  const step = strict ? 1n : ZERO;
  const { least } = numberBound(a);
  const { most } = numberBound(b);
  let held = facts;
  if (left !== undefined && most !== undefined) held = withBound(held, left, { most: most - step });
  if (right !== undefined && least !== undefined) {
    held = withBound(held, right, { least: least + step });
  }
  if (left === undefined || right === undefined || !strict) return held;
  return { ...held, present: new Set(held.present).add(lessThan(left, right)) };
}

/** How the facts say that one number is less than another. */
export function lessThan(left: string, right: string): string {
  return `${left} < ${right}`;
}

/** Of decimals and binary64 numbers only the sign is followed. */
function signFacts(a: Code, b: Code, strict: boolean, facts: Facts): Facts {
  if (!isNumeric(a.type)) return facts;
  let held = facts;
  const isAbove = (code: Code) =>
    code.op === "literal" && (Number(code.value) > 0 || (strict && Number(code.value) === 0));
  const isBelow = (code: Code) =>
    code.op === "literal" && (Number(code.value) < 0 || (strict && Number(code.value) === 0));
  const [left, right] = [keyOf(a), keyOf(b)];
  if (right !== undefined && isAbove(a)) held = withBound(held, right, { nonZero: true });
  if (left !== undefined && isBelow(b)) held = withBound(held, left, { nonZero: true });
  return held;
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
    if (isNumeric(side.type) || side.type.kind === "nullable") {
      if (equal) held = withBound(held, key, numberBound(other));
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
  return code.op === "literal" && isNumeric(code.type) && Number(code.value) === 0;
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
function plainType(type: Type): Type {
  const { kind } = type;
  if (kind === "integer") return Object.keys(type).length === 1 ? type : { kind };
  if (kind === "number") return type.nonZero === undefined ? type : { kind };
  if (kind === "decimal") return type.nonZero === undefined ? type : { kind, places: type.places };
  if (kind !== "list" && kind !== "map" && kind !== "nullable") return type;
  const of = plainType(type.of);
  const isPlain = of === type.of && (type.kind !== "list" || type.least === undefined);
  return isPlain ? type : { kind, of };
}

/** `facts` and that a list or map is not empty. */
export function notEmpty(code: Code, facts: Facts): Facts {
  const key = keyOf(code);
  return key === undefined ? facts : withBound(facts, `size(${key})`, { least: 1n });
}
