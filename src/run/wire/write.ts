/** Writes the lossless JSON tree as JSON text: no spaces, members in their order, exact numbers. */

import type { Json, JsonNumber } from "./json.ts";
import { isJsonObject } from "./json.ts";

/** JSON text of a tree. The tree is at most `DEPTH_MAX` deep, as the parser made it. */
export function writeJson(value: Json): string {
  if (value === null) return "null";
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "boolean") return value ? "true" : "false";
  if (isJsonObject(value)) {
    let text = "{";
    for (const [name, member] of value) {
      text += `${text.length > 1 ? "," : ""}${JSON.stringify(name)}:${writeJson(member)}`;
    }
    return `${text}}`;
  }
  if (!Array.isArray(value)) return (value as JsonNumber).numberText;
  let text = "[";
  for (const item of value as readonly Json[]) {
    text += text.length > 1 ? `,${writeJson(item)}` : writeJson(item);
  }
  return `${text}]`;
}
