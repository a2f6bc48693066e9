/** Operators and functions of expressions for the reference: values and static types in, value out. */
import type { Type } from "../../src/expr/index.ts";
import { COLLECTIONS } from "./collections.ts";
import { ENCODINGS } from "./encodings.ts";
import {
  calendarPart,
  celDuration,
  dateIn,
  dateText,
  dayNumber,
  durationPart,
  durationShort,
  FIRST,
  instantOf,
  instantShort,
  LAST,
  LONGEST,
  monthsLater,
  SECOND,
  startOf,
  unixMillis,
  unixSeconds,
} from "./times.ts";
import {
  bounded,
  compare,
  decimalText,
  divideRounded,
  equal,
  Fault,
  isList,
  isMap,
  type Rounding,
  type Value,
} from "./values.ts";

type Args = readonly Value[];

/** The type without `or null`. */
export function plainType(type: Type | undefined): Type {
  if (type === undefined) return { kind: "unknown" };
  return type.kind === "nullable" ? plainType(type.of) : type;
}

function placesOf(type: Type | undefined): number {
  const plain = plainType(type);
  return plain.kind === "decimal" ? plain.places : 0;
}

/** RFC 7396, section 2. */
function patchedBy(target: Value, patch: Value): Value {
  if (!isMap(patch)) return patch;
  const made = new Map(isMap(target) ? target : []);
  for (const [name, value] of patch) {
    if (value === null) made.delete(name);
    else made.set(name, patchedBy(made.get(name) ?? null, value));
  }
  return made;
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new Fault("not finite");
  return value === 0 ? 0 : value;
}

/** A sum or difference in the bounds of its type. */
function within(value: bigint, type: Type): bigint {
  if (type.kind === "timestamp") {
    if (value < FIRST || value > LAST) throw new Fault("outside the years 0001 to 9999");
    return value;
  }
  if (type.kind === "duration") {
    if (value > LONGEST || value < -LONGEST) throw new Fault("too long");
    return value;
  }
  return bounded(value);
}

/** `+ - * / %` and `neg` on numbers, times, texts and lists. */
export function arithmetic(fn: string, args: Args, type: Type): Value {
  const [a, b] = args;
  if (fn === "neg") return typeof a === "number" ? -a : within(-(a as bigint), type);
  if (fn === "+" && typeof a === "string") return a + (b as string);
  if (fn === "+" && isList(a)) return [...a, ...(b as readonly Value[])];
  if (typeof a === "number" && typeof b === "number") {
    if (fn === "/" && b === 0) throw new Fault("division by zero");
    return finite(fn === "+" ? a + b : fn === "-" ? a - b : fn === "*" ? a * b : a / b);
  }
  const [x, y] = [a as bigint, b as bigint];
  switch (fn) {
    case "+":
      return within(x + y, type);
    case "-":
      return within(x - y, type);
    case "*":
      return within(x * y, type);
    default:
      if (y === 0n) throw new Fault("division by zero");
      return fn === "/" ? x / y : x % y;
  }
}

/** Comparison and membership; undefined: the name is none of these. */
export function relation(fn: string, [a, b]: Args): boolean | undefined {
  switch (fn) {
    case "==":
      return equal(a, b);
    case "!=":
      return !equal(a, b);
    case "<":
      return compare(a, b) < 0;
    case "<=":
      return compare(a, b) <= 0;
    case ">":
      return compare(a, b) > 0;
    case ">=":
      return compare(a, b) >= 0;
    case "in":
      return isMap(b) ? b.has(a as string) : (b as Args).some((item) => equal(item, a));
    default:
      return undefined;
  }
}

/** Spelling `string(x)` gives to a value of a type. */
export function textOf(value: Value, type: Type): string {
  const plain = plainType(type);
  switch (plain.kind) {
    case "decimal":
      return decimalText(value as bigint, plain.places);
    case "timestamp":
      return instantShort(value as bigint);
    case "duration":
      return durationShort(value as bigint);
    default:
      return String(value);
  }
}

const WHITE =
  "\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const TRIM = new RegExp(`^[${WHITE}]+|[${WHITE}]+$`, "g");

function replaceAll(text: string, part: string, by: string): string {
  if (part !== "") return text.split(part).join(by);
  return by + [...text].map((one) => one + by).join("");
}

