/** What is known of the value that an operator or a function gives, in the units of its type. */
import { bothBounds, eitherBound, neverZeroBound } from "../bounds.ts";
import { floorDivide } from "../calendar.ts";
import type { Bound, Code, Facts, Type } from "../types.ts";
import { endsOf, isMeasured, ONE, type Span, unitsOf } from "../units.ts";
import { lengthLeast } from "./ranges.ts";

const ZERO = 0n;
/** More items than any list has, more characters than any text, and past every part of a time. */
const MANY = 10n ** 12n;
const DAY = 86_400_000_000n;
/** Microseconds in one of what functions count. */
const UNITS: Readonly<Record<string, bigint>> = {
  days: DAY,
  hours: 3_600_000_000n,
  minutes: 60_000_000n,
  seconds: 1_000_000n,
  from_unix_seconds: 1_000_000n,
  from_unix_millis: 1000n,
};

/** What is known of an argument, and of the items of one that is a list. */
export interface Reckoned {
  readonly bound: Bound;
  readonly items: Bound;
  readonly code: Code;
}

const sum = (a: bigint | undefined, b: bigint | undefined) =>
  a === undefined || b === undefined ? undefined : a + b;
const minus = (a: bigint | undefined) => (a === undefined ? undefined : -a);
const bounds = (least: bigint | undefined, most: bigint | undefined): Bound => ({
  ...(least === undefined ? {} : { least }),
  ...(most === undefined ? {} : { most }),
});

/** The bound with both its ends; undefined where one is open. */
function closed({ least, most }: Bound): Span | undefined {
  return least === undefined || most === undefined ? undefined : { least, most };
}

const size = (value: bigint): bigint => (value < ZERO ? -value : value);
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** The greatest size of a value so bounded. */
function largest(bound: Bound): bigint | undefined {
  const both = closed(bound);
  return both && larger(size(both.least), size(both.most));
}

/** The least size of a divisor so bounded, which is not zero. */
function smallest({ least, most }: Bound): bigint {
  if (least !== undefined && least > ZERO) return least;
  return most !== undefined && most < ZERO ? -most : 1n;
}

const around = (most: bigint | undefined): Bound =>
  most === undefined ? {} : { least: -most, most };

function placesOf(type: Type | undefined): number {
  return type?.kind === "decimal" ? type.places : 0;
}

const power = (exponent: number): bigint => 10n ** BigInt(exponent);

/** What is known of what an operator or function gives, by what is known of what it takes. */
export function resultBound(
  fn: string,
  gives: Type,
  args: readonly Reckoned[],
  facts: Facts,
): Bound {
  const [first, second] = args;
  if (first === undefined) return {};
  const [a, b] = [first.bound, second?.bound ?? {}];
  const isNumber = gives.kind === "number";
  switch (fn) {
    case "+":
      return bounds(sum(a.least, b.least), sum(a.most, b.most));
    case "-":
      return bounds(sum(a.least, minus(b.most)), sum(a.most, minus(b.least)));
    case "neg":
      return { ...bounds(minus(a.most), minus(a.least)), ...(a.nonZero ? { nonZero: true } : {}) };
    case "*":
      return isNumber ? scaledProduct(product(a, b)) : product(a, b);
    case "/":
      return isNumber ? numberQuotient(a, b) : quotient(a, b);
    case "%":
      return remainder(a, b);
    case "size": {
      const { kind } = first.code.type;
      const least = kind === "list" || kind === "map" ? lengthLeast(first.code, facts) : ZERO;
      return { least, most: MANY };
    }
    case "abs":
      return {
        ...bounds(neverZeroBound(a) ? 1n : ZERO, largest(a)),
        ...(a.nonZero ? { nonZero: true } : {}),
      };
    case "min":
      return second === undefined ? first.items : { ...eitherBound(a, b), ...lowest(a, b) };
    case "max":
      return second === undefined ? first.items : { ...eitherBound(a, b), ...highest(a, b) };
    case "sum":
      return total(first.items);
    default:
      return converted(fn, gives, args);
  }
}

/** What is known of what the functions give that make one type of another. */
function converted(fn: string, gives: Type, args: readonly Reckoned[]): Bound {
  const [first, second, third] = args;
  if (first === undefined) return {};
  const [a, b] = [first.bound, second?.bound ?? {}];
  const from = first.code.type;
  switch (fn) {
    case "divide": {
      const up = power(placesOf(second?.code.type) + literal(third));
      return divided(a, up, smallest(b) * power(placesOf(from)));
    }
    case "round_down":
    case "round_half_even":
    case "round_half_up":
      return divided(a, power(literal(second)), power(placesOf(from)));
    case "int":
      return from.kind === "string" ? wordBound(from) : a;
    case "int_or_null":
    case "date_or_null":
    case "timestamp_or_null":
    case "duration_or_null":
      return ofText(gives);
    case "date":
    case "timestamp":
    case "duration":
      return ofText(gives);
    case "floor":
    case "ceil":
      return whole(a, from.kind === "number" ? ONE : power(placesOf(from)), gives);
    case "number":
      return nearest(a, ONE, power(placesOf(from)));
    case "days":
    case "hours":
    case "minutes":
    case "seconds":
    case "from_unix_seconds":
    case "from_unix_millis":
      return product(a, bounds(UNITS[fn], UNITS[fn]));
    case "unix_millis":
      return bounds(floored(a.least, 1000n), floored(a.most, 1000n));
    case "indexOf":
    case "lastIndexOf":
      return { least: -1n, most: MANY };
    case "add_months":
      return months(a, b, gives.kind === "date" ? 1n : DAY);
    case "add_days":
      return bounds(sum(a.least, b.least), sum(a.most, b.most));
    case "date_of":
      return bounds(
        a.least === undefined ? undefined : floorDivide(a.least, DAY) - 2n,
        a.most === undefined ? undefined : floorDivide(a.most, DAY) + 2n,
      );
    case "start_of":
      return bounds(
        a.least === undefined ? undefined : (a.least - 2n) * DAY,
        a.most === undefined ? undefined : (a.most + 2n) * DAY,
      );
    default:
      return gives.kind === "integer" ? around(MANY) : {};
  }
}

