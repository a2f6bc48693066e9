/** Equality of JSON values as JSON Schema has it: by value, members in any order. */
import { decimalOf, normal } from "./decimal.ts";
import { isList, isObject, type Tree } from "./tree.ts";

/** A text that two values share exactly when they are equal. */
export function identity(value: Tree): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (value === null || typeof value === "boolean") return String(value);
  if (isList(value)) return `[${value.map(identity).join()}]`;
  if (isObject(value)) {
    const members = [...value].map(([name, one]) => `${JSON.stringify(name)}:${identity(one)}`);
    return `{${members.sort().join()}}`;
  }
  const { numberText } = value;
  return SHORT.test(numberText) ? `n${numberText}e0` : `n${normal(decimalOf(numberText))}`;
}

/** Whole numbers that are their own shortest form, as most are. */
const SHORT = /^-?[1-9][0-9]{0,14}(?<!0)$/;
