/** Makes expressions of a wanted type at random, from names of known types. */
import type { Random } from "./random.ts";

/** Words for types, as templates name them. */
export type Word = "i" | "d" | "f" | "s" | "b" | "at" | "day" | "span" | "zone" | "xs" | "ss";

/** Expressions that stand for a value, by type; `n` may be null and is an integer otherwise. */
export type Leaves = Readonly<Partial<Record<Word | "n", readonly string[]>>>;

/** `#w` is an expression of the type `w`; a text that begins with `cel:` means the same in CEL. */
const TEMPLATES: Readonly<Record<Word, readonly string[]>> = {
  i: [
    "cel:0",
    "cel:1",
    "cel:-3",
    "cel:7",
    "cel:2",
    "9007199254740993",
    "12345678901234567890",
    "cel:(#i + #i)",
    "cel:(#i - #i)",
    "cel:(#i * #i)",
    "cel:(#i / 3)",
    "cel:(#i / 2)",
    "cel:(#i % 7)",
    "cel:-(#i)",
    "abs(#i)",
    "cel:size(#s)",
    "cel:size(#xs)",
    "cel:size(#ss)",
    "cel:([5, 6, 7] + #xs)[2]",
    "(int_or_null(#s) == null ? 1 : 2)",
    "(int_or_null(string(#i)) == null ? 3 : 4)",
    "int(round_down(#d, 0))",
    "max(#i, #i)",
    "min(#i, #i)",
    "min(#xs + [4])",
    "max([4] + #xs)",
    "sum(#xs)",
    "cel:(#b ? #i : #i)",
    "#at.getFullYear()",
    "#at.getMonth()",
    "#at.getDate()",
    "#at.getDayOfMonth()",
    "#at.getDayOfWeek()",
    "#at.getDayOfYear()",
    "#at.getHours(#zone)",
    "#at.getMinutes(#zone)",
    "#at.getSeconds()",
    "#at.getMilliseconds()",
    "#day.getDayOfYear()",
    "#day.getDate()",
    "#span.getHours()",
    "#span.getMinutes()",
    "#span.getSeconds()",
    "#span.getMilliseconds()",
    "unix_seconds(#at)",
    'cel:{"k": #i, "é": #i}["k"]',
    "size(#ss.group(w, w, size(w)))",
    'sum(#xs.group(v, v > 1 ? "a" : "b", v).map(k, size(k)))',
  ],
  d: [
    "0.00",
    "1.10",
    "-2.50",
    "12345678901234567890.12",
    "(#d + #d)",
    "(#d - #d)",
    "(#d * #i)",
    "-(#d)",
    "abs(#d)",
    "round_half_even(#d * #d, 2)",
    "round_half_up(#d * 0.125, 2)",
    "round_down(#d * #d, 2)",
    'divide(#d, 1.25, 2, "half_up")',
    'divide(#i, 7, 2, "half_even")',
    'divide(#d, 3, 2, "down")',
    "max(#d, #d)",
    "sum([#d, #d])",
    "(#b ? #d : #d)",
  ],
  f: [
    "cel:0e0",
    "cel:1.5e0",
    "cel:-2.5e-1",
    "cel:1e300",
    "cel:(#f + #f)",
    "cel:(#f - #f)",
    "cel:(#f * #f)",
    "(#f / 2e0)",
    "-(#f)",
    "abs(#f)",
    "min(#f, #f)",
    "sum([#f, #f])",
    "cel:(#b ? #f : #f)",
  ],
  s: [
    "cel:''",
    "cel:'a'",
    "cel:'A%_b'",
    "cel:'é😀'",
    "cel:'12'",
    "cel:(#s + #s)",
    "cel:string(#i)",
    "string(#d)",
    "string(#f)",
    "string(#b)",
    "string(#at)",
    "string(#span)",
    "string(#day)",
    "string(#zone)",
    "lower(#s)",
    "upper(#s)",
    "trim(#s)",
    "slug(#s)",
    "sha256(#s)",
    "replace(#s, #s, #s)",
    "join(#ss, #s)",
    "cel:([#s] + #ss)[0]",
    "cel:(#b ? #s : (#s + 'x'))",
  ],
  b: [
    "cel:true",
    "cel:false",
    "cel:(#b && #b)",
    "cel:(#b || #b)",
    "cel:!(#b)",
    "cel:(#i == #i)",
    "cel:(#i != #i)",
    "cel:(#i < #i)",
    "cel:(#i >= #i)",
    "cel:(#s == #s)",
    "cel:(#s < #s)",
    "cel:(#s >= #s)",
    "(#d == #d)",
    "(#d <= #d)",
    "cel:(#f < #f)",
    "cel:(#f > #f)",
    "(#f == #f)",
    "(#at < #at)",
    "(#at == #at)",
    "(#day <= #day)",
    "(#span > #span)",
    "cel:(#xs == #xs)",
    "cel:(#ss != #ss)",
    "cel:(#i in #xs)",
    "cel:(#s in #ss)",
    "cel:#s.contains(#s)",
    "cel:#s.startsWith(#s)",
    "cel:#s.endsWith(#s)",
    "cel:#s.matches('^[a-c]*(é|1)+$')",
    "cel:#s.matches('[A-Z]%|_')",
    "cel:#xs.exists(v, #b && v > 0)",
    "cel:#xs.all(v, v < #i)",
    "cel:#xs.exists_one(v, v == #i)",
    "cel:#ss.exists(w, w == #s)",
    "cel:#ss.all(w, size(w) < #i)",
    "cel:has({'k': #i}.k)",
    "is_unique(#xs)",
    "is_unique(#ss)",
    "(json(#xs) == json([#i, #i]))",
    '(json({"i": #i, "s": #s, "d": #d, "f": #f, "b": #b}) == json({"i": #i, "s": #s}))',
    "(json(#d) == json(#d))",
    "(json(#f) == json(#f))",
    "(json(#i) == json(#d))",
    "cel:(#b ? #b : #b)",
    "cel:(#b == #b)",
  ],
  at: [
    'timestamp("2024-02-29T23:59:59.5Z")',
    'timestamp("0001-01-01T00:00:00Z")',
    'timestamp("2026-03-29T00:30:00Z")',
    "(#at + #span)",
    "(#at - #span)",
    "(#span + #at)",
    "start_of(#day, #zone)",
    "(timestamp_or_null(string(#at)) == null ? #at : #at)",
    "max(#at, #at)",
    "(#b ? #at : #at)",
  ],
  day: [
    'date("2024-02-29")',
    'date("9999-12-31")',
    'date("2026-03-29")',
    "add_days(#day, #i)",
    "date_of(#at, #zone)",
    "(date_or_null(string(#day)) == null ? #day : #day)",
    "(date_or_null(trim(#s)) == null ? #day : #day)",
    "min(#day, #day)",
    "(#b ? #day : #day)",
  ],
  span: [
    'duration("1h30m")',
    'duration("-0.5s")',
    'duration("1d")',
    "(#at - #at)",
    "(duration_or_null(string(#span)) == null ? #span : #span)",
    "(duration_or_null(trim(#s)) == null ? #span : #span)",
    "(#span + #span)",
    "(#span - #span)",
    "max(#span, #span)",
    "(#b ? #span : #span)",
  ],
  zone: ['"UTC"', '"Europe/Berlin"', '"-01:00"', '"America/St_Johns"'],
  xs: [
    "cel:[#i]",
    "cel:[1, 2, 3]",
    "cel:[#i, #i]",
    "cel:(#xs + #xs)",
    "cel:#xs.filter(v, v != #i)",
    "cel:#xs.map(v, v * #i)",
    "cel:#xs.map(v, v > 0, v + #i)",
    "sorted(#xs)",
    "reverse(#xs)",
    "distinct(#xs)",
    "slice(#xs, 0, #i)",
    "flatten([#xs, #xs])",
    "cel:(#b ? #xs : #xs)",
  ],
  ss: [
    "cel:['a', #s]",
    "cel:['']",
    "split(#s, #s)",
    "sorted(#ss)",
    "distinct(#ss)",
    "reverse(#ss)",
    "cel:#xs.map(v, string(v))",
    "cel:(#ss + #ss)",
    "cel:#ss.filter(w, w != #s)",
    "slice(#ss, 0, 1)",
    "flatten([#ss, #ss])",
  ],
};

