/** Values of the reference interpreter, their equality and their order; plain and slow on purpose. */

/** Names a stored row; every read looks the row up again, so that all names of a row agree. */
export interface Ref {
  readonly resource: string;
  readonly key: number;
}

/** A number inside a `json` value, as it was written. */
export interface JsonNumber {
  readonly digits: string;
}

/** A secret of which the service keeps a hash: what it was made of, and by which hash. */
export interface Kept {
  readonly hash: string;
  readonly plain: string;
}

export type Value =
  | null
  | undefined
  | boolean
  | string
  | bigint
  | number
  | readonly Value[]
  | ReadonlyMap<string, Value>
  | Ref
  | JsonNumber
  | Kept;

/** Why an expression has no value: `fault inside`. */
export class Fault extends Error {}

/** Something that is not shown was needed. */
export class GapMet extends Error {
  readonly gap: string;

  constructor(gap: string) {
    super(gap);
    this.gap = gap;
  }
}

export const DIGITS_MAX = 38;
const BOUND = 10n ** BigInt(DIGITS_MAX);

/** The integer, or a fault where it has more than 38 digits. */
export function bounded(value: bigint): bigint {
  if (value >= BOUND || value <= -BOUND) throw new Fault("more than 38 digits");
  return value;
}

export function isRef(value: unknown): value is Ref {
  return typeof value === "object" && value !== null && "resource" in value && "key" in value;
}

export function isMap(value: unknown): value is ReadonlyMap<string, Value> {
  return value instanceof Map;
}

export function isList(value: unknown): value is readonly Value[] {
  return Array.isArray(value);
}

/** Lists item by item, maps key by key in any order, rows by identity; null equals null alone. */
export function equal(a: Value, b: Value): boolean {
  if (isRef(a) && isRef(b)) return a.resource === b.resource && a.key === b.key;
  if (isList(a) && isList(b)) {
    return a.length === b.length && a.every((item, i) => equal(item, b[i]));
  }
  if (isMap(a) && isMap(b)) {
    return (
      a.size === b.size && [...a].every(([key, item]) => b.has(key) && equal(item, b.get(key)))
    );
  }
  if (isObject(a) && isObject(b)) {
    if ("digits" in a && "digits" in b) return sameNumber(String(a.digits), String(b.digits));
    return JSON.stringify(a) === JSON.stringify(b);
  }
  return a === b;
}

/** Whether two texts of JSON numbers write one number. */
function sameNumber(a: string, b: string): boolean {
  const parts = (text: string): readonly [digits: bigint, power: bigint] => {
    const [base = "", power = "0"] = text.toLowerCase().split("e");
    const [whole = "", fraction = ""] = base.split(".");
    return [BigInt(whole.replace("-", "") + fraction), BigInt(power) - BigInt(fraction.length)];
  };
  const [[x, p], [y, q]] = [parts(a), parts(b)];
  if (x === 0n || y === 0n) return x === y;
  if (a.startsWith("-") !== b.startsWith("-")) return false;
  const [high, low, by] = p > q ? [x, y, p - q] : [y, x, q - p];
  // Past so many zeros the shorter text cannot write the other.
  return by < 10_000n && high * 10n ** by === low;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !isMap(value) && !isList(value);
}

/** By Unicode code points. */
export function compareText(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (let i = 0; i < left.length && i < right.length; i++) {
    const [x, y] = [left[i]?.codePointAt(0) ?? 0, right[i]?.codePointAt(0) ?? 0];
    if (x !== y) return x < y ? -1 : 1;
  }
  return left.length - right.length;
}

/** Order of two values of one type that has an order; booleans: false first. */
export function compare(a: Value, b: Value): number {
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  if (a === b) return 0;
  return (a as bigint) < (b as bigint) ? -1 : 1;
}

/** A decimal without its point, with `places` digits behind it. */
export function decimalText(value: bigint, places: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(places + 1, "0");
  const cut = digits.length - places;
  const text = places === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`;
  return value < 0n ? `-${text}` : text;
}

export type Rounding = "half_even" | "half_up" | "down";

/** The integer nearest to a quotient, by one of the stated ways of rounding. */
export function divideRounded(above: bigint, below: bigint, how: Rounding): bigint {
  if (below === 0n) throw new Fault("division by zero");
  const negative = above < 0n !== below < 0n;
  const [n, d] = [above < 0n ? -above : above, below < 0n ? -below : below];
  const [whole, rest] = [n / d, n % d];
  const twice = rest * 2n;
  const up =
    how === "down"
      ? false
      : how === "half_up"
        ? twice >= d
        : twice > d || (twice === d && whole % 2n === 1n);
  const size = up ? whole + 1n : whole;
  return negative ? -size : size;
}
