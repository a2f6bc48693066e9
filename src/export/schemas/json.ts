/** JSON values of exported files, written with every digit that the document has. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A member that is undefined is left out. */
export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): number;
  isRawJSON(value: unknown): boolean;
};

/** The number of this text, in which no digit is lost when it is written. */
export function exactNumber(text: string): number {
  const value = Number(text);
  return String(value) === text ? value : rawJSON(text);
}

const DEPTH_MAX = 200;

/** How deep objects and lists stand in each other in a JSON text. */
function depthOf(text: string): number {
  let [depth, most] = [0, 0];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{}\]]/g)) {
    if (token === "[" || token === "{") most = Math.max(most, ++depth);
    else if (!token.startsWith('"')) depth--;
  }
  return most;
}

type Reviver = (this: unknown, key: string, value: unknown, at: { source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver: Reviver) => Json;

/** The value of a JSON text, no digit lost; undefined: it is none, or nests too deep to be kept. */
export function exactJson(text: string): Json | undefined {
  if (depthOf(text) > DEPTH_MAX) return undefined;
  try {
    return parse(text, (_, value, { source }) =>
      typeof value === "number" && source !== undefined ? exactNumber(source) : value,
    );
  } catch {
    return undefined;
  }
}

/** Whether a value is an object with members: no list, no number that is kept by its digits. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRawJSON(value);
}

/** Where an import has put keywords that have no meaning where they stood. */
const KEPT = "x-lacuna-kept";

/** Keywords that are right in a schema for others, whatever the language makes of them. */
const RIGHT = /^(\$\w+|patternProperties|dependencies|additionalItems)$/;

/** Whether a keyword that was put apart may stand in a schema of a file. */
export const isRight = (name: string, value: Json): boolean =>
  RIGHT.test(name) || (name === "pattern" && typeof value === "string");

type Back = (name: string, value: Json) => boolean;

/** The value with what was put apart back in its place, or what of it may stand there. */
export function unfolded(value: Json, isBack: Back = () => true): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => unfolded(one, isBack));
  if (!isObject(value)) return value;
  const { [KEPT]: kept, ...own } = value;
  const whole = isObject(kept) ? withKept(own, kept, isBack) : value;
  return Object.fromEntries(
    Object.entries(whole).map(([name, one]) => [
      name,
      one === undefined || name === KEPT ? one : unfolded(one, isBack),
    ]),
  );
}

function withKept(own: JsonObject, kept: JsonObject, isBack: Back): JsonObject {
  const all = Object.entries(kept);
  const fits = ([name, one]: [string, Json | undefined]): boolean =>
    one !== undefined && isBack(name, one);
  const left = all.filter((one) => !fits(one));
  const back = Object.fromEntries(all.filter(fits));
  return { ...own, ...back, ...(left.length === 0 ? {} : { [KEPT]: Object.fromEntries(left) }) };
}

/** `over` laid over `base`: objects member by member, all else as a whole. */
export function laidOver(base: JsonObject, over: JsonObject): JsonObject {
  const members = Object.entries(over).map(([name, value]): [string, Json | undefined] => {
    const own = Object.hasOwn(base, name) ? base[name] : undefined;
    return [name, isObject(own) && isObject(value) ? laidOver(own, value) : value];
  });
  return { ...base, ...Object.fromEntries(members) };
}

/** The text of a file: two spaces a level, a line feed at its end. */
export function fileText(value: JsonObject): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** An object of these members, without those that are undefined; undefined where none is left. */
export function membersOf(
  entries: Iterable<readonly [string, Json | undefined]>,
): JsonObject | undefined {
  const all = [...entries].filter(([, value]) => value !== undefined);
  return all.length === 0 ? undefined : Object.fromEntries(all);
}
