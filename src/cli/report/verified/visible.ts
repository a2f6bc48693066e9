/** Makes texts visible: what a terminal would obey or hide is shown; knows no report. */
import { displayWidth } from "../../../write/index.ts";

const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const PICTURES = 0x2400;

function shown(sign: string): string {
  const point = sign.codePointAt(0) ?? 0;
  if (point < 0x20) return String.fromCodePoint(PICTURES + point);
  return `<U+${point.toString(16).toUpperCase().padStart(4, "0")}>`;
}

/** One line: a line end is shown, too. */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, shown);
}

/** At most so many columns of the text, with a mark where it is cut. */
export function cut(text: string, columns: number): string {
  // A sign is two columns wide at most; what lies far behind the edge need not be looked at.
  const near = visible(text.slice(0, columns * 2));
  if (text.length <= columns * 2 && displayWidth(near) <= columns) return near;
  const signs = [...near];
  let width = 0;
  let count = 0;
  for (const sign of signs) {
    width += displayWidth(sign);
    if (width > columns - 1) break;
    count += 1;
  }
  return `${signs.slice(0, count).join("")}…`;
}
