/** Texts of references: JSON Pointers behind `#` (RFC 6901 section 6). */

/** As written, where it is no percent-encoding. */
export function decoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The name of a member that a token of a pointer stands for. */
export const unescaped = (token: string): string =>
  decoded(token).replaceAll("~1", "/").replaceAll("~0", "~");

/** The token of a pointer for the name of a member. */
export const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");
