/** Takes a text, gives its lines with their line ends; must not know Markdown. */

/** One line: `text` without, `end` with only its line end (empty on a last line without one). */
export interface Line {
  readonly text: string;
  readonly end: string;
}

/** Cuts a text into lines, which joined give the text again. A lone CR ends a line, too. */
export function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  const ends = /\r\n|\n|\r/g;
  let from = 0;
  for (let found = ends.exec(text); found !== null; found = ends.exec(text)) {
    lines.push({ text: text.slice(from, found.index), end: found[0] });
    from = found.index + found[0].length;
  }
  if (from < text.length) lines.push({ text: text.slice(from), end: "" });
  return lines;
}

/** The first line end of a text; LF where it has none. */
export function lineEndOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
}

/** `text`, written with LF, with another line end. */
export function withLineEnd(text: string, lineEnd: string): string {
  return lineEnd === "\n" ? text : text.replaceAll("\n", lineEnd);
}
