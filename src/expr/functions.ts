/* data table */
/** The functions of expressions: forms, exact meaning, a true example; the reference shows it. */

/**
 * One way to call a function. Words of `takes` and `gives` are types, with variables:
 * `T` any type, `O` a type that has an order, `decimal(p)` any number of places;
 * `places` (a literal 0 to 38), `rounding` (a literal word) and `pattern` (a literal pattern)
 * stand for arguments that must be literals; `zone` takes a literal zone name too.
 */
export interface Form {
  readonly takes: readonly string[];
  readonly gives: string;
}

/** A function. `example` is an expression that is true. */
export interface FunctionEntry {
  readonly name: string;
  readonly forms: readonly Form[];
  /** Exact meaning, faults included. */
  readonly does: string;
  readonly example: string;
  /** Usually written `x.f(...)`; both ways mean the same for every function. */
  readonly method?: true;
}

function form(takes: string, gives: string): Form {
  return { takes: takes === "" ? [] : takes.split(", "), gives };
}

/** Forms of a getter of calendar parts: a timestamp in UTC or a zone, and perhaps a date. */
function calendarForms(also: string): Form[] {
  const forms = [form("timestamp", "integer"), form("timestamp, zone", "integer")];
  return also === "" ? forms : [...forms, form(also, "integer")];
}

const ROUNDING =
  "`half_even` (to the nearest; half way, to the even digit), `half_up` (to the nearest; half " +
  "way, away from zero) or `down` (towards zero)";

const NUMBERS = [
  {
    name: "abs",
    forms: [form("integer", "integer"), form("decimal(p)", "decimal(p)"), form("number", "number")],
    does: "The value without its sign.",
    example: "abs(-2.50) == 2.50",
  },
  {
    name: "divide",
    forms: [
      form("decimal(p), decimal(q), places, rounding", "decimal(places)"),
      form("decimal(p), integer, places, rounding", "decimal(places)"),
      form("integer, decimal(p), places, rounding", "decimal(places)"),
      form("integer, integer, places, rounding", "decimal(places)"),
    ],
    does:
      "The exact quotient of the first two, rounded once to the given places. The rounding is " +
      `${ROUNDING}. A divisor that may be zero needs a guard.`,
    example: 'divide(10.00, 3, 2, "half_even") == 3.33',
  },
  {
    name: "int",
    forms: [form("string", "integer"), form("integer", "integer"), form("decimal(0)", "integer")],
    does:
      "The integer that a text writes: an optional `-`, then decimal digits, nothing else; any " +
      "other text, or more than 38 digits, is a fault. A decimal must have 0 places: round it " +
      "first.",
    example: 'int("-42") == -42',
  },
  {
    name: "int_or_null",
    forms: [form("string", "integer or null")],
    does: "As `int`, and null for a text that it cannot read.",
    example: 'int_or_null("12a") == null',
  },
  {
    name: "max",
    forms: [form("O, O", "O"), form("list of O", "O")],
    does: "The greatest; of equal values the first. A list that may be empty needs a guard.",
    example: "max([3, 9, 4]) == 9",
  },
  {
    name: "min",
    forms: [form("O, O", "O"), form("list of O", "O")],
    does: "The least; of equal values the first. A list that may be empty needs a guard.",
    example: "min(3, 9) == 3",
  },
  {
    name: "round_down",
    forms: [form("decimal(p), places", "decimal(places)")],
    does: "The value with the given places, rounded towards zero.",
    example: "round_down(-1.999, 2) == -1.99",
  },
  {
    name: "round_half_even",
    forms: [form("decimal(p), places", "decimal(places)")],
    does: "The value with the given places, rounded to the nearest; half way, to the even digit.",
    example: "round_half_even(2.345, 2) == 2.34",
  },
  {
    name: "round_half_up",
    forms: [form("decimal(p), places", "decimal(places)")],
    does: "The value with the given places, rounded to the nearest; half way, away from zero.",
    example: "round_half_up(-2.345, 2) == -2.35",
  },
  {
    name: "sum",
    forms: [
      form("list of integer", "integer"),
      form("list of decimal(p)", "decimal(p)"),
      form("list of number", "number"),
    ],
    does:
      "The sum of the items, added from first to last; 0 for an empty list. Past 38 digits it is " +
      "a fault.",
    example: "sum([1.25, 2.50]) == 3.75",
  },
] as const satisfies readonly FunctionEntry[];

