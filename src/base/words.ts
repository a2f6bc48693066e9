/** Takes a stretch of a text, gives a shared string or a short name of it; knows no language. */

/** A slice of up to so many characters is copied; a longer one would keep its text alive. */
const LENGTH_MAX = 12;
const PLACES = 4096;
const shared = new Array<string>(PLACES).fill("");

/**
 * `text.slice(start, end)`; where short, the same string as the last time, as far as one of another
 * text has not taken its place. Documents say few words many times. Linear in the slice.
 */
export function wordAt(text: string, start: number, end: number): string {
  const length = end - start;
  if (length > LENGTH_MAX) return text.slice(start, end);
  let hash = length;
  for (let at = start; at < end; at++) hash = Math.imul(hash, 31) + text.charCodeAt(at);
  const place = (hash ^ (hash >>> 12)) & (PLACES - 1);
  const known = shared[place] as string;
  if (known.length === length && text.startsWith(known, start)) return known;
  const word = text.slice(start, end);
  shared[place] = word;
  return word;
}

/** A name made of content is cut behind so many characters. */
const NAME_MAX = 60;
const BASE = 36;

/** A hash of a text as seven digits of base 36 at the most (FNV-1a, 32 bits). */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0).toString(BASE);
}

/**
 * What is written as a name: with single spaces, without backticks and its last mark, and without
 * the slash that parts the names of an item's owners. A long one is cut, with a hash of the whole
 * behind it. Equal words give equal names wherever they stand.
 */
export function contentName(written: string): string {
  const bare = written.replaceAll("`", "").replaceAll("/", "|");
  const words = bare.replaceAll(/\s+/g, " ").trim().replace(/[.:]$/, "");
  return words.length <= NAME_MAX ? words : `${words.slice(0, NAME_MAX)}~${digest(words)}`;
}
