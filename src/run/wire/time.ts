/** Timestamps (RFC 3339, Unix), dates and durations (ISO 8601) as they stand in a message. */
import {
  DURATION_MAX,
  daysOfDate,
  floorDivide,
  parseTimestamp,
  TIMESTAMP_MAX,
  TIMESTAMP_MIN,
} from "../../expr/index.ts";
import type { Precision, TimestampWire } from "../../plan/index.ts";
import { readInteger } from "./number.ts";
import { WRONG_TYPE, Wrong } from "./wrong.ts";

const SECOND = 1_000_000n;
const FRACTION_DIGITS = { seconds: 0, milliseconds: 3, microseconds: 6 };
const CLOCK = "(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+)(?:[.,]([0-9]+))?S)?";
const DURATION = new RegExp(`^(-?)P(?!$)(?:([0-9]+)W|(?:([0-9]+)D)?(?:T(?!$)${CLOCK})?)$`);
const FRACTION = /\.([0-9]+)/;
const TEXT_MAX = 100;

/**
 * Microseconds of an RFC 3339 timestamp: with an offset, at most as many fraction digits as the
 * precision has, no leap second, years 0001 to 9999.
 */
export function readTimestamp(text: string, precision: Precision): bigint | Wrong {
  if (text.length > TEXT_MAX) return WRONG_TYPE;
  const micros = parseTimestamp(text);
  const digits = FRACTION.exec(text)?.[1]?.length ?? 0;
  return micros === undefined || digits > FRACTION_DIGITS[precision] ? WRONG_TYPE : micros;
}

/** An RFC 3339 full-date of the calendar, years 0001 to 9999, as it is written. */
export function readDate(text: string): string | Wrong {
  return text.length === 10 && daysOfDate(text) !== undefined ? text : WRONG_TYPE;
}

/** Microseconds of a whole count of Unix seconds or milliseconds. */
export function readUnix(text: string, wire: TimestampWire): bigint | Wrong {
  const count = readInteger(text);
  if (count instanceof Wrong) return count;
  const micros = count * (wire === "unix seconds" ? SECOND : 1000n);
  return micros > TIMESTAMP_MAX || micros < TIMESTAMP_MIN ? WRONG_TYPE : micros;
}

/** JSON text of a timestamp; digits finer than its form has are left off, towards the past. */
export function writeTimestamp(value: bigint, wire: TimestampWire, precision: Precision): string {
  if (wire === "unix seconds") return floorDivide(value, SECOND).toString();
  if (wire === "unix milliseconds") return floorDivide(value, 1000n).toString();
  return `"${rfc3339(value, FRACTION_DIGITS[precision])}"`;
}

const DAY_MS = 86_400_000;
const TWO = Array.from({ length: 60 }, (_, i) => String(i).padStart(2, "0"));
/** The day last written: most timestamps fall on few days. */
let written = { day: Number.NaN, text: "" };

/** The text of whole milliseconds, as `toISOString` gives it. */
function isoOf(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  if (day !== written.day) {
    written = { day, text: new Date(day * DAY_MS).toISOString().slice(0, -13) };
  }
  const within = ms - day * DAY_MS;
  const seconds = Math.floor(within / 1000);
  const minutes = Math.floor(seconds / 60);
  const clock = `${TWO[Math.floor(minutes / 60)]}:${TWO[minutes % 60]}:${TWO[seconds % 60]}`;
  return `${written.text}${clock}.${String(within % 1000).padStart(3, "0")}Z`;
}

function rfc3339(micros: bigint, digits: number): string {
  const ms = floorDivide(micros, 1000n);
  const iso = isoOf(Number(ms));
  if (digits === 3) return iso;
  if (digits === 0) return `${iso.slice(0, 19)}Z`;
  return `${iso.slice(0, 23)}${(micros - ms * 1000n).toString().padStart(3, "0")}Z`;
}

/**
 * Microseconds of an ISO 8601 duration in weeks, or in days, hours, minutes and seconds (a day is
 * 24 hours). Years and months have no fixed length and are refused, as is what is finer than a
 * microsecond.
 */
export function readDuration(text: string): bigint | Wrong {
  const found = text.length > TEXT_MAX ? null : DURATION.exec(text);
  if (!found) return WRONG_TYPE;
  const [, sign, weeks, days, hours, minutes, seconds, fraction = ""] = found;
  if (/[1-9]/.test(fraction.slice(6))) return WRONG_TYPE;
  const whole = (part: string | undefined, unit: bigint): bigint => BigInt(part ?? "0") * unit;
  const micros =
    (whole(weeks, 604_800n) +
      whole(days, 86_400n) +
      whole(hours, 3600n) +
      whole(minutes, 60n) +
      whole(seconds, 1n)) *
      SECOND +
    BigInt(fraction.slice(0, 6).padEnd(6, "0"));
  if (micros > DURATION_MAX) return WRONG_TYPE;
  return sign === "-" ? -micros : micros;
}

/** `PT` with seconds alone, and as many digits of a second as needed. */
export function writeDuration(value: bigint): string {
  const size = value < 0n ? -value : value;
  const rest = size % SECOND;
  const fraction = rest === 0n ? "" : `.${trimZeros(rest.toString().padStart(6, "0"))}`;
  return `${value < 0n ? "-" : ""}PT${size / SECOND}${fraction}S`;
}

function trimZeros(digits: string): string {
  let end = digits.length;
  while (end > 1 && digits.charCodeAt(end - 1) === 48) end--;
  return digits.slice(0, end);
}
