/** Takes a text and its blocks, gives what lies between them; shows that reading loses nothing. */
import type { Span } from "../../base/index.ts";
import type { Block } from "./types.ts";

/**
 * The spans before, between and behind the outermost blocks, in order, empty ones too: with the
 * spans of the blocks they make up the whole text, and they hold nothing but blanks and line ends.
 */
export function blankSpans(text: string, blocks: readonly Block[]): Span[] {
  const spans: Span[] = [];
  let at = 0;
  for (const block of blocks) {
    spans.push({ start: at, end: block.start });
    at = block.end;
  }
  spans.push({ start: at, end: text.length });
  return spans;
}
