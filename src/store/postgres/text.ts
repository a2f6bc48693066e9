/**
 * Texts as PostgreSQL keeps them, which has no U+0000: the first three characters are written as
 * four of two others each. Their order is that of code points still, and since no code stands in
 * two others beside each other (a comma-free code: Golomb, Gordon, Welch, 1958), so are substrings.
 */

const CODES: Readonly<Record<string, string>> = {
  "\u0000": "\u0001\u0001\u0001\u0002",
  "\u0001": "\u0001\u0001\u0002\u0002",
  "\u0002": "\u0001\u0002\u0002\u0002",
};
const TEXTS = new Map(Object.entries(CODES).map(([text, code]) => [code, text]));

const PLAIN = /[\u0000-\u0002]/g;
const CODED = /[\u0001\u0002]{4}/g;

/** The text as it is kept. */
export function toKept(text: string): string {
  return text.search(PLAIN) < 0 ? text : text.replace(PLAIN, (one) => CODES[one] ?? one);
}

/** The text of what is kept. */
export function fromKept(kept: string): string {
  return kept.search(CODED) < 0 ? kept : kept.replace(CODED, (one) => TEXTS.get(one) ?? one);
}
