/** A JSON value as its shortest text: digits as they stand, members in their order. */
import { isList, isObject, type Tree } from "./tree.ts";

/** The text; two texts with the same values, but for spaces, give one. */
export function textOf(value: Tree): string {
  if (isList(value)) return `[${value.map(textOf).join()}]`;
  if (isObject(value)) {
    const members = [...value].map(([name, one]) => `${JSON.stringify(name)}:${textOf(one)}`);
    return `{${members.join()}}`;
  }
  if (typeof value === "object" && value !== null) return value.numberText;
  return JSON.stringify(value);
}
