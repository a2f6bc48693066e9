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

/**
 * Characters of a text that an index holds: an entry has a place of 2704 bytes (`BTMaxItemSize` in
 * PostgreSQL's nbtree.h), and a character takes up to four.
 */
const INDEXED_MOST = 200;
/** Texts of an entry, so that all of them have their place. */
export const INDEXED_TEXTS_MOST = 3;

/** The beginning of a text as an index holds it, which is in the same order. */
export function beginningOf(sql: string): string {
  return `left(${sql}, ${INDEXED_MOST})`;
}

/** The text as it is kept. */
export function toKept(text: string): string {
  return text.search(PLAIN) < 0 ? text : text.replace(PLAIN, (one) => CODES[one] ?? one);
}

/** The text of what is kept. */
export function fromKept(kept: string): string {
  return kept.search(CODED) < 0 ? kept : kept.replace(CODED, (one) => TEXTS.get(one) ?? one);
}
