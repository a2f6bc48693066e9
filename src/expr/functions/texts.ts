/* data table */
/** Functions of texts. */
import { type FunctionEntry, form } from "./form.ts";

export const TEXTS = [
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
    name: "extract_or_null",
    forms: [form("string, pattern", "string or null")],
    does:
      "What the first group of the pattern (as for `matches`) takes where the pattern first " +
      "matches, the whole match of a pattern without groups; null where there is none.",
    example: 'extract_or_null("v12.3", "^v([0-9]+)") == "12"',
  },
  {
    name: "indexOf",
    forms: [
      form("string, string", "integer"),
      form("string, string, integer", "integer"),
      form("list of T, T", "integer"),
    ],
    does:
      "The position, in code points, at which the second text first occurs, from the position " +
      "given on; of a list, that of the first equal item; -1 where there is none.",
    example: '"conduit".indexOf("du") == 3',
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
    name: "lastIndexOf",
    forms: [form("string, string", "integer"), form("list of T, T", "integer")],
    does: "As `indexOf`, of where it last occurs.",
    example: '"banana".lastIndexOf("an") == 3',
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
    name: "pad_left",
    forms: [form("string, places, string", "string")],
    does:
      "The text, before it the last argument as often as it takes to have so many code points, " +
      "cut to fit; with nothing to put before it, the text.",
    example: 'pad_left("42", 5, "0") == "00042"',
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
    does: "SHA-256 (FIPS 180-4) of the text in UTF-8, as 64 lower-case hexadecimal digits. Of a secret kept as SHA-256 it is what is kept.",
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
    name: "substring",
    forms: [form("string, integer", "string"), form("string, integer, integer", "string")],
    does: "The code points from one position up to, not including, another, or the end, as `slice`.",
    example: '"conduit".substring(3, 5) == "du"',
    method: true,
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
