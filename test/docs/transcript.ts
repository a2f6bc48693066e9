/** Console transcripts of the documentation: their commands, and what these must print. */
import assert from "node:assert/strict";

interface Command {
  readonly line: string;
  readonly output: string;
}

/** `$ command` lines, each with what stands below it. */
export function commandsOf(text: string): Command[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((piece) => {
      const end = piece.indexOf("\n");
      return { line: piece.slice(0, end).trim(), output: piece.slice(end + 1) };
    });
}

/** Whether a command printed what stands there: `...` or `…` alone is any lines, `…` any words. */
export function assertLike(actual: string, expected: string, place: string): void {
  const clean = (text: string): string => text.replaceAll(/[ \t]+$/gm, "").trim();
  const escaped = clean(expected).replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const pattern = escaped.replaceAll(/^(\\\.\\\.\\\.|…)$/gm, "[^]*?").replaceAll("…", ".*?");
  assert.match(clean(actual), new RegExp(`^${pattern}$`), place);
}