const TEXTS = [
  {
    name: "contains",
    forms: [form("string, string", "boolean")],
    does: "Whether the second text occurs in the first; the empty text occurs in every text.",
    example: '"conduit".contains("du")',
    method: true,
  },
  {
    name: "endsWith",
    forms: [form("string, string", "boolean")],
    does: "Whether the first text ends with the second.",
    example: '"conduit".endsWith("it")',
    method: true,
  },
  {
    name: "join",
    forms: [form("list of string, string", "string")],
    does: "The texts one after another, with the second argument between each two.",
    example: '["a", "b"].join("-") == "a-b"',
    method: true,
  },
  {
    name: "lower",
    forms: [form("string", "string")],
    does: "A to Z become a to z; every other character stays, also letters beyond ASCII.",
    example: 'lower("ÀB") == "Àb"',
  },
  {
    name: "matches",
    forms: [form("string, pattern", "boolean")],
    does:
      "Whether the pattern (RE2 syntax) matches anywhere in the text: write `^` and `$` to match " +
      "all of it. The pattern must be a literal; it runs in time linear in the text.",
    example: '"AB-12".matches("^[A-Z]+-[0-9]+$")',
    method: true,
  },
  {
    name: "replace",
    forms: [form("string, string, string", "string")],
    does:
      "The first text with each occurrence of the second, found from left to right without " +
      "overlap, replaced by the third. An empty second text occurs before each character and at " +
      "the end.",
    example: '"a.b.c".replace(".", "-") == "a-b-c"',
    method: true,
  },
  {
    name: "sha256",
    forms: [form("string", "string"), form("secret", "string")],
    does: "SHA-256 (FIPS 180-4) of the text in UTF-8, as 64 lower-case hexadecimal digits.",
    example: 'sha256("abc").startsWith("ba7816bf8f01cfea")',
  },
  {
    name: "slug",
    forms: [form("string", "string")],
    does:
      "Five steps: 1. Unicode normalisation form NFKD; 2. the marks U+0300 to U+036F are " +
      "dropped; 3. A to Z become a to z; 4. every run of characters other than a to z and 0 to 9 " +
      "becomes one `-`; 5. a `-` at either end is dropped.",
    example: 'slug("  Crème Brûlée, No. 2! ") == "creme-brulee-no-2"',
  },
  {
    name: "split",
    forms: [form("string, string", "list of string")],
    does:
      "The pieces of the first text between the occurrences of the second, empty pieces " +
      "included. An empty second text cuts between all characters (Unicode code points).",
    example: '"a,b,".split(",") == ["a", "b", ""]',
    method: true,
  },
  {
    name: "startsWith",
    forms: [form("string, string", "boolean")],
    does: "Whether the first text begins with the second.",
    example: '"conduit".startsWith("con")',
    method: true,
  },
  {
    name: "string",
    forms: [
      form("string", "string"),
      form("integer", "string"),
      form("decimal(p)", "string"),
      form("number", "string"),
      form("boolean", "string"),
      form("timestamp", "string"),
      form("duration", "string"),
      form("date", "string"),
      form("zone", "string"),
    ],
    does:
      "The value as text: integers in digits; decimals with all their places; numbers as " +
      "ECMAScript's Number::toString; timestamps in RFC 3339, in UTC with `Z` and only the " +
      "digits of a second that are needed; durations in seconds with `s`; dates as `YYYY-MM-DD`.",
    example: 'string(1.50) == "1.50"',
  },
  {
    name: "trim",
    forms: [form("string", "string")],
    does: "The text without the characters at either end that are Unicode White_Space.",
    example: 'trim("  a b ") == "a b"',
    method: true,
  },
  {
    name: "upper",
    forms: [form("string", "string")],
    does: "a to z become A to Z; every other character stays, also letters beyond ASCII.",
    example: 'upper("ß1a") == "ß1A"',
  },
] as const satisfies readonly FunctionEntry[];

