/**
 * Numbers of JSON as exact decimals. A number may have as many digits as a body holds, and any
 * exponent: nothing here takes longer than its text is long.
 */

/** `digits` times ten to the power of `exponent`; no zero at either end; zero has no digits. */
export interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: bigint;
}

const ZERO: Decimal = { negative: false, digits: "", exponent: 0n };
const NUMBER = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;
/** Longer exponents are all the same: no text holds so many digits. */
const EXPONENT_DIGITS = 30;

function exponentOf(text: string): bigint {
  const [, sign = "", digits = ""] = /^([+-]?)0*([0-9]*)$/.exec(text) ?? [];
  const size = digits === "" ? 0n : BigInt(digits.slice(0, EXPONENT_DIGITS));
  return sign === "-" ? -size : size;
}

function endOf(digits: string): number {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end--;
  return end;
}

/** The value of a number's text. */
export function decimalOf(text: string): Decimal {
  const found = NUMBER.exec(text);
  if (found === null) throw new Error("no number of JSON");
  const [, sign, whole = "", fraction = "", power = ""] = found;
  const all = whole + fraction;
  const end = endOf(all);
  if (end === 0) return ZERO;
  let start = 0;
  while (all.charCodeAt(start) === 48) start++;
  const dropped = BigInt(all.length - end - fraction.length);
  const exponent = exponentOf(power) + dropped;
  return { negative: sign === "-", digits: all.slice(start, end), exponent };
}

/** One text for each value. */
export function normal({ negative, digits, exponent }: Decimal): string {
  return `${negative ? "-" : ""}${digits}e${exponent}`;
}

function compareSizes(a: Decimal, b: Decimal): number {
  const high = a.exponent + BigInt(a.digits.length) - b.exponent - BigInt(b.digits.length);
  if (high !== 0n) return high < 0n ? -1 : 1;
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -1 : 1;
}

const signOf = ({ negative, digits }: Decimal): number => (digits === "" ? 0 : negative ? -1 : 1);

/** Below zero where `a` is less than `b`, above it where it is more. */
export function compare(a: Decimal, b: Decimal): number {
  const sign = signOf(a);
  const other = signOf(b);
  if (sign !== other) return sign - other;
  return sign === 0 ? 0 : sign * compareSizes(a, b);
}

/** Whether it has no fraction: `1.0` and `1e3` have none. */
export function isWhole({ exponent }: Decimal): boolean {
  return exponent >= 0n;
}

const CHUNK = 15;

/** The rest of a division of a number's digits, from left to right. */
function restOf(digits: string, by: bigint): bigint {
  let rest = 0n;
  for (let at = 0; at < digits.length; at += CHUNK) {
    const part = digits.slice(at, at + CHUNK);
    rest = (rest * 10n ** BigInt(part.length) + BigInt(part)) % by;
  }
  return rest;
}

/** The rest of ten to a power. */
function powerRest(exponent: bigint, by: bigint): bigint {
  let rest = 1n % by;
  let square = 10n % by;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) rest = (rest * square) % by;
    square = (square * square) % by;
  }
  return rest;
}

/** Whether `a` is `by` a whole number of times; `by` is above zero. */
export function isMultiple(a: Decimal, by: Decimal): boolean {
  if (a.digits === "") return true;
  // Neither ends in a zero: what has a finer last place is no multiple.
  if (a.exponent < by.exponent) return false;
  const divisor = BigInt(by.digits);
  const power = powerRest(a.exponent - by.exponent, divisor);
  return (restOf(a.digits, divisor) * power) % divisor === 0n;
}
