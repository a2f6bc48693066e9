/** Nodes as plain JSON values, and those as text; no digit of a number is lost. */
import type { Files } from "../model/index.ts";
import type { Node } from "../tree/index.ts";

export type Json = string | number | boolean | null | readonly Json[] | JsonObject | Raw;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** A number that no binary64 is: its digits, as JSON.rawJSON gives them. */
interface Raw {
  readonly rawJSON: string;
}

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

declare global {
  interface JSON {
    /** ECMAScript 2026, 25.5.3. */
    rawJSON(text: string): Raw;
    isRawJSON(value: unknown): boolean;
  }
}

/** The value of a node. The depth of nodes is bounded by their reader. */
export function jsonOf(node: Node, files: Files): Json {
  if (node.kind === "list") return node.items.map((each) => jsonOf(each, files));
  if (node.kind === "map") {
    // `__proto__` is a name like any other.
    const found: Record<string, Json> = Object.create(null) as Record<string, Json>;
    node.keys.forEach((key, index) => {
      found[key] = jsonOf(node.values[index] as Node, files);
    });
    return found;
  }
  if (typeof node.value !== "number") return node.value;
  const text = files.all[node.file]?.text.slice(node.start, node.end) ?? "";
  if (String(node.value) === text || !NUMBER.test(text)) return node.value;
  return JSON.rawJSON(text);
}

/** Whether a value is an object with members. */
export function isObject(value: Json | undefined): value is JsonObject {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !isRaw(value as object)
  );
}

const isRaw = (value: object): value is Raw => JSON.isRawJSON(value);

/** A list, or an empty one. */
export const listOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : [];

/** An object, or an empty one. */
export const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

/** A text, or undefined. */
export const textOf = (value: Json | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

/** Without the members of these names. */
export function without(value: JsonObject, names: readonly string[]): Record<string, Json> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

/** Whether there is nothing in it. */
export const isEmpty = (value: JsonObject): boolean => Object.keys(value).length === 0;

/** A scalar as text, a number with the digits that it has in the file; else undefined. */
export function plainOf(value: Json | undefined): string | undefined {
  if (typeof value === "object" && value !== null) {
    return JSON.isRawJSON(value) ? JSON.stringify(value) : undefined;
  }
  return value === undefined || value === null ? undefined : String(value);
}
