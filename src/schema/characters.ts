/** Characters of JSON Schema: Unicode code points. */

/** How many a text has. */
export function charactersIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0xdc00 || code > 0xdfff) count++;
  }
  return count;
}