export interface Wanting {
  readonly leaves: Leaves;
  /** Only what means the same in CEL. */
  readonly cel?: boolean;
}

function templatesOf(word: Word, { cel = false }: Wanting, flat: boolean): readonly string[] {
  return TEMPLATES[word]
    .filter((one) => (!cel || one.startsWith("cel:")) && (!flat || !one.includes("#")))
    .map((one) => one.replace(/^cel:/, ""));
}

/** An expression of the type, at most so many levels deep. */
export function expressionOf(random: Random, word: Word, depth: number, wanting: Wanting): string {
  const { leaves } = wanting;
  const own = leaves[word] ?? [];
  const nullable = leaves.n ?? [];
  if (word === "i" && depth > 0 && nullable.length > 0 && random.chance(0.08)) {
    const name = random.pick(nullable);
    return `(${name} != null ? ${name} : ${expressionOf(random, "i", depth - 1, wanting)})`;
  }
  if (word === "b" && nullable.length > 0 && random.chance(0.05)) {
    const name = random.pick(nullable);
    return random.chance(0.5)
      ? `(${name} == null)`
      : `(${name} != ${own.length === 0 ? "3" : "null"})`;
  }
  const flat = depth <= 0;
  if (own.length > 0 && random.chance(flat ? 0.8 : 0.25)) return random.pick(own);
  const choices = templatesOf(word, wanting, flat);
  if (choices.length === 0)
    return own.length > 0 ? random.pick(own) : expressionOf(random, word, 1, wanting);
  return random
    .pick(choices)
    .replace(/#([a-z]+)/g, (_, inner: string) =>
      expressionOf(random, inner as Word, depth - 1, wanting),
    );
}
