/** JSON values as a text says them: no digit is lost, and no prototype is in reach. */

/** A number by its digits: `{ numberText: "1.50" }`. Objects are maps in the order of the text. */
export type Tree = null | boolean | string | TreeNumber | readonly Tree[] | TreeObject;
interface TreeNumber {
  readonly numberText: string;
}
export type TreeObject = ReadonlyMap<string, Tree>;
/** What has members or items: the parts of a text that have an identity. */
export type Holder = TreeObject | readonly Tree[];

/** Whether a value is an object. */
export function isObject(value: Tree | undefined): value is TreeObject {
  return value instanceof Map;
}

/** Whether a value is an array. */
export function isList(value: Tree | undefined): value is readonly Tree[] {
  return Array.isArray(value);
}

/** Whether a value is a number. */
export function isNumber(value: Tree | undefined): value is TreeNumber {
  return typeof value === "object" && value !== null && "numberText" in value;
}

/** The types of JSON Schema but `integer`, which is a number without a fraction. */
type TypeName = "null" | "boolean" | "string" | "number" | "array" | "object";

/** The type of a value. */
export function typeOf(value: Tree): TypeName {
  if (value === null) return "null";
  if (isObject(value)) return "object";
  if (isList(value)) return "array";
  return typeof value === "object" ? "number" : (typeof value as "boolean" | "string");
}