const LISTS = [
  {
    name: "distinct",
    forms: [form("list of T", "list of T")],
    does: "The list without the items that are equal to an earlier one.",
    example: "distinct([2, 1, 2]) == [2, 1]",
  },
  {
    name: "flatten",
    forms: [form("list of list of T", "list of T")],
    does: "The items of the lists in the list, one list after another: one level.",
    example: "flatten([[1], [], [2, 3]]) == [1, 2, 3]",
  },
  {
    name: "is_unique",
    forms: [form("list of T", "boolean")],
    does: "Whether no two items are equal.",
    example: "is_unique([1, 2, 3])",
  },
  {
    name: "json",
    forms: [form("json", "json")],
    does:
      "The value as JSON. A literal may have members and items of several types there. Numbers are " +
      "JSON numbers, a decimal with all its places, as they are wherever JSON is wanted.",
    example: 'json({"a": 1, "b": ["x", 2.50]}) == json({"b": ["x", 2.5], "a": 1})',
  },
  {
    name: "reverse",
    forms: [form("list of T", "list of T")],
    does: "The items from last to first.",
    example: "reverse([1, 2, 3]) == [3, 2, 1]",
  },
  {
    name: "size",
    forms: [form("string", "integer"), form("list of T", "integer"), form("map of T", "integer")],
    does: "Of a text the number of Unicode code points, of a list or map the number of items.",
    example: 'size("🜁b") == 2',
  },
  {
    name: "slice",
    forms: [form("list of T, integer, integer", "list of T")],
    does:
      "The items from one position (the first is 0) up to, not including, another. A position " +
      "below 0 is 0, one past the size is the size; where the second is not behind the first, the " +
      "list is empty.",
    example: "slice([5, 6, 7], 1, 3) == [6, 7]",
  },
  {
    name: "sorted",
    forms: [form("list of O", "list of O")],
    does: "The items in ascending order (as `<` has it); equal items keep their order.",
    example: "sorted([3, 1, 2]) == [1, 2, 3]",
  },
] as const satisfies readonly FunctionEntry[];

const TIMES = [
  {
    name: "add_days",
    forms: [form("date, integer", "date")],
    does: "The date so many days later (or earlier); outside years 0001 to 9999 it is a fault.",
    example: 'add_days(date("2024-02-28"), 2) == date("2024-03-01")',
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
    name: "getDate",
    forms: calendarForms("date"),
    does: "Day of the month, 1 to 31; in UTC where no zone is given.",
    example: 'timestamp("2024-05-06T07:08:09Z").getDate() == 6',
    method: true,
  },
  {
    name: "getDayOfMonth",
    forms: calendarForms("date"),
    does: "Day of the month counted from 0, 0 to 30; in UTC where no zone is given.",
    example: 'timestamp("2024-05-06T07:08:09Z").getDayOfMonth() == 5',
    method: true,
  },
  {
    name: "getDayOfWeek",
    forms: calendarForms("date"),
    does: "Day of the week, 0 (Sunday) to 6; in UTC where no zone is given.",
    example: 'timestamp("2024-05-06T07:08:09Z").getDayOfWeek() == 1',
    method: true,
  },
  {
    name: "getDayOfYear",
    forms: calendarForms("date"),
    does: "Day of the year counted from 0, 0 to 365; in UTC where no zone is given.",
    example: 'timestamp("2024-02-01T00:00:00Z").getDayOfYear() == 31',
    method: true,
  },
  {
    name: "getFullYear",
    forms: calendarForms("date"),
    does: "The year; in UTC where no zone is given.",
    example: 'timestamp("2024-05-06T07:08:09Z").getFullYear() == 2024',
    method: true,
  },
  {
    name: "getHours",
    forms: calendarForms("duration"),
    does:
      "Of a timestamp the hour, 0 to 23 (in UTC where no zone is given); of a duration the whole " +
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
      "Of a timestamp the minute, 0 to 59 (in UTC where no zone is given); of a duration the " +
      "whole minutes in it, cut towards zero.",
    example: 'duration("1h30m").getMinutes() == 90',
    method: true,
  },
  {
    name: "getMonth",
    forms: calendarForms("date"),
    does: "The month counted from 0, 0 to 11; in UTC where no zone is given.",
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
    name: "unix_seconds",
    forms: [form("timestamp", "integer")],
    does: "Whole seconds since 1970-01-01T00:00:00Z without leap seconds, rounded to the past.",
    example: 'unix_seconds(timestamp("1970-01-02T00:00:00.5Z")) == 86400',
  },
] as const satisfies readonly FunctionEntry[];

