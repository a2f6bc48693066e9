/* data table */
/** Functions of timestamps, durations and dates. */
import { type Form, type FunctionEntry, form } from "./form.ts";

/** Forms of a getter of calendar parts: a timestamp in UTC or a zone, and perhaps a date. */
function calendarForms(also: string): Form[] {
  const forms = [form("timestamp", "integer"), form("timestamp, zone", "integer")];
  return also === "" ? forms : [...forms, form(also, "integer")];
}

export const TIMES = [
  {
    name: "add_days",
    forms: [form("date, integer", "date")],
    does: "The date so many days later (or earlier); outside years 0001 to 9999 it is a fault.",
    example: 'add_days(date("2024-02-28"), 2) == date("2024-03-01")',
  },
  {
    name: "add_months",
    forms: [form("date, integer", "date"), form("timestamp, integer", "timestamp")],
    does:
      "The same day so many months later (or earlier), or the last day of a month that has no " +
      "such day; of a timestamp in UTC, at the same time of the day.",
    example: 'add_months(date("2024-01-31"), 1) == date("2024-02-29")',
  },
  {
    name: "date",
    forms: [form("string", "date")],
    does: "The date that a text writes as `YYYY-MM-DD` (years 0001 to 9999); another is a fault.",
    example: 'date("2024-02-29") > date("2024-02-28")',
  },
  {
    name: "date_or_null",
    forms: [form("string", "date or null")],
    does: "As `date`, and null for a text that it cannot read.",
    example: 'date_or_null("2024-02-30") == null',
  },
  {
    name: "date_of",
    forms: [form("timestamp, zone", "date")],
    does: "The local date in the zone at that instant.",
    example: 'date_of(timestamp("2024-01-01T00:30:00Z"), "-01:00") == date("2023-12-31")',
  },
  {
    name: "days",
    forms: [form("integer", "duration")],
    does: "So many times 24 hours.",
    example: 'days(21) == duration("504h")',
  },
  {
    name: "days_between",
    forms: [form("date, date", "integer")],
    does: "How many days the second date is behind the first (below 0: before it).",
    example: 'days_between(date("2024-02-28"), date("2024-03-01")) == 2',
  },
  {
    name: "duration",
    forms: [form("string", "duration")],
    does:
      "The duration that a text writes: numbers with the units `h`, `m`, `s`, `ms`, `us`, `ns` " +
      "as in CEL, and `d` for 24 hours, such as `1h30m`. Finer than a microsecond, past " +
      "315,576,000,000 seconds, or of another form it is a fault.",
    example: 'duration("1d") == duration("24h")',
  },
  {
    name: "duration_or_null",
    forms: [form("string", "duration or null")],
    does: "As `duration`, and null for a text that it cannot read.",
    example: 'duration_or_null("1h") == duration("60m")',
  },
  {
    name: "from_unix_millis",
    forms: [form("integer", "timestamp")],
    does: "The instant of which `unix_millis` gives this.",
    example: 'from_unix_millis(1500) == timestamp("1970-01-01T00:00:01.5Z")',
  },
  {
    name: "from_unix_seconds",
    forms: [form("integer", "timestamp")],
    does: "The whole second of which `unix_seconds` gives this.",
    example: 'from_unix_seconds(60) == timestamp("1970-01-01T00:01:00Z")',
  },
  {
    name: "getDate",
    forms: calendarForms("date"),
    does: "Day of the month, 1 to 31.",
    example: 'timestamp("2024-05-06T07:08:09Z").getDate() == 6',
    method: true,
  },
  {
    name: "getDayOfMonth",
    forms: calendarForms("date"),
    does: "Day of the month counted from 0, 0 to 30.",
    example: 'timestamp("2024-05-06T07:08:09Z").getDayOfMonth() == 5',
    method: true,
  },
  {
    name: "getDayOfWeek",
    forms: calendarForms("date"),
    does: "Day of the week, 0 (Sunday) to 6.",
    example: 'timestamp("2024-05-06T07:08:09Z").getDayOfWeek() == 1',
    method: true,
  },
  {
    name: "getDayOfYear",
    forms: calendarForms("date"),
    does: "Day of the year counted from 0, 0 to 365.",
    example: 'timestamp("2024-02-01T00:00:00Z").getDayOfYear() == 31',
    method: true,
  },
  {
    name: "getFullYear",
    forms: calendarForms("date"),
    does: "The year.",
    example: 'timestamp("2024-05-06T07:08:09Z").getFullYear() == 2024',
    method: true,
  },
  {
    name: "getHours",
    forms: calendarForms("duration"),
    does:
      "Of a timestamp the hour, 0 to 23; of a duration the whole " +
      "hours in it, cut towards zero.",
    example: 'timestamp("2024-05-06T07:08:09Z").getHours("+02:00") == 9',
    method: true,
  },
  {
    name: "getMilliseconds",
    forms: calendarForms("duration"),
    does: "The milliseconds of the second, 0 to 999 (below 0 in a negative duration).",
    example: 'duration("1.25s").getMilliseconds() == 250',
    method: true,
  },
  {
    name: "getMinutes",
    forms: calendarForms("duration"),
    does:
      "Of a timestamp the minute, 0 to 59; of a duration the " +
      "whole minutes in it, cut towards zero.",
    example: 'duration("1h30m").getMinutes() == 90',
    method: true,
  },
  {
    name: "getMonth",
    forms: calendarForms("date"),
    does: "The month counted from 0, 0 to 11.",
    example: 'date("2024-05-06").getMonth() == 4',
    method: true,
  },
  {
    name: "getSeconds",
    forms: calendarForms("duration"),
    does:
      "Of a timestamp the second, 0 to 59; of a duration the whole seconds in it, cut towards " +
      "zero.",
    example: 'duration("1m1.5s").getSeconds() == 61',
    method: true,
  },
  {
    name: "hours",
    forms: [form("integer", "duration")],
    does: "So many hours.",
    example: 'hours(2) == duration("2h")',
  },
  {
    name: "minutes",
    forms: [form("integer", "duration")],
    does: "So many minutes.",
    example: 'minutes(90) == duration("1h30m")',
  },
  {
    name: "seconds",
    forms: [form("integer", "duration")],
    does: "So many seconds.",
    example: 'seconds(90) == duration("1m30s")',
  },
  {
    name: "start_of",
    forms: [form("date, zone", "timestamp")],
    does:
      "The first instant at which that date, or a later one, is the local date in the zone: " +
      "midnight, or the end of the gap where a change of clocks leaves midnight out.",
    example: 'start_of(date("2024-01-01"), "+02:00") == timestamp("2023-12-31T22:00:00Z")',
  },
  {
    name: "timestamp",
    forms: [form("string", "timestamp")],
    does:
      "The instant that a text writes as in RFC 3339, with `Z` or an offset, at most " +
      "microseconds, years 0001 to 9999, no leap second; another text is a fault.",
    example: 'timestamp("2024-01-01T01:00:00+01:00") == timestamp("2024-01-01T00:00:00Z")',
  },
  {
    name: "timestamp_or_null",
    forms: [form("string", "timestamp or null")],
    does: "As `timestamp`, and null for a text that it cannot read.",
    example: 'timestamp_or_null("noon") == null',
  },
  {
    name: "unix_millis",
    forms: [form("timestamp", "integer")],
    does: "As `unix_seconds`, in milliseconds.",
    example: 'unix_millis(timestamp("1970-01-01T00:00:01.5Z")) == 1500',
  },
  {
    name: "unix_seconds",
    forms: [form("timestamp", "integer")],
    does: "Whole seconds since 1970-01-01T00:00:00Z without leap seconds, rounded to the past.",
    example: 'unix_seconds(timestamp("1970-01-02T00:00:00.5Z")) == 86400',
  },
] as const satisfies readonly FunctionEntry[];