function slug(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[A-Z]/g, (one) => one.toLowerCase())
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** A number as a JSON number, wherever it stands in the value. */
function jsonOf(value: Value, type: Type): Value {
  const plain = plainType(type);
  if (value === null) return null;
  if (plain.kind === "list") return list(value).map((one) => jsonOf(one, plain.of));
  if (plain.kind === "map") {
    const members = [...(value as ReadonlyMap<string, Value>)];
    return new Map(members.map(([name, one]) => [name, jsonOf(one, plain.of)]));
  }
  return /^(integer|decimal|number)$/.test(plain.kind)
    ? ({ digits: textOf(value, plain) } as Value)
    : value;
}

type Call = (args: Args, types: readonly Type[], type: Type) => Value;
const text = (value: Value): string => value as string;
const list = (value: Value): Args => value as Args;

function pick(args: Args, sign: number): Value {
  const items = args.length === 1 && isList(args[0]) ? args[0] : args;
  if (items.length === 0) throw new Fault("empty list");
  return items.reduce((best, item) => (sign * compare(item, best) > 0 ? item : best));
}

function distinct(items: Args): Value[] {
  const found: Value[] = [];
  for (const item of items) if (!found.some((one) => equal(one, item))) found.push(item);
  return found;
}

function toInteger(value: Value): bigint {
  if (typeof value === "bigint") return value;
  if (!/^-?[0-9]+$/.test(text(value))) throw new Fault("no integer");
  return bounded(BigInt(text(value)));
}

function rescale(value: bigint, from: number, to: number, how: Rounding): bigint {
  if (to >= from) return bounded(value * 10n ** BigInt(to - from));
  return divideRounded(value, 10n ** BigInt(from - to), how);
}

/** The whole number next to the value, below (-1n) or above (1n). */
function whole(value: Value, type: Type | undefined, side: bigint): Value {
  if (typeof value === "number") {
    const cut = Math.trunc(value);
    const isCut = side > 0n ? cut < value : cut > value;
    return finite(isCut ? cut + Number(side) : cut);
  }
  const unit = 10n ** BigInt(placesOf(type));
  const cut = (value as bigint) / unit;
  const isCut = side > 0n ? cut * unit < (value as bigint) : cut * unit > (value as bigint);
  return isCut ? cut + side : cut;
}

const rounding =
  (how: Rounding): Call =>
  ([value, places], [from]) =>
    rescale(value as bigint, placesOf(from), Number(places), how);

const getter =
  (name: string): Call =>
  ([value, zone], [type]) =>
    plainType(type).kind === "duration"
      ? durationPart(name, value as bigint)
      : calendarPart(name, value as bigint | string, (zone as string | undefined) ?? "UTC");

/** Null where the text has no such value. */
const orNull =
  (read: (value: Value) => Value): Call =>
  ([value]) => {
    try {
      return read(value);
    } catch (thrown) {
      if (thrown instanceof Fault) return null;
      throw thrown;
    }
  };

