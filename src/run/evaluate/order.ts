/** Order of values of one type: texts by code points, all else by size. */
import type { Value } from "./values.ts";

type Compare = (a: Value, b: Value) => number;

/** Negative, zero or positive, for two values of an ordered type of this kind. */
export function orderOf(kind: string): Compare {
  if (kind === "string") return (a, b) => compareTexts(a as string, b as string);
  return (a, b) => ((a as bigint) < (b as bigint) ? -1 : (a as bigint) > (b as bigint) ? 1 : 0);
}

/** Order of two texts by Unicode code points (UTF-16 units differ beyond U+FFFF). */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Surrogates stand for what is above U+FFFF, so they come after every other unit. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
