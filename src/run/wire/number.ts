/**
 * Exact integers and decimals from number texts and back. A JSON number is read as it is written:
 * an integer has no fraction and no exponent, a decimal has no exponent and at most its places.
 * At most 38 digits; a value past them is not of the type, and never rounded.
 */
import { DIGITS_MAX } from "../../expr/index.ts";
import { WRONG_TYPE, type Wrong } from "./wrong.ts";

const WHOLE = /^-?(?:0|[1-9][0-9]*)$/;
const DECIMAL = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;

/** An integer from a JSON number, a path, a query or a header: no sign but `-`, no leading zero. */
export function readInteger(text: string): bigint | Wrong {
  if (!WHOLE.test(text)) return WRONG_TYPE;
  const negative = text.startsWith("-");
  if (text.length - (negative ? 1 : 0) > DIGITS_MAX) return WRONG_TYPE;
  return BigInt(text);
}

/** An integer as a JSON string: the shortest form, so that zero has no sign. */
export function readIntegerString(text: string): bigint | Wrong {
  return text === "-0" ? WRONG_TYPE : readInteger(text);
}

/** A decimal with at most `places` digits after the point, without its point. */
export function readDecimal(text: string, places: number): bigint | Wrong {
  if (!DECIMAL.test(text)) return WRONG_TYPE;
  const point = text.indexOf(".");
  const fraction = point < 0 ? 0 : text.length - point - 1;
  if (fraction > places) return WRONG_TYPE;
  const negative = text.startsWith("-");
  const start = negative ? 1 : 0;
  const whole = point < 0 ? text.slice(start) : text.slice(start, point);
  const digits = `${whole === "0" ? "" : whole}${point < 0 ? "" : text.slice(point + 1)}`;
  if ((whole === "0" ? 0 : whole.length) + places > DIGITS_MAX) return WRONG_TYPE;
  const value = BigInt(`0${digits}`) * 10n ** BigInt(places - fraction);
  return negative ? -value : value;
}

/** A decimal as a JSON string: with exactly its places, and no sign on zero. */
export function readDecimalString(text: string, places: number): bigint | Wrong {
  const point = text.indexOf(".");
  const fraction = point < 0 ? 0 : text.length - point - 1;
  if (fraction !== places) return WRONG_TYPE;
  const value = readDecimal(text, places);
  return value === 0n && text.startsWith("-") ? WRONG_TYPE : value;
}

/** The binary64 value nearest to a JSON number text (RFC 8259 section 6). */
export function readNumber(text: string): number | Wrong {
  const value = Number(text);
  if (!Number.isFinite(value)) return WRONG_TYPE;
  return value === 0 ? 0 : value;
}

/** A decimal without its point written with `places` digits after it. */
export function writeDecimal(value: bigint, places: number): string {
  if (places === 0) return value.toString();
  const digits = (value < 0n ? -value : value).toString().padStart(places + 1, "0");
  const point = digits.length - places;
  return `${value < 0n ? "-" : ""}${digits.slice(0, point)}.${digits.slice(point)}`;
}
