/** The lossless JSON tree: what a JSON text says, with no digit lost and no prototype in reach. */

import { RUN_BOUNDS } from "../evaluate/bounds.ts";
import type { JsonNumber } from "../ports/index.ts";

export type { JsonNumber };

/** Objects are maps in the order of the text, so a member called `__proto__` is a name like any. */
export type Json = null | boolean | string | JsonNumber | readonly Json[] | JsonObject;
type JsonObject = ReadonlyMap<string, Json>;

/** Arrays and objects nest at most this deep; deeper text is refused as malformed. */
export const DEPTH_MAX = RUN_BOUNDS.levels.value;

/** Repeated members are listed up to this many; the first one decides in any case. */
export const REPEATED_MAX = 100;

/** A member name that stands twice in one object: its dotted path and the offset of the second. */
export interface Repeated {
  readonly path: string;
  readonly at: number;
}

/** The tree, or what is wrong and at which offset (UTF-16 units of the decoded text). */
export type Parsed =
  | { readonly ok: true; readonly value: Json; readonly repeated: readonly Repeated[] }
  | { readonly ok: false; readonly at: number; readonly message: string };

/** Whether a tree is a number: the only object of a tree that is neither an array nor a map. */
export function isJsonNumber(value: unknown): value is JsonNumber {
  return typeof value === "object" && value !== null && "numberText" in value;
}

/** Whether a tree is an object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return value instanceof Map;
}
