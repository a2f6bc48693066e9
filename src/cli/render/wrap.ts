/** Takes text for people, gives it in lines of a width; must not know colours. */
import { displayWidth } from "../../write/index.ts";

/** Breaks text at spaces into lines of at most `columns`; a longer word gets a line of its own. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  let width = 0;
  for (const word of text.split(/\s+/)) {
    if (word === "") continue;
    const wordWidth = displayWidth(word);
    if (line !== "" && width + 1 + wordWidth > columns) {
      lines.push(line);
      line = word;
      width = wordWidth;
    } else {
      line = line === "" ? word : `${line} ${word}`;
      width += line === word ? wordWidth : wordWidth + 1;
    }
  }
  if (line !== "") lines.push(line);
  return lines;
}

/** A number and the noun that fits: `1 error`, `2 errors`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
