/** Takes the lines of one list, gives them with one space and even indentation; no meaning. */
import type { Line } from "./lines.ts";

/** A line that begins an item: `- ` or `1. `, with what stands before and behind the mark. */
export const ITEM = /^( *)(-|\d{1,9}\.)( +)(?=\S)(.*)$/;

interface Open {
  readonly contentIndent: number;
  readonly newIndent: number;
}

/** The text without spaces and tabs at its end. Linear, as a pattern for it would not be. */
export function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === " " || text[end - 1] === "\t")) end--;
  return text.slice(0, end);
}

/** Single spaces outside of code spans; a line whose backticks are not paired stays as it is. */
export function singleSpaced(text: string): string {
  const trimmed = withoutEnd(text);
  const pieces = trimmed.split(/(`+)/);
  let open = "";
  const out: string[] = [];
  for (const piece of pieces) {
    const isMark = /^`+$/.test(piece);
    if (isMark && open === "") open = piece;
    else if (isMark && piece === open) open = "";
    else if (!isMark && open === "") {
      out.push(piece.replaceAll(/ {2,}/g, " "));
      continue;
    }
    out.push(piece);
  }
  return open === "" ? out.join("") : trimmed;
}

/** The lines of a list, without line ends. Blank lines between its items are left out. */
export function formatItems(lines: readonly Line[]): string[] {
  const open: Open[] = [];
  const out: string[] = [];
  for (const { text } of lines) {
    if (text.trim() === "") continue;
    const indent = text.length - text.trimStart().length;
    const item = ITEM.exec(text);
    if (item === null) {
      out.push(" ".repeat(open.at(-1)?.newIndent ?? 0) + singleSpaced(text.trim()));
      continue;
    }
    const [, , mark = "-", spaces = " ", content = ""] = item;
    while (open.length > 0 && indent < (open.at(-1)?.contentIndent ?? 0)) open.pop();
    const base = open.at(-1)?.newIndent ?? 0;
    open.push({
      contentIndent: indent + mark.length + spaces.length,
      newIndent: base + mark.length + 1,
    });
    out.push(`${" ".repeat(base)}${mark} ${singleSpaced(content)}`);
  }
  return out;
}
