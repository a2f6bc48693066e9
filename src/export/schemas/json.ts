/** JSON values of exported files, written with every digit that the document has. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A member that is undefined is left out. */
export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

const { rawJSON } = JSON as unknown as { rawJSON(text: string): number };

/** The number of this text, in which no digit is lost when it is written. */
export function exactNumber(text: string): number {
  const value = Number(text);
  return String(value) === text ? value : rawJSON(text);
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
