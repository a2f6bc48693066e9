/** Takes a place in a text, gives the characters there as one shared string; knows no language. */

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
