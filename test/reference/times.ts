/** Instants, dates, durations and zones of the reference, from the published forms alone. */
import { Fault } from "./values.ts";

export const SECOND = 1_000_000n;
const DAY = 86_400n * SECOND;
export const FIRST = -62_135_596_800n * SECOND;
export const LAST = 253_402_300_800n * SECOND - 1n;
export const LONGEST = 315_576_000_000n * SECOND;

/** Days since 1970-01-01 of a calendar date; undefined where there is no such date. */
export function dayNumber(text: string): number | undefined {
  const found = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (found === null || found[1] === "0000") return undefined;
  const ms = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text) return undefined;
  return ms / 86_400_000;
}

export function dateText(day: number): string {
  const made = new Date(day * 86_400_000);
  const year = made.getUTCFullYear();
  if (Number.isNaN(year) || year < 1 || year > 9999) throw new Fault("no such year");
  return `${String(year).padStart(4, "0")}-${made.toISOString().slice(-19, -14)}`;
}

/** Microseconds of an RFC 3339 text with at most `digits` fraction digits; undefined: it is none. */
export function instantOf(text: string, digits = 6): bigint | undefined {
  const form =
    /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
  const found = form.exec(text);
  if (found === null) return undefined;
  const [, date = "", hour, minute, second, fraction = "", sign, offHour = "0", offMinute = "0"] =
    found;
  const day = dayNumber(date);
  if (day === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) {
    return undefined;
  }
  if (Number(offHour) > 23 || Number(offMinute) > 59 || fraction.length > digits) return undefined;
  const offset = (Number(offHour) * 60 + Number(offMinute)) * (sign === "-" ? -1 : 1);
  const seconds =
    BigInt(day) * 86_400n +
    BigInt(Number(hour) * 3600 + Number(minute) * 60 + Number(second)) -
    BigInt(offset * 60);
  const micros = seconds * SECOND + BigInt(fraction.padEnd(6, "0").slice(0, 6));
  return micros < FIRST || micros > LAST ? undefined : micros;
}

function floorDiv(a: bigint, b: bigint): bigint {
  const cut = a / b;
  return a % b !== 0n && a < 0n ? cut - 1n : cut;
}

