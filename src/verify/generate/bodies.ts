/** JSON bodies with one value made otherwise. */
import { insideText } from "./held.ts";
import type { Making } from "./making.ts";

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

/** The value of a JSON text; undefined: it is none. */
export function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Whether it is a JSON object. */
export const isObject = (value: Json | undefined): value is { [member: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Paths of all values in one, itself left out. */
function pathsIn(value: Json, before: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    const path = [...before, name];
    return [path, ...pathsIn(one, path)];
  });
}

const isPlace = (name: string): boolean => /^\d+$/.test(name);

/** Values at a path, whatever the places in lists are. */
function valuesAt(value: Json | undefined, [first, ...rest]: readonly string[]): readonly Json[] {
  if (value === undefined) return [];
  if (first === undefined) return [value];
  if (isPlace(first))
    return Array.isArray(value) ? value.flatMap((one) => valuesAt(one, rest)) : [];
  return isObject(value) ? valuesAt(value[first], rest) : [];
}

/** What refuses a body: the value that it is on, and numbers and members that it speaks of. */
export interface Failing {
  readonly path: readonly string[] | undefined;
  readonly numbers: readonly number[];
  readonly names: ReadonlySet<string>;
}

/** The chance that what is changed is in the value that is wrong, or around it. */
const INNER = 0.5;
const OUTER = 0.2;
/** The chance that it is a number, where the rule speaks of numbers. */
const NUMBER = 0.6;
/** The chances that of a list one item is left, and that a value is left out. */
const ONE_ITEM = 0.4;
const LEFT_OUT = 0.15;
/** The chance that all texts of which a rule speaks are made the same. */
const ALIKE = 0.4;

/** A body with one value changed, left out, or taken from another body. */
export function changedBody(
  making: Making,
  { body: text, other }: { readonly body: string; readonly other: string },
  failing: Failing,
): string {
  const { random } = making;
  const body = parsed(text);
  if (body === undefined) return other;
  const { names } = failing;
  const alike = names.size > 0 && random.chance(ALIKE) ? insideText(making) : undefined;
  if (alike !== undefined) return JSON.stringify(withTexts(body, names, JSON.parse(alike)));
  const path = chosenPath(making, body, failing);
  const last = path.at(-1);
  const owner = valueAt(body, path.slice(0, -1));
  if (last === undefined || typeof owner !== "object" || owner === null) return other;
  const members = owner as Record<string, Json>;
  const value = members[last];
  if (Array.isArray(value) && value.length > 1 && random.chance(ONE_ITEM)) {
    members[last] = [random.pick(value)];
  } else if (value !== undefined && random.chance(LEFT_OUT)) {
    if (Array.isArray(owner)) owner.splice(Number(last), 1);
    else delete members[last];
  } else {
    const found = valuesFor(making, { body, path, value, other, numbers: failing.numbers });
    if (found.length === 0) return other;
    members[last] = random.pick(found);
  }
  return JSON.stringify(body);
}

/** A value with that text for all texts of members of those names. */
function withTexts(value: Json, names: ReadonlySet<string>, text: string): Json {
  if (Array.isArray(value)) return value.map((one) => withTexts(one, names, text));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, one]) => {
    const isNamed = typeof one === "string" && names.has(name);
    return [name, isNamed ? text : withTexts(one, names, text)] as const;
  });
  return Object.fromEntries(members);
}

/** The path of the value that is changed. */
function chosenPath({ random }: Making, body: Json, failing: Failing): readonly string[] {
  const paths = pathsIn(body);
  const { path, numbers } = failing;
  if (path === undefined) return paths.length === 0 ? [] : random.pick(paths);
  if (path.length > 1 && random.chance(OUTER)) return path.slice(0, -1);
  const within = paths.filter((one) => path.every((name, i) => one[i] === name));
  const ofNumbers = within.filter((one) => typeof valueAt(body, one) === "number");
  const isNumber = numbers.length > 0 && ofNumbers.length > 0;
  if (isNumber && random.chance(NUMBER)) return random.pick(ofNumbers);
  return within.length > 0 && random.chance(INNER) ? random.pick(within) : path;
}

function valueAt(body: Json, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (at, name) =>
      typeof at === "object" && at !== null ? (at as Record<string, Json>)[name] : undefined,
    body,
  );
}

/** What may stand at a path instead. */
function valuesFor(
  making: Making,
  at: {
    readonly body: Json;
    readonly path: readonly string[];
    readonly value: Json | undefined;
    readonly other: string;
    readonly numbers: readonly number[];
  },
): readonly Json[] {
  const { body, path, value, other, numbers } = at;
  const { random } = making;
  if (typeof value === "number" && numbers.length > 0 && random.chance(0.7)) {
    // Of a sum that is wanted, what the others leave.
    const place = path.findLastIndex(isPlace);
    const list = valueAt(body, path.slice(0, place)) ?? null;
    const all = place < 0 ? [value] : valuesAt(list, path.slice(place));
    const sum = all.reduce<number>((of, one) => of + (typeof one === "number" ? one : 0), 0);
    return numbers.flatMap((one) => [one, one - (sum - value)]);
  }
  const inside = typeof value === "string" && random.chance(0.5) ? insideText(making) : undefined;
  if (inside !== undefined) return [JSON.parse(inside) as Json];
  const found = [...valuesAt(parsed(other), path), ...valuesAt(body, path)];
  return found.filter((one) => one !== value);
}
