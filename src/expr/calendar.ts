/** Exact calendar texts: timestamps and dates (RFC 3339), durations (CEL); knows no zones. */

/** Microseconds since the epoch of 0001-01-01T00:00:00Z and 9999-12-31T23:59:59.999999Z. */
export const TIMESTAMP_MIN = -62_135_596_800_000_000n;
export const TIMESTAMP_MAX = 253_402_300_799_999_999n;
/** Longest duration either way, in microseconds (the bound that CEL takes from protobuf). */
export const DURATION_MAX = 315_576_000_000_000_000n;

const SECOND = 1_000_000n;
const DAY_MS = 86_400_000;
const DATE = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;
const D2 = "([0-9]{2})";
const TIMESTAMP = new RegExp(
  `^([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]${D2}:${D2}:${D2}` +
    `(?:\\.([0-9]{1,9}))?(?:[Zz]|([+-])${D2}:${D2})$`,
);
const DURATION_PART = /([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(d|h|ms|m|s|us|µs|μs|ns)/y;

const UNIT_NS: ReadonlyMap<string, bigint> = new Map([
  ["d", 86_400_000_000_000n],
  ["h", 3_600_000_000_000n],
  ["m", 60_000_000_000n],
  ["s", 1_000_000_000n],
  ["ms", 1_000_000n],
  ["us", 1000n],
  ["µs", 1000n],
  ["μs", 1000n],
  ["ns", 1n],
]);

/** Days since 1970-01-01 of a date `YYYY-MM-DD` (years 0001 to 9999), or undefined. */
export function daysOfDate(text: string): number | undefined {
  const found = DATE.exec(text);
  if (!found) return undefined;
  const [year, month, day] = [Number(found[1]), Number(found[2]), Number(found[3])];
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day);
  if (year < 1 || at.getUTCMonth() !== month - 1 || at.getUTCDate() !== day) return undefined;
  return at.getTime() / DAY_MS;
}

/** The date `YYYY-MM-DD` of days since 1970-01-01, or undefined outside years 0001 to 9999. */
export function dateOfDays(days: number): string | undefined {
  const at = new Date(days * DAY_MS);
  const year = at.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) return undefined;
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${String(year).padStart(4, "0")}-${two(at.getUTCMonth() + 1)}-${two(at.getUTCDate())}`;
}

/**
 * Microseconds since the epoch of an RFC 3339 timestamp; undefined where it is none, is outside
 * years 0001 to 9999, is a leap second, or is finer than a microsecond.
 */
export function parseTimestamp(text: string): bigint | undefined {
  const found = TIMESTAMP.exec(text);
  const days = found ? daysOfDate(found[1] ?? "") : undefined;
  if (!found || days === undefined) return undefined;
  const [hour, minute, second] = [Number(found[2]), Number(found[3]), Number(found[4])];
  const [zoneHour, zoneMinute] = [Number(found[7] ?? 0), Number(found[8] ?? 0)];
  if (hour > 23 || minute > 59 || second > 59 || zoneHour > 23 || zoneMinute > 59) return undefined;
  const fraction = (found[5] ?? "").padEnd(9, "0");
  if (!fraction.endsWith("000")) return undefined;
  const offset = (zoneHour * 60 + zoneMinute) * 60 * (found[6] === "-" ? -1 : 1);
  const seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset;
  const micros = BigInt(seconds) * SECOND + BigInt(fraction.slice(0, 6));
  return micros < TIMESTAMP_MIN || micros > TIMESTAMP_MAX ? undefined : micros;
}

/** RFC 3339 in UTC with `Z` and as many digits of a second as needed (none, or 1 to 6). */
export function formatTimestamp(micros: bigint): string {
  const seconds = floorDivide(micros, SECOND);
  const text = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return `${text}${fractionOf(micros - seconds * SECOND)}Z`;
}

function fractionOf(micros: bigint): string {
  return micros === 0n ? "" : `.${micros.toString().padStart(6, "0").replace(/0+$/, "")}`;
}

/**
 * Microseconds of a duration as CEL writes it (`1h30m`, `-1.5s`, `0`), with our `d` of 24 hours;
 * undefined where it is none, is past the bound, or is finer than a microsecond.
 */
export function parseDuration(text: string): bigint | undefined {
  const negative = text.startsWith("-");
  let at = negative || text.startsWith("+") ? 1 : 0;
  if (text.length > 100 || at === text.length) return undefined;
  if (text.slice(at) === "0") return 0n;
  let nanos = 0n;
  while (at < text.length) {
    DURATION_PART.lastIndex = at;
    const found = DURATION_PART.exec(text);
    const part = found ? partNanos(found[1] ?? "", UNIT_NS.get(found[2] ?? "") ?? 0n) : undefined;
    if (!found || part === undefined) return undefined;
    nanos += part;
    at += found[0].length;
  }
  if (nanos % 1000n !== 0n || nanos / 1000n > DURATION_MAX) return undefined;
  return negative ? -nanos / 1000n : nanos / 1000n;
}

/** Microseconds of a duration as documents state it, `24 h` or `30 days`, or as CEL writes it. */
export function parseStatedDuration(text: string): bigint | undefined {
  const found = /^([0-9.]+) ?(us|ms|s|min|m|h|d|days?)$/.exec(text);
  const unit = found?.[2] === "min" ? "m" : found?.[2]?.replace(/^days?$/, "d");
  return parseDuration(found === null ? text : `${found[1]}${unit}`);
}

function partNanos(digits: string, unit: bigint): bigint | undefined {
  const [whole = "", fraction = ""] = digits.split(".");
  const scaled = BigInt((whole || "0") + fraction) * unit;
  const scale = 10n ** BigInt(fraction.length);
  return scaled % scale === 0n ? scaled / scale : undefined;
}

/** Seconds with `s`, as CEL and protobuf JSON write durations: `5400s`, `-0.25s`. */
export function formatDuration(micros: bigint): string {
  const size = micros < 0n ? -micros : micros;
  return `${micros < 0n ? "-" : ""}${size / SECOND}${fractionOf(size % SECOND)}s`;
}

/** Quotient rounded towards minus infinity; `by` is positive. */
export function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}