/** RFC 3339 in UTC with exactly so many fraction digits (finer ones are cut towards the past). */
export function instantText(micros: bigint, digits: number): string {
  const day = floorDiv(micros, DAY);
  const rest = micros - day * DAY;
  const seconds = Number(rest / SECOND);
  const two = (count: number): string => String(count).padStart(2, "0");
  const clock = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}`;
  const fraction = (rest % SECOND).toString().padStart(6, "0").slice(0, digits);
  const tail = digits === 0 ? "" : `.${fraction}`;
  return `${dateText(Number(day))}T${clock}:${two(seconds % 60)}${tail}Z`;
}

/** The text of `string(timestamp)`: only the fraction digits that are needed. */
export function instantShort(micros: bigint): string {
  return instantText(micros, 6).replace(/\.?0*Z$/, "Z");
}

export function unixSeconds(micros: bigint): bigint {
  return floorDiv(micros, SECOND);
}

export function unixMillis(micros: bigint): bigint {
  return floorDiv(micros, 1000n);
}

function fractionText(micros: bigint): string {
  const size = micros < 0n ? -micros : micros;
  const rest = (size % SECOND).toString().padStart(6, "0").replace(/0+$/, "");
  return `${size / SECOND}${rest === "" ? "" : `.${rest}`}`;
}

/** ISO 8601, `PT` with seconds alone. */
export function isoDuration(micros: bigint): string {
  return `${micros < 0n ? "-" : ""}PT${fractionText(micros)}S`;
}

/** The text of `string(duration)`: seconds with `s`. */
export function durationShort(micros: bigint): string {
  return `${micros < 0n ? "-" : ""}${fractionText(micros)}s`;
}

const UNITS: Readonly<Record<string, bigint>> = {
  d: DAY,
  h: 3600n * SECOND,
  m: 60n * SECOND,
  s: SECOND,
  ms: 1000n,
  us: 1n,
};

/** The duration that the text of `duration("1h30m")` writes. */
export function celDuration(text: string): bigint {
  const found = /^([+-]?)((?:(?:\d+\.?\d*|\.\d+)(?:d|h|ms|us|ns|m|s))+|0)$/.exec(text);
  if (found === null) throw new Fault("no duration");
  let nanos = 0n;
  for (const [, amount = "", unit = ""] of text.matchAll(/(\d+\.?\d*|\.\d+)(d|h|ms|us|ns|m|s)/g)) {
    const [whole = "", fraction = ""] = amount.split(".");
    const size = unit === "ns" ? 1n : (UNITS[unit] ?? 0n) * 1000n;
    const scaled = BigInt(`0${whole}${fraction}`) * size;
    const scale = 10n ** BigInt(fraction.length);
    if (scaled % scale !== 0n) throw new Fault("finer than a microsecond");
    nanos += scaled / scale;
  }
  if (nanos % 1000n !== 0n) throw new Fault("finer than a microsecond");
  const micros = (nanos / 1000n) * (text.startsWith("-") ? -1n : 1n);
  if (micros > LONGEST || micros < -LONGEST) throw new Fault("too long");
  return micros;
}

/** The duration of a document: `30 s`, `5 min`, `24 h`, `1.5 days`. */
export function statedDuration(text: string): bigint {
  const [amount = "0", unit = ""] = text.split(" ");
  const name = { min: "m", day: "d", days: "d" }[unit] ?? unit;
  const [whole = "0", fraction = ""] = amount.split(".");
  return (BigInt(whole + fraction) * (UNITS[name] ?? 0n)) / 10n ** BigInt(fraction.length);
}

/** ISO 8601 in days, hours, minutes and seconds, at most microseconds; undefined: it is none. */
export function durationOf(text: string): bigint | undefined {
  const form = /^(-?)P(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?)?$/;
  const found = form.exec(text);
  if (found === null || /P$/.test(text)) return undefined;
  const [, sign, days = "0", hours = "0", minutes = "0", seconds = "0", fraction = ""] = found;
  if (fraction.length > 6 && /[1-9]/.test(fraction.slice(6))) return undefined;
  const whole = ((BigInt(days) * 24n + BigInt(hours)) * 60n + BigInt(minutes)) * 60n;
  const micros = (whole + BigInt(seconds)) * SECOND + BigInt(fraction.slice(0, 6).padEnd(6, "0"));
  return sign === "-" ? -micros : micros;
}

/** Local clock of a zone: microseconds since the epoch as its wall clocks have it. */
export function localOf(micros: bigint, zone: string): bigint {
  const fixed = /^([+-]?)(\d\d):(\d\d)$/.exec(zone);
  if (fixed !== null) {
    const minutes = BigInt(fixed[2] ?? 0) * 60n + BigInt(fixed[3] ?? 0);
    return micros + (fixed[1] === "-" ? -minutes : minutes) * 60n * SECOND;
  }
  const ms = Number(floorDiv(micros, 1000n));
  const parts = Object.fromEntries(
    wall(zone)
      .formatToParts(ms)
      .map((part) => [part.type, Number(part.value)]),
  );
  const { month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  // Before the year 1 the runtime counts backwards.
  const year = ms < -62_135_510_400_000 && month === 12 ? 0 : (parts["year"] ?? 0);
  const made = new Date(0);
  made.setUTCFullYear(year, month - 1, day);
  made.setUTCHours(hour, minute, second, 0);
  return BigInt(made.getTime()) * 1000n + (micros - floorDiv(micros, SECOND) * SECOND);
}

const walls = new Map<string, Intl.DateTimeFormat>();

function wall(zone: string): Intl.DateTimeFormat {
  const known = walls.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hourCycle: "h23",
    calendar: "iso8601",
    numberingSystem: "latn",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  walls.set(zone, made);
  return made;
}

/** Whether the runtime knows the zone by that name. */
export function isZoneName(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(name)) return false;
  try {
    wall(name);
    return true;
  } catch {
    return false;
  }
}

/** The local date in the zone at that instant. */
export function dateIn(micros: bigint, zone: string): string {
  return dateText(Number(floorDiv(localOf(micros, zone), DAY)));
}

/** The first instant at which the date, or a later one, is the local date in the zone. */
export function startOf(date: string, zone: string): bigint {
  const name = `${date} ${zone}`;
  const known = starts.get(name) ?? searchStart(date, zone);
  starts.set(name, known);
  if (known < FIRST || known > LAST) throw new Fault("outside the years 0001 to 9999");
  return known;
}

const starts = new Map<string, bigint>();

function searchStart(date: string, zone: string): bigint {
  const middle = BigInt(dayNumber(date) ?? 0) * DAY;
  const reached = (at: bigint): boolean => localOf(at, zone) >= middle;
  const quarter = 900n * SECOND;
  let low = middle - 36n * 3600n * SECOND;
  while (!reached(low + quarter)) low += quarter;
  let high = low + quarter;
  while (high - low > 1n) {
    const between = (low + high) / 2n;
    if (reached(between)) high = between;
    else low = between;
  }
  return high;
}

/** The same day of another month, or its last one; of an instant at the same time in UTC. */
export function monthsLater(at: bigint | string, count: bigint): bigint | string {
  if (typeof at === "bigint") {
    const day = floorDiv(at, DAY);
    const later = monthsLater(dateText(Number(day)), count) as string;
    return BigInt(dayNumber(later) ?? 0) * DAY + (at - day * DAY);
  }
  const [year = "", month = "", day = ""] = at.split("-");
  const months = BigInt(year) * 12n + BigInt(month) - 1n + count;
  const to = floorDiv(months, 12n);
  if (to < 1n || to > 9999n) throw new Fault("no such year");
  const first = `${String(to).padStart(4, "0")}-${String(months - to * 12n + 1n).padStart(2, "0")}`;
  for (let last = Number(day); ; last--) {
    const made = `${first}-${String(last).padStart(2, "0")}`;
    if (dayNumber(made) !== undefined) return made;
  }
}

/** The calendar part that a CEL getter names, of an instant in a zone or of a date. */
export function calendarPart(getter: string, at: bigint | string, zone: string): bigint {
  const local = typeof at === "string" ? BigInt(dayNumber(at) ?? 0) * DAY : localOf(at, zone);
  const made = new Date(Number(floorDiv(local, 1000n)));
  const yearStart = new Date(0).setUTCFullYear(made.getUTCFullYear(), 0, 1);
  const parts: Readonly<Record<string, number>> = {
    getDate: made.getUTCDate(),
    getDayOfMonth: made.getUTCDate() - 1,
    getDayOfWeek: made.getUTCDay(),
    getDayOfYear: Number(floorDiv(local, DAY)) - yearStart / 86_400_000,
    getFullYear: made.getUTCFullYear(),
    getMonth: made.getUTCMonth(),
    getHours: made.getUTCHours(),
    getMinutes: made.getUTCMinutes(),
    getSeconds: made.getUTCSeconds(),
    getMilliseconds: made.getUTCMilliseconds(),
  };
  return BigInt(parts[getter] ?? 0);
}

/** Whole hours, minutes, seconds in a duration, or the milliseconds of its second. */
export function durationPart(getter: string, micros: bigint): bigint {
  switch (getter) {
    case "getHours":
      return micros / (3600n * SECOND);
    case "getMinutes":
      return micros / (60n * SECOND);
    case "getSeconds":
      return micros / SECOND;
    default:
      return (micros % SECOND) / 1000n;
  }
}
