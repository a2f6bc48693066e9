/** Timestamps (RFC 3339, Unix), dates and durations (ISO 8601) as they stand in a message. */
import {
  DURATION_MAX,
  TIMESTAMP_MAX,
  TIMESTAMP_MIN,
  daysOfDate,
  parseTimestamp,
} from "../../expr/index.ts";
import type { Precision, TimestampWire } from "../../plan/index.ts";
import { readDecimal, readDecimalText, writeDecimal } from "./number.ts";
import { TOO_LARGE, TOO_SMALL, WRONG_TYPE, Wrong } from "./wrong.ts";

const SECOND = 1_000_000n;
const UNITS = { seconds: SECOND, milliseconds: 1000n, microseconds: 1n };
const FRACTION_DIGITS = { seconds: 0, milliseconds: 3, microseconds: 6 };
const DURATION =
  /^(-?)P(?!$)(?:([0-9]+)W|(?:([0-9]+)D)?(?:T(?!$)(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+)(?:[.,]([0-9]+))?S)?)?)$/;
const TEXT_MAX = 100;

/**
 * Microseconds of an RFC 3339 timestamp: with an offset, a fraction of at most `precision`
 * (further zeros aside), no leap second, years 0001 to 9999.
 */
export function readTimestamp(text: string, precision: Precision): bigint | Wrong {
  if (text.length > TEXT_MAX) return WRONG_TYPE;
  const micros = parseTimestamp(text);
  return micros === undefined || micros % UNITS[precision] !== 0n ? WRONG_TYPE : micros;
}

/** An RFC 3339 full-date of the calendar, years 0001 to 9999, as it is written. */
export function readDate(text: string): string | Wrong {
  return text.length === 10 && daysOfDate(text) !== undefined ? text : WRONG_TYPE;
}

/** Microseconds of a count of Unix seconds or milliseconds, no finer than `precision`. */
export function readUnix(
  text: string,
  wire: TimestampWire,
  precision: Precision,
  quoted: boolean,
): bigint | Wrong {
  const places = wire === "unix seconds" ? 6 : 3;
  const micros = quoted ? readDecimalText(text, places) : readDecimal(text, places);
  if (micros instanceof Wrong) return micros;
  if (micros > TIMESTAMP_MAX) return TOO_LARGE;
  if (micros < TIMESTAMP_MIN) return TOO_SMALL;
  return micros % UNITS[precision] === 0n ? micros : WRONG_TYPE;
}

/** JSON text of a timestamp; digits finer than `precision` are left off, towards the past. */
export function writeTimestamp(value: bigint, wire: TimestampWire, precision: Precision): string {
  const unit = UNITS[precision];
  const rest = ((value % unit) + unit) % unit;
  const micros = value - rest;
  if (wire === "rfc3339") return `"${rfc3339(micros, FRACTION_DIGITS[precision])}"`;
  const digits = FRACTION_DIGITS[precision] - (wire === "unix seconds" ? 0 : 3);
  if (digits <= 0) return (micros / (wire === "unix seconds" ? SECOND : 1000n)).toString();
  return writeDecimal(micros / 10n ** BigInt(6 - FRACTION_DIGITS[precision]), digits);
}

function rfc3339(micros: bigint, digits: number): string {
  const fraction = Number(((micros % SECOND) + SECOND) % SECOND);
  const ms = Number((micros - BigInt(fraction)) / 1000n) + Math.floor(fraction / 1000);
  const iso = new Date(ms).toISOString();
  if (digits === 3) return iso;
  if (digits === 0) return `${iso.slice(0, 19)}Z`;
  return `${iso.slice(0, 23)}${String(fraction % 1000).padStart(3, "0")}Z`;
}

/**
 * Microseconds of an ISO 8601 duration in weeks, or in days, hours, minutes and seconds (a day is
 * 24 hours). Years and months have no fixed length and are refused, as is a tenth microsecond.
 */
export function readDuration(text: string): bigint | Wrong {
  const found = text.length > TEXT_MAX ? null : DURATION.exec(text);
  if (!found) return WRONG_TYPE;
  const [, sign, weeks, days, hours, minutes, seconds, fraction = ""] = found;
  if (/[1-9]/.test(fraction.slice(6))) return WRONG_TYPE;
  const whole = (part: string | undefined, unit: bigint): bigint => BigInt(part ?? "0") * unit;
  const micros =
    (whole(weeks, 604_800n) + whole(days, 86_400n) + whole(hours, 3600n) + whole(minutes, 60n) +
      whole(seconds, 1n)) * SECOND + BigInt(fraction.slice(0, 6).padEnd(6, "0"));
  if (micros > DURATION_MAX) return sign === "-" ? TOO_SMALL : TOO_LARGE;
  return sign === "-" ? -micros : micros;
}

/** An ISO 8601 duration in days, hours, minutes and seconds; nothing at all is `PT0S`. */
export function writeDuration(value: bigint): string {
  const size = value < 0n ? -value : value;
  const seconds = size / SECOND;
  const part = (count: bigint, unit: string): string => (count === 0n ? "" : `${count}${unit}`);
  const fraction = (size % SECOND).toString().padStart(6, "0");
  const digits = size % SECOND === 0n ? "" : `.${trimZeros(fraction)}`;
  const rest = digits === "" ? part(seconds % 60n, "S") : `${seconds % 60n}${digits}S`;
  const time = part((seconds / 3600n) % 24n, "H") + part((seconds / 60n) % 60n, "M") + rest;
  const text = part(seconds / 86_400n, "D") + (time === "" ? "" : `T${time}`);
  return `${value < 0n ? "-" : ""}P${text === "" ? "T0S" : text}`;
}

function trimZeros(digits: string): string {
  let end = digits.length;
  while (end > 1 && digits.charCodeAt(end - 1) === 48) end--;
  return digits.slice(0, end);
}
