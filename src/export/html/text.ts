/** Text as HTML: escaped, and names that fragments of addresses are made of. */

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

// Controls that change the direction or the end of what stands around them are shown, not obeyed.
const HIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

const shown = (sign: string): string =>
  `\u2039U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}\u203a`;

/** Any text as content of an element or as an attribute between double quotes. */
export function escaped(text: string): string {
  return text
    .replaceAll(HIDDEN, shown)
    .replaceAll(/\p{Surrogate}/gu, "\ufffd")
    .replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? "");
}

const SLUG_MAX = 80;

/** Names of places in the page: each is given once. */
export class Ids {
  readonly #given = new Map<string, number>();

  /** A name made of the text's letters and digits; a second one of the same letters gets `-2`. */
  take(text: string): string {
    const plain = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_.]+/gu, "-")
      .slice(0, SLUG_MAX)
      .replaceAll(/^-+|-+$/g, "");
    // A letter that was cut in two, and names that only differ in nothing that can be written.
    const slug = plain.replaceAll(/\p{Surrogate}/gu, "") || "x";
    let count = (this.#given.get(slug) ?? 0) + 1;
    let id = count === 1 ? slug : `${slug}-${count}`;
    while (count > 1 && this.#given.has(id)) {
      count++;
      id = `${slug}-${count}`;
    }
    this.#given.set(slug, count);
    if (id !== slug) this.#given.set(id, 1);
    return id;
  }
}

/** `one gap`, `2 gaps`. */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
