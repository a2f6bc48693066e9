/** Codes integers of up to 38 digits as text whose binary order is the order of the numbers. */

const WIDTH = 39;
const CEILING = 10n ** BigInt(WIDTH);
const MAX = 10n ** 38n - 1n;

/** Whether an integer is within the bound of 38 digits. */
function fits(value: bigint): boolean {
  return value <= MAX && value >= -MAX;
}

/** 40 characters: `p` and the digits, or `n` and their complement. Throws past 38 digits. */
export function toDigits(value: bigint): string {
  if (!fits(value)) throw new RangeError("an integer of more than 38 digits reached the store");
  return value >= 0n
    ? `p${value.toString().padStart(WIDTH, "0")}`
    : `n${(CEILING + value).toString().padStart(WIDTH, "0")}`;
}

/** The integer of a code that `toDigits` made. */
export function fromDigits(code: string): bigint {
  const digits = BigInt(code.slice(1));
  return code.charCodeAt(0) === 112 ? digits : digits - CEILING;
}