const floored = (value: bigint | undefined, by: bigint) =>
  value === undefined ? undefined : floorDivide(value, by);

/** The bound of what is nearest to a value in units: binary64 has 53 digits. */
function nearest({ least, most }: Bound, up: bigint, by: bigint): Bound {
  const spread = (value: bigint): bigint => (size(value) >> 52n) + 1n;
  const [low, high] = [least, most].map((end) => end && (end * up) / by);
  return bounds(low && low - spread(low), high && high + spread(high));
}

/** The bound of the whole numbers next to a value in units, of which `one` is so many. */
function whole({ least, most }: Bound, one: bigint, gives: Type): Bound {
  // A number that is that great has no fraction.
  const scale = gives.kind === "number" ? one : 1n;
  const ends = isMeasured(gives) ? endsOf(gives) : {};
  const low = floored(least, one);
  const high = minus(floored(minus(most), one));
  return bothBounds(ends, bounds(low && low * scale, high && high * scale));
}

/** No month has more than 31 days. */
function months(a: Bound, count: Bound, day: bigint): Bound {
  const { least = -MANY, most = MANY } = count;
  return bounds(
    sum(a.least, least < ZERO ? 31n * day * least : ZERO),
    sum(a.most, most > ZERO ? 31n * day * most : ZERO),
  );
}

function literal(arg: Reckoned | undefined): number {
  return arg?.code.op === "literal" ? Number(arg.code.value) : 0;
}

/** A text may write every value of the type. */
function ofText(gives: Type): Bound {
  const type = gives.kind === "nullable" ? gives.of : gives;
  return isMeasured(type) ? endsOf(type) : {};
}

/** What the words say that a text is one of; any text may write every integer. */
function wordBound({ oneOf = [] }: Extract<Type, { kind: "string" }>): Bound {
  const ends = endsOf({ kind: "integer" });
  const values = oneOf.map((word): Bound => {
    const value = unitsOf({ kind: "integer" }, word);
    return value === undefined ? ends : { least: value, most: value };
  });
  return values.length === 0 ? ends : values.reduce(eitherBound);
}

/** A value multiplied, then divided and rounded. */
function divided(a: Bound, up: bigint, by: bigint): Bound {
  const most = largest(a);
  return around(most === undefined ? undefined : (most * up) / by + 1n);
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
  const [left, right] = [closed(a), closed(b)];
  if (left && right) {
    const corners = [left.least, left.most].flatMap((one) => [one * right.least, one * right.most]);
    return {
      least: corners.reduce((all, one) => (one < all ? one : all)),
      most: corners.reduce(larger),
    };
  }
  if ((a.least ?? -1n) < ZERO || (b.least ?? -1n) < ZERO) return {};
  return bounds((a.least ?? ZERO) * (b.least ?? ZERO), undefined);
}

/** The product of two numbers in units, in units: rounded outwards. */
function scaledProduct({ least, most }: Bound): Bound {
  return bounds(
    least === undefined ? undefined : (least >> 1074n) - 1n,
    most === undefined ? undefined : (most >> 1074n) + 1n,
  );
}

/** Of two that are not negative, the quotient is neither negative nor larger. */
function quotient(a: Bound, b: Bound): Bound {
  if ((a.least ?? -1n) >= ZERO && (b.least ?? ZERO) > ZERO) return bounds(ZERO, a.most);
  return around(largest(a));
}

function numberQuotient(a: Bound, b: Bound): Bound {
  const most = largest(a);
  return around(most === undefined ? undefined : (most * ONE) / smallest(b) + 1n);
}

function remainder(a: Bound, b: Bound): Bound {
  const most = largest(b);
  const below = most === undefined || most === ZERO ? largest(a) : most - 1n;
  if ((a.least ?? -1n) < ZERO) return around(below);
  return bounds(ZERO, below);
}

function total({ least, most }: Bound): Bound {
  const past = (value: bigint | undefined, isPast: boolean) =>
    value === undefined ? undefined : isPast ? value * MANY : ZERO;
  return bounds(past(least, (least ?? ZERO) < ZERO), past(most, (most ?? ZERO) > ZERO));
}
