/** Functions and arithmetic of timestamps, durations, dates, and zones. */
import {
  DURATION_MAX,
  dateOfDays,
  daysOfDate,
  floorDivide,
  parseDuration,
  parseTimestamp,
  TIMESTAMP_MAX,
  TIMESTAMP_MIN,
  zoneOffset,
} from "../../expr/index.ts";
import { EvaluationFault } from "./fault.ts";
import type { Build } from "./values.ts";
import { argument, kindOf } from "./values.ts";

const DAY_MS = 86_400_000;
const MS = 1000n;
const SECOND = 1_000_000n;
const DAY = 86_400n * SECOND;

/** The timestamp, unless it is outside years 0001 to 9999. */
export function boundedTimestamp(micros: bigint): bigint {
  if (micros >= TIMESTAMP_MIN && micros <= TIMESTAMP_MAX) return micros;
  throw new EvaluationFault("overflow", "a timestamp is outside years 0001 to 9999");
}

/** The duration, unless it is past the longest one. */
export function boundedDuration(micros: bigint): bigint {
  if (micros <= DURATION_MAX && micros >= -DURATION_MAX) return micros;
  throw new EvaluationFault("overflow", "a duration is past 315,576,000,000 seconds");
}

/** Seconds that the zone is ahead of UTC at `ms`. */
function offsetSeconds(zone: string, ms: number): number {
  const offset = zoneOffset(zone, ms);
  if (offset !== undefined) return offset;
  throw new EvaluationFault("unavailable", "a time zone is not known here");
}

/** Milliseconds since the epoch (to the past) of the local clock in the zone, read as UTC. */
function localMs(micros: bigint, zone: string | undefined): number {
  const ms = Number(floorDivide(micros, MS));
  return zone === undefined ? ms : ms + offsetSeconds(zone, ms) * 1000;
}

/** The date of days since the epoch, or a fault. */
function dateAt(days: number): string {
  const date = dateOfDays(days);
  if (date !== undefined) return date;
  throw new EvaluationFault("overflow", "a date is outside years 0001 to 9999");
}

function daysAt(date: string): number {
  const days = daysOfDate(date);
  if (days !== undefined) return days;
  throw new EvaluationFault("conversion", "a text is not a date of years 0001 to 9999");
}

function dayOfYear(at: Date): number {
  const start = new Date(0);
  start.setUTCFullYear(at.getUTCFullYear(), 0, 1);
  return Math.floor((at.getTime() - start.getTime()) / DAY_MS);
}

/** A getter: `of` reads the local clock; `ofDuration` the unit in microseconds, if it has one. */
function getter(of: (at: Date) => number, unit?: bigint): Build {
  return (args, code) => {
    if (kindOf(code, 0) === "date") {
      const date = argument<string>(args, 0);
      return (state) => BigInt(of(new Date(daysAt(date(state)) * DAY_MS)));
    }
    const instant = argument<bigint>(args, 0);
    if (kindOf(code, 0) === "duration") {
      return (state) => instant(state) / (unit ?? 1n);
    }
    const zone = args.length > 1 ? argument<string>(args, 1) : () => undefined;
    return (state) => BigInt(of(new Date(localMs(instant(state), zone(state)))));
  };
}

/**
 * First instant (microseconds) at which the local date in the zone is `days` or later: midnight,
 * or the first instant after a gap that holds midnight.
 */
function startOf(days: number, zone: string): bigint {
  const midnight = days * DAY_MS;
  const local = (ms: number): number => ms + offsetSeconds(zone, ms) * 1000;
  // Offsets lie within a day, so the instant does too; the earliest fitting offset decides.
  const offsets = [midnight - DAY_MS, midnight + DAY_MS].map((ms) => offsetSeconds(zone, ms));
  const exact = offsets
    .map((offset) => midnight - offset * 1000)
    .filter((ms) => local(ms) === midnight);
  if (exact.length > 0) return BigInt(Math.min(...exact)) * MS;
  let [before, after] = [midnight - DAY_MS, midnight + DAY_MS];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (local(middle) >= midnight) after = middle;
    else before = middle;
  }
  return BigInt(after) * MS;
}

const milliseconds: Build = (args, code) => {
  const duration = kindOf(code, 0) === "duration";
  if (!duration) return getter((at) => at.getUTCMilliseconds())(args, code);
  const value = argument<bigint>(args, 0);
  return (state) => (value(state) % SECOND) / MS;
};

