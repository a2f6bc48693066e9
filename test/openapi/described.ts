/** Descriptions of texts, and what was wrong with texts that are none. */
import assert from "node:assert/strict";
import { type Description, describe, Unreadable } from "../../src/openapi/index.ts";

/** The description in `text`, with other files by their paths. */
export function described(
  text: string,
  others: Readonly<Record<string, string>> = {},
): Description {
  return describe("api.yaml", Buffer.from(text), (path) => {
    const other = others[path];
    return other === undefined ? "there is no such file" : Buffer.from(other);
  });
}

/** The code, place and message of what keeps a text from being read. */
export function unreadable(text: string): { code: string; line: number; message: string } {
  try {
    described(text);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const { code, message, place } = error.problem;
    const line = text.slice(0, place.start).split("\n").length;
    return { code, line, message };
  }
  return assert.fail("the text was read");
}
