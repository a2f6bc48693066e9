/** Compares entity tags as lists of header fields hold them (RFC 9110 section 8.8.3). */

/** The entity tags of a field value: a list of quoted texts, perhaps weak. */
function tagsOf(text: string): readonly string[] {
  return text.match(/(?:W\/)?"[\u0021\u0023-\u007e\u0080-\u00ff]*"/g) ?? [];
}

/** The strong comparison (section 8.8.3.2): a weak tag equals none. For `If-Match`. */
export function isListed(header: string, tag: string | undefined): boolean {
  return tag !== undefined && !tag.startsWith("W/") && tagsOf(header).includes(tag);
}

const opaque = (tag: string): string => tag.replace(/^W\//, "");

/** The weak comparison: tags are equal where their quoted texts are. For `If-None-Match`. */
export function isListedWeakly(header: string, tag: string): boolean {
  return header.trim() === "*" || tagsOf(header).some((one) => opaque(one) === opaque(tag));
}
