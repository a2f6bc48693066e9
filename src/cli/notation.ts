/** Which notation a file is in, told by its content; reads nothing of it. */
import type { Input } from "./files.ts";

/** How much of a file is looked at first, in bytes. */
const BEGINNING = 1024;

/** How much of a file is looked at to tell what it is, in bytes. */
const LOOKED_AT = 4 * 1024 * 1024;

/**
 * Whether a file is a description and not a document of nine parts: it begins like JSON, names its
 * language at the beginning of a line before any heading of a part, or is called so.
 */
export function isDescription({ file, bytes }: Input): boolean {
  // A file in UTF-16 is not read, and told as what it is.
  const decoder = new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8");
  // Most are told by their first character.
  if (/^\s*\{/.test(decoder.decode(bytes.subarray(0, BEGINNING)))) return true;
  const text = decoder.decode(bytes.subarray(0, LOOKED_AT));
  const named = /^["']?(openapi|swagger|asyncapi)["']?[ \t]*:/m.exec(text);
  const heading = /^## /m.exec(text);
  if (named !== null) return heading === null || named.index < heading.index;
  return heading === null && /\.(ya?ml|json)$/i.test(file);
}

/** What is said of a description where a document of nine parts is wanted. */
export function wantsDocument({ file }: Input): string {
  return (
    `${file}: this is a description in another notation; make a document of it first: ` +
    `\`lacuna import ${file}\``
  );
}
