/**
 * Exact integers and decimals from number texts and back. A number is judged by what it is worth,
 * not by how it is written: `1.0` and `1e2` are integers, `1.500` is a decimal with one place.
 * At most 38 digits; a value past them is too large or too small, never rounded.
 */
import { DIGITS_MAX } from "../../expr/index.ts";
import { TOO_LARGE, TOO_SMALL, WRONG_TYPE, type Wrong } from "./wrong.ts";

const LIMIT = 10n ** BigInt(DIGITS_MAX);

const SHORT = /^-?[0-9]{1,38}$/;
const NUMBER = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;
const TEXT = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;
const WHOLE_TEXT = /^-?(?:0|[1-9][0-9]*)$/;

/** The integer that a JSON number text is worth (JSON Schema 2020-12 section 6.1.1 says so too). */
export function readInteger(text: string): bigint | Wrong {
  return SHORT.test(text) ? BigInt(text) : readScaled(text, 0);
}

/** The decimal of `places` that a JSON number text is worth, without its point. */
export function readDecimal(text: string, places: number): bigint | Wrong {
  return readScaled(text, places);
}

/** An integer as text (path, query, header, string wire): no sign but `-`, no leading zero. */
export function readIntegerText(text: string): bigint | Wrong {
  return WHOLE_TEXT.test(text) ? readInteger(text) : WRONG_TYPE;
}

/** A decimal as text: digits, perhaps with a point and further digits; no exponent. */
export function readDecimalText(text: string, places: number): bigint | Wrong {
  return TEXT.test(text) ? readScaled(text, places) : WRONG_TYPE;
}

/** The binary64 value nearest to a JSON number text (RFC 8259 section 6). */
export function readNumber(text: string): number | Wrong {
  const value = Number(text);
  if (Number.isFinite(value)) return value === 0 ? 0 : value;
  return text.startsWith("-") ? TOO_SMALL : TOO_LARGE;
}

/** A decimal without its point written with `places` digits after it. */
export function writeDecimal(value: bigint, places: number): string {
  if (places === 0) return value.toString();
  const digits = (value < 0n ? -value : value).toString().padStart(places + 1, "0");
  const point = digits.length - places;
  return `${value < 0n ? "-" : ""}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** Value of a number text times ten to the power of `places`; linear in the text. */
function readScaled(text: string, places: number): bigint | Wrong {
  const found = NUMBER.exec(text);
  if (!found) return WRONG_TYPE;
  const [, sign = "", whole = "", fraction = "", exponentText = "0"] = found;
  const digits = stripZeros(whole + fraction);
  if (digits.significant === "") return 0n;
  const past = sign === "-" ? TOO_SMALL : TOO_LARGE;
  const exponent = Number(exponentText);
  const shift = exponent - fraction.length + digits.trailing + places;
  if (digits.significant.length + shift > DIGITS_MAX) return past;
  if (shift < 0) return WRONG_TYPE;
  const value = BigInt(digits.significant) * 10n ** BigInt(shift);
  if (value >= LIMIT) return past;
  return sign === "-" ? -value : value;
}

/** Digits without zeros at either end, and how many stood at the right end. */
function stripZeros(digits: string): { significant: string; trailing: number } {
  let start = 0;
  while (start < digits.length && digits.charCodeAt(start) === 48) start++;
  let end = digits.length;
  while (end > start && digits.charCodeAt(end - 1) === 48) end--;
  return { significant: digits.slice(start, end), trailing: digits.length - end };
}