const CALLS: Readonly<Record<string, Call>> = {
  abs: ([value]) =>
    typeof value === "number"
      ? Math.abs(value)
      : (value as bigint) < 0n
        ? -(value as bigint)
        : value,
  divide: ([a, b, places, how], [left, right]) => {
    const above = (a as bigint) * 10n ** BigInt(Number(places) + placesOf(right));
    const below = (b as bigint) * 10n ** BigInt(placesOf(left));
    return bounded(divideRounded(above, below, how as Rounding));
  },
  int: ([value]) => toInteger(value),
  int_or_null: orNull((a) => toInteger(a)),
  date_or_null: orNull((a) => (dayNumber(text(a)) === undefined ? null : a)),
  timestamp_or_null: orNull((a) => instantOf(text(a)) ?? null),
  duration_or_null: orNull((a) => celDuration(text(a))),
  max: (args) => pick(args, 1),
  min: (args) => pick(args, -1),
  round_down: rounding("down"),
  round_half_even: rounding("half_even"),
  round_half_up: rounding("half_up"),
  sum: ([items], _, type) =>
    list(items).reduce<Value>(
      (total, item) => arithmetic("+", [total, item], type),
      type.kind === "number" ? 0 : 0n,
    ),
  contains: ([a, b]) => text(a).includes(text(b)),
  startsWith: ([a, b]) => text(a).startsWith(text(b)),
  endsWith: ([a, b]) => text(a).endsWith(text(b)),
  join: ([items, by]) => list(items).join(text(by)),
  lower: ([a]) => text(a).replace(/[A-Z]/g, (one) => one.toLowerCase()),
  upper: ([a]) => text(a).replace(/[a-z]/g, (one) => one.toUpperCase()),
  matches: ([a, pattern]) => new RegExp(text(pattern), "u").test(text(a)),
  replace: ([a, part, by]) => replaceAll(text(a), text(part), text(by)),
  ...ENCODINGS,
  ...COLLECTIONS,
  slug: ([a]) => slug(text(a)),
  split: ([a, by]) => (by === "" ? [...text(a)] : text(a).split(text(by))),
  string: ([a], [type]) => textOf(a, type as Type),
  trim: ([a]) => text(a).replace(TRIM, ""),
  distinct: ([items]) => distinct(list(items)),
  flatten: ([items]) => list(items).flatMap((one) => list(one)),
  is_unique: ([items]) => distinct(list(items)).length === list(items).length,
  size: ([of]) =>
    BigInt(typeof of === "string" ? [...of].length : isMap(of) ? of.size : list(of).length),
  slice: ([items, from, to]) => {
    const [start, end] = [Number(from), Number(to)];
    return list(items).filter((_, i) => i >= start && i < end);
  },
  json: ([value], [type]) => jsonOf(value, type as Type),
  patched: ([target, patch]) => patchedBy(target as Value, patch as Value),
  sorted: ([items]) => [...list(items)].sort(compare),
  extract_or_null: ([a, pattern]) => {
    const found = new RegExp(text(pattern), "u").exec(text(a));
    return (found === null ? null : found.length > 1 ? found[1] : found[0]) ?? null;
  },
  pad_left: ([a, size, fill]) => {
    const missing = Number(size) - [...text(a)].length;
    const before = [...text(fill).repeat(Math.max(0, missing))].slice(0, Math.max(0, missing));
    return before.join("") + text(a);
  },
  floor: ([value], [type]) => whole(value, type, -1n),
  ceil: ([value], [type]) => whole(value, type, 1n),
  number: ([value], [type]) => Number(decimalText(value as bigint, placesOf(type))),
  add_months: ([at, count]) => monthsLater(at as bigint | string, count as bigint),
  days_between: ([from, to]) => BigInt((dayNumber(text(to)) ?? 0) - (dayNumber(text(from)) ?? 0)),
  days: ([count], _, type) => within((count as bigint) * 86_400n * SECOND, type),
  hours: ([count], _, type) => within((count as bigint) * 3600n * SECOND, type),
  minutes: ([count], _, type) => within((count as bigint) * 60n * SECOND, type),
  seconds: ([count], _, type) => within((count as bigint) * SECOND, type),
  unix_millis: ([at]) => unixMillis(at as bigint),
  from_unix_seconds: ([count], _, type) => within((count as bigint) * SECOND, type),
  from_unix_millis: ([count], _, type) => within((count as bigint) * 1000n, type),
  add_days: ([date, days]) => dateText((dayNumber(text(date)) ?? 0) + Number(days)),
  date: ([a]) => {
    if (dayNumber(text(a)) === undefined) throw new Fault("no date");
    return a;
  },
  date_of: ([at, zone]) => dateIn(at as bigint, text(zone)),
  duration: ([a]) => celDuration(text(a)),
  start_of: ([date, zone]) => startOf(text(date), text(zone)),
  timestamp: ([a]) => {
    const found = instantOf(text(a));
    if (found === undefined) throw new Fault("no timestamp");
    return found;
  },
  unix_seconds: ([at]) => unixSeconds(at as bigint),
};

/** A function by its name. Throws a plain error for a name that the language does not have. */
export function call(fn: string, args: Args, types: readonly Type[], type: Type): Value {
  if (fn.startsWith("get") && CALLS[fn] === undefined) return getter(fn)(args, types, type);
  const found = CALLS[fn];
  if (found === undefined) throw new Error(`the reference has no function ${fn}`);
  return found(args, types, plainType(type));
}
