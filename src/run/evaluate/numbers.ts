/** Exact arithmetic of integers and decimals, and that of numbers; each with its faults. */
import { DIGITS_MAX, floorDivide } from "../../expr/index.ts";
import { EvaluationFault } from "./fault.ts";
import type { Build, Closure, Value } from "./values.ts";
import { argument, charge, kindOf, literalText } from "./values.ts";

const LIMIT = 10n ** BigInt(DIGITS_MAX);

/** The value, unless it has more than 38 digits. */
function bounded(value: bigint): bigint {
  if (value < LIMIT && value > -LIMIT) return value;
  throw new EvaluationFault("overflow", `a result has more than ${DIGITS_MAX} digits`);
}

function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new EvaluationFault("overflow", "a result is not a finite number");
}

function divisor<T extends bigint | number>(value: T): T {
  if (value !== 0n && value !== 0) return value;
  throw new EvaluationFault("division-by-zero", "a divisor is zero");
}

type Exact = (a: bigint, b: bigint) => bigint;
type Binary64 = (a: number, b: number) => number;

function arithmetic(exact: Exact, binary64: Binary64): Build {
  return (args, code) => {
    if (kindOf(code, 0) === "number") {
      const [a, b] = [argument<number>(args, 0), argument<number>(args, 1)];
      return (state) => finite(binary64(a(state), b(state)));
    }
    const [a, b] = [argument<bigint>(args, 0), argument<bigint>(args, 1)];
    return (state) => bounded(exact(a(state), b(state)));
  };
}

export const add = arithmetic(
  (a, b) => a + b,
  (a, b) => a + b,
);
export const subtract = arithmetic(
  (a, b) => a - b,
  (a, b) => a - b,
);

/** What it takes to round a quotient. */
type Rounding = "half_even" | "half_up" | "down";

/** `numerator / divisor`, rounded to an integer; the divisor is not zero. */
function roundedQuotient(numerator: bigint, by: bigint, rounding: Rounding): bigint {
  const negative = numerator < 0n !== by < 0n;
  const size = numerator < 0n ? -numerator : numerator;
  const whole = by < 0n ? -by : by;
  const quotient = size / whole;
  const twice = (size % whole) * 2n;
  const odd = quotient % 2n === 1n;
  const up = rounding === "half_up" ? twice >= whole : twice > whole || (twice === whole && odd);
  const rounded = rounding !== "down" && up ? quotient + 1n : quotient;
  return negative ? -rounded : rounded;
}

function placesOf(code: Parameters<Build>[1], index: number): number {
  const type = code.args[index]?.type;
  return type?.kind === "decimal" ? type.places : 0;
}

function power(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

function round(rounding: Rounding): Build {
  return (args, code) => {
    const value = argument<bigint>(args, 0);
    const by = power(placesOf(code, 0));
    const scale = power(Number(literalText(code, 1)));
    return (state) => bounded(roundedQuotient(value(state) * scale, by, rounding));
  };
}

function divide(args: readonly Closure[], code: Parameters<Build>[1]): Closure {
  const [a, b] = [argument<bigint>(args, 0), argument<bigint>(args, 1)];
  const scale = power(placesOf(code, 1) + Number(literalText(code, 2)));
  const under = power(placesOf(code, 0));
  const rounding = literalText(code, 3) as Rounding;
  return (state) => {
    const numerator = a(state) * scale;
    return bounded(roundedQuotient(numerator, divisor(b(state)) * under, rounding));
  };
}

const INTEGER = /^-?[0-9]+$/;

/** The integer that a text writes; leading zeros do not count as digits. */
function integerOf(text: string): bigint {
  const value = integerIn(text);
  if (value !== undefined) return value;
  const message = `a text is not an integer of at most ${DIGITS_MAX} digits`;
  throw new EvaluationFault("conversion", message);
}

/** The integer that a text writes; undefined for any other text. */
function integerIn(text: string): bigint | undefined {
  const digits = INTEGER.test(text) ? text.replace(/^-?0*/, "") : undefined;
  return digits !== undefined && digits.length <= DIGITS_MAX ? BigInt(text) : undefined;
}

/** A decimal in digits, with all its places. */
export function formatDecimal(unscaled: bigint, places: number): string {
  if (places === 0) return unscaled.toString();
  const size = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(places + 1, "0");
  const whole = size.slice(0, size.length - places);
  return `${unscaled < 0n ? "-" : ""}${whole}.${size.slice(size.length - places)}`;
}

function sum(args: readonly Closure[], code: Parameters<Build>[1]): Closure {
  const list = argument<readonly Value[]>(args, 0);
  if (code.type.kind === "number") {
    return (state) => {
      const items = list(state) as readonly number[];
      charge(state, items.length);
      return finite(items.reduce((total, item) => total + item, 0));
    };
  }
  return (state) => {
    const items = list(state) as readonly bigint[];
    charge(state, items.length);
    return items.reduce((total, item) => bounded(total + item), 0n);
  };
}

/** A whole number below or above; `of` cuts a binary64 number, `exact` divides rounding so. */
function whole(of: (value: number) => number, exact: (value: bigint, by: bigint) => bigint): Build {
  return (args, code) => {
    if (kindOf(code, 0) === "number") {
      const value = argument<number>(args, 0);
      // No zero with a sign.
      return (state) => of(value(state)) + 0;
    }
    const [value, by] = [argument<bigint>(args, 0), power(placesOf(code, 0))];
    return (state) => exact(value(state), by);
  };
}

export const numberBuilds = {
  "*": arithmetic(
    (a, b) => a * b,
    (a, b) => a * b,
  ),
  "/": arithmetic(
    (a, b) => a / divisor(b),
    (a, b) => a / divisor(b),
  ),
  "%": arithmetic(
    (a, b) => a % divisor(b),
    (a, b) => a % divisor(b),
  ),
  neg: (args, code) => {
    if (kindOf(code, 0) === "number") {
      const value = argument<number>(args, 0);
      return (state) => -value(state);
    }
    const value = argument<bigint>(args, 0);
    return (state) => -value(state);
  },
  abs: (args) => {
    const value = argument<bigint | number>(args, 0);
    return (state) => {
      const found = value(state);
      return found < 0 ? -found : found;
    };
  },
  int: (args, code) => {
    if (kindOf(code, 0) !== "string") return argument<bigint>(args, 0);
    const text = argument<string>(args, 0);
    return (state) => integerOf(text(state));
  },
  int_or_null: (args) => {
    const text = argument<string>(args, 0);
    return (state) => integerIn(text(state)) ?? null;
  },
  divide,
  round_half_even: round("half_even"),
  round_half_up: round("half_up"),
  round_down: round("down"),
  sum,
  floor: whole(Math.floor, floorDivide),
  ceil: whole(Math.ceil, (value, by) => -floorDivide(-value, by)),
  number: (args, code) => {
    const [value, places] = [argument<bigint>(args, 0), placesOf(code, 0)];
    return (state) => Number(formatDecimal(value(state), places));
  },
} as const satisfies Readonly<Record<string, Build>>;
