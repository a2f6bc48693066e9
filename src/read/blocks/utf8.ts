/** Takes bytes, gives the places of those that are no UTF-8; must not know what the text means. */

const CONTINUATION_LOW = 0x80;
const CONTINUATION_HIGH = 0xbf;

/**
 * Calls `report` with the UTF-16 offset of each U+FFFD that a decoder puts in place of a bad
 * sequence (WHATWG Encoding Standard, "UTF-8 decoder": one for each maximal subpart). Linear.
 */
export function badSequences(bytes: Uint8Array, report: (offset: number) => void): void {
  let offset = 0;
  let at = 0;
  while (at < bytes.length) {
    const lead = bytes[at] ?? 0;
    const more = continuations(lead);
    if (more === 0) {
      at++;
      offset++;
      continue;
    }
    const good = more < 0 ? 0 : goodContinuations(bytes, at, more);
    at += 1 + good;
    if (good === more) {
      offset += more === 3 ? 2 : 1;
    } else {
      report(offset);
      offset++;
    }
  }
}

/** How many bytes must follow a lead byte; -1 where it is no lead byte. */
function continuations(lead: number): number {
  if (lead < 0x80) return 0;
  if (lead >= 0xc2 && lead <= 0xdf) return 1;
  if (lead >= 0xe0 && lead <= 0xef) return 2;
  if (lead >= 0xf0 && lead <= 0xf4) return 3;
  return -1;
}

/** How many of the `count` bytes after `at` may follow it (no overlong form, no surrogate). */
function goodContinuations(bytes: Uint8Array, at: number, count: number): number {
  const lead = bytes[at];
  let low = CONTINUATION_LOW;
  let high = CONTINUATION_HIGH;
  if (lead === 0xe0) low = 0xa0;
  if (lead === 0xed) high = 0x9f;
  if (lead === 0xf0) low = 0x90;
  if (lead === 0xf4) high = 0x8f;
  for (let i = 0; i < count; i++) {
    const byte = bytes[at + 1 + i];
    if (byte === undefined || byte < low || byte > high) return i;
    low = CONTINUATION_LOW;
    high = CONTINUATION_HIGH;
  }
  return count;
}