/** The same day of another month, or the last one of it. */
function monthsLater(date: string, count: bigint): string {
  const [year = "", month = "", day = ""] = date.split("-");
  const months = BigInt(year) * 12n + BigInt(month) - 1n + count;
  const then = Number(floorDivide(months, 12n));
  const at = Number(((months % 12n) + 12n) % 12n);
  const next = new Date(0);
  next.setUTCFullYear(then, at + 1, 0);
  const last = next.getUTCDate();
  next.setUTCDate(Math.min(Number(day), last));
  return dateAt(next.getTime() / DAY_MS);
}

function spanOf(unit: bigint): Build {
  return (args) => {
    const count = argument<bigint>(args, 0);
    return (state) => boundedDuration(count(state) * unit);
  };
}

/** Whole units since the epoch, to the past. */
function since(unit: bigint): Build {
  return (args) => {
    const instant = argument<bigint>(args, 0);
    return (state) => floorDivide(instant(state), unit);
  };
}

function instantAt(unit: bigint): Build {
  return (args) => {
    const count = argument<bigint>(args, 0);
    return (state) => boundedTimestamp(count(state) * unit);
  };
}

export const timeBuilds = {
  timestamp: (args) => {
    const text = argument<string>(args, 0);
    return (state) => {
      const micros = parseTimestamp(text(state));
      if (micros !== undefined) return micros;
      throw new EvaluationFault("conversion", "a text is not a timestamp of RFC 3339");
    };
  },
  duration: (args) => {
    const text = argument<string>(args, 0);
    return (state) => {
      const micros = parseDuration(text(state));
      if (micros !== undefined) return micros;
      throw new EvaluationFault("conversion", "a text is not a duration");
    };
  },
  date: (args) => {
    const text = argument<string>(args, 0);
    return (state) => dateAt(daysAt(text(state)));
  },
  timestamp_or_null: (args) => {
    const text = argument<string>(args, 0);
    return (state) => parseTimestamp(text(state)) ?? null;
  },
  duration_or_null: (args) => {
    const text = argument<string>(args, 0);
    return (state) => parseDuration(text(state)) ?? null;
  },
  date_or_null: (args) => {
    const text = argument<string>(args, 0);
    return (state) => {
      const found = text(state);
      return daysOfDate(found) === undefined ? null : found;
    };
  },
  date_of: (args) => {
    const [instant, zone] = [argument<bigint>(args, 0), argument<string>(args, 1)];
    return (state) => dateAt(Math.floor(localMs(instant(state), zone(state)) / DAY_MS));
  },
  start_of: (args) => {
    const [date, zone] = [argument<string>(args, 0), argument<string>(args, 1)];
    return (state) => boundedTimestamp(startOf(daysAt(date(state)), zone(state)));
  },
  add_days: (args) => {
    const [date, days] = [argument<string>(args, 0), argument<bigint>(args, 1)];
    return (state) => dateAt(daysAt(date(state)) + Number(days(state)));
  },
  add_months: (args, code) => {
    const months = argument<bigint>(args, 1);
    if (kindOf(code, 0) === "date") {
      const date = argument<string>(args, 0);
      return (state) => monthsLater(date(state), months(state));
    }
    const instant = argument<bigint>(args, 0);
    return (state) => {
      const from = instant(state);
      const day = floorDivide(from, DAY);
      const later = daysAt(monthsLater(dateAt(Number(day)), months(state)));
      return boundedTimestamp(BigInt(later) * DAY + from - day * DAY);
    };
  },
  days_between: (args) => {
    const [from, to] = [argument<string>(args, 0), argument<string>(args, 1)];
    return (state) => {
      const first = daysAt(from(state));
      return BigInt(daysAt(to(state)) - first);
    };
  },
  days: spanOf(DAY),
  hours: spanOf(3600n * SECOND),
  minutes: spanOf(60n * SECOND),
  seconds: spanOf(SECOND),
  unix_seconds: since(SECOND),
  unix_millis: since(MS),
  from_unix_seconds: instantAt(SECOND),
  from_unix_millis: instantAt(MS),
  getFullYear: getter((at) => at.getUTCFullYear()),
  getMonth: getter((at) => at.getUTCMonth()),
  getDate: getter((at) => at.getUTCDate()),
  getDayOfMonth: getter((at) => at.getUTCDate() - 1),
  getDayOfWeek: getter((at) => at.getUTCDay()),
  getDayOfYear: getter(dayOfYear),
  getHours: getter((at) => at.getUTCHours(), 3600n * SECOND),
  getMinutes: getter((at) => at.getUTCMinutes(), 60n * SECOND),
  getSeconds: getter((at) => at.getUTCSeconds(), SECOND),
  getMilliseconds: milliseconds,
} as const satisfies Readonly<Record<string, Build>>;