const SECRETS = [
  {
    name: "password_matches",
    forms: [
      form("string, secret", "boolean"),
      form("secret, secret", "boolean"),
      form("secret, string", "boolean"),
    ],
    does:
      "Whether the second is the secret whose stored form is the first, by the hash that the " +
      "document states for it.",
    example: "",
  },
  {
    name: "token",
    forms: [form("row", "string")],
    does: "A new token for the row, of the form that the document states for it.",
    example: "",
  },
] as const satisfies readonly FunctionEntry[];

/** The names of all functions: a function that nobody evaluates does not compile. */
export type FunctionName =
  | (typeof NUMBERS)[number]["name"]
  | (typeof TEXTS)[number]["name"]
  | (typeof LISTS)[number]["name"]
  | (typeof TIMES)[number]["name"]
  | (typeof SECRETS)[number]["name"];

/** Every function, by name. The two without an example depend on what the document states. */
export const functionTable: readonly FunctionEntry[] = [
  ...NUMBERS,
  ...TEXTS,
  ...LISTS,
  ...TIMES,
  ...SECRETS,
].sort((a, b) => (a.name < b.name ? -1 : 1));

/** The same entries, found by name. */
export const functionsByName: ReadonlyMap<string, FunctionEntry> = new Map(
  functionTable.map((entry) => [entry.name, entry]),
);

/** The macros: calls whose arguments see a variable, or ask for presence. */
interface MacroEntry {
  readonly name: string;
  /** How it is written, one line for each number of arguments. */
  readonly written: readonly string[];
  readonly does: string;
  readonly example: string;
}

/** Every macro. A list may be a map: then its keys are gone through. */
export const macroTable: readonly MacroEntry[] = [
  {
    name: "all",
    written: ["list.all(x, condition)"],
    does:
      "Whether the condition holds for every item; true for an empty list. A false item decides, " +
      "even beside an item that is a fault. This and the other macros go through the keys of a " +
      "map: `m.all(k, m[k] > 0)`.",
    example: '{"a": 1}.all(k, size(k) == 1)',
  },
  {
    name: "exists",
    written: ["list.exists(x, condition)"],
    does:
      "Whether the condition holds for some item; false for an empty list. A true item decides, " +
      "even beside an item that is a fault.",
    example: "[1, 2].exists(x, x > 1)",
  },
  {
    name: "exists_one",
    written: ["list.exists_one(x, condition)"],
    does: "Whether the condition holds for exactly one item.",
    example: "[1, 2].exists_one(x, x > 1)",
  },
  {
    name: "filter",
    written: ["list.filter(x, condition)"],
    does: "The items for which the condition holds, in their order.",
    example: "[1, 2, 3].filter(x, x != 2) == [1, 3]",
  },
  {
    name: "group",
    written: ["list.group(x, key, value)"],
    does:
      "A map from each key (a string) to the list of the values that have it; keys in the order " +
      "in which they come first, values in the order of the list.",
    example: '[1, 2, 3].group(x, x == 2 ? "even" : "odd", x) == {"odd": [1, 3], "even": [2]}',
  },
  {
    name: "has",
    written: ["has(a.b)"],
    does:
      "Whether the member is given: present, null included. On a map: whether it has that key. " +
      "What is left of the last dot must itself be there.",
    example: 'has({"a": null}.a)',
  },
  {
    name: "map",
    written: ["list.map(x, value)", "list.map(x, condition, value)"],
    does: "The values for the items (with three arguments: those for which the condition holds).",
    example: "[1, 2, 3].map(x, x > 1, x * x) == [4, 9]",
  },
];
