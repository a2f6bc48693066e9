/** Takes text, gives the columns that a terminal or an editor with a fixed pitch shows it in. */

/** Ranges of East Asian Wide and Fullwidth code points (Unicode Standard Annex 11). */
const WIDE: readonly (readonly [from: number, to: number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1b000, 0x1b2fb],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
];
const ZERO = /[\p{Mn}\p{Me}\p{Cf}]/u;
const EMOJI = /\p{Emoji_Presentation}/u;
const ASCII_END = 0x7f;
const FIRST_COMBINING = 0x300;

/** Columns of one code point: 0, 1 or 2. A tab counts as one: it must be expanded before. */
export function pointWidth(point: number): 0 | 1 | 2 {
  if (point < FIRST_COMBINING) return point === 0xad ? 0 : 1;
  const text = String.fromCodePoint(point);
  if (ZERO.test(text)) return 0;
  if (WIDE.some(([from, to]) => point >= from && point <= to)) return 2;
  return EMOJI.test(text) ? 2 : 1;
}

/** Columns of a text without tabs and line ends. */
export function displayWidth(text: string): number {
  let columns = 0;
  for (let i = 0; i < text.length; ) {
    const point = text.codePointAt(i) ?? 0;
    columns += point <= ASCII_END ? 1 : pointWidth(point);
    i += point > 0xffff ? 2 : 1;
  }
  return columns;
}
