/** Texts for stated rules: right ones, ones at a bound, and wrong ones. */
import type { Rule } from "../../plan/index.ts";
import { wholeMatcher } from "../../run/index.ts";
import type { Making } from "./making.ts";
import { matchingText } from "./patterns.ts";

/** A rule of that kind. */
export type Of<K extends Rule["kind"]> = Extract<Rule, { kind: K }>;

/** The rule of that kind; undefined: there is none. */
export function ruleOf<K extends Rule["kind"]>(rules: readonly Rule[], kind: K): Of<K> | undefined {
  return rules.find((one): one is Of<K> => one.kind === kind);
}

/** A length inside bounds or at one; on purpose just outside. */
export function length(making: Making, min: number, max: number | undefined): number {
  const { random, wrong, size } = making;
  const most = Math.max(min, Math.min(max ?? min + 6, 5_000));
  if (size !== undefined && random.chance(0.6)) return size;
  if (random.chance(wrong)) return min > 0 && random.chance(0.5) ? min - 1 : most + 1;
  return random.pick([min, min + 1, Math.min(min + 3, most), most].filter((one) => one <= most));
}

/** Whether the text matches the pattern of the rules, if they have one. */
export function isMatching(rules: readonly Rule[], written: string): boolean {
  const pattern = ruleOf(rules, "matches")?.pattern;
  return pattern === undefined || wholeMatcher(pattern)(written);
}

/** A text that was not made before. */
export function newText({ tag, random }: Making): string {
  return `${tag}${random.serial().toString(36)}`;
}

/** A text by its rules. */
export function text(making: Making, rules: readonly Rule[]): string {
  const { random } = making;
  const size = ruleOf(rules, "characters");
  const pattern = ruleOf(rules, "matches")?.pattern;
  const matching = pattern === undefined ? undefined : matchingText(random, pattern);
  if (matching !== undefined) {
    if (!random.chance(making.wrong)) return matching;
    // What is nearly right tells whether the pattern is held to be the whole text.
    return random.pick([`-${matching}`, `${matching}-`, `${matching}\n`, matching.slice(0, -1)]);
  }
  if (pattern !== undefined && !random.chance(making.wrong)) return newText(making);
  const schemes = ruleOf(rules, "scheme")?.schemes ?? [];
  if (schemes.length > 0 && !random.chance(making.wrong)) {
    return `${random.pick(schemes)}://${newText(making)}.example/x`;
  }
  const word = random.chance(0.15)
    ? `${newText(making)} Zoë 𝔘 ${random.pick(["'", '"', "\\", "%", "_"])}`
    : newText(making);
  if (size === undefined) {
    if (random.chance(0.05)) return ` ${word} `;
    return random.chance(making.wrong) ? "" : word;
  }
  // White space alone is nothing where a text is trimmed.
  if (size.min !== undefined && random.chance(making.wrong / 4)) return " ".repeat(size.min + 1);
  const points = [...word];
  const { min = 0, max = points.length } = size;
  const isTrimmed = points.length <= max && rules.some(({ kind }) => kind === "trimmed");
  if (isTrimmed && making.isTagged !== true && random.chance(0.1)) return ` ${word} `;
  const own = Math.min(Math.max(points.length, min), max);
  const wanted = making.isTagged === true ? own : length(making, min, size.max);
  while (points.length < wanted) points.push(String.fromCharCode(97 + random.below(26)));
  return points.slice(Math.max(0, points.length - wanted)).join("");
}

/** The chance that an address is as long as a text of its rules would be. */
const LONG = 0.3;

/** An address by one of the schemes that are let in; as long as a text of its rules would be. */
export function address(making: Making, rules: readonly Rule[]): string {
  const { random, wrong } = making;
  const schemes = ruleOf(rules, "scheme")?.schemes ?? [];
  const size = ruleOf(rules, "characters");
  const isOdd = random.chance(wrong);
  // One thing that is wrong tells more than both.
  const isOddLength = isOdd && size !== undefined && (schemes.length === 0 || random.chance(0.5));
  const isOther = isOdd && !isOddLength;
  const scheme = schemes.length === 0 ? "https" : isOther ? "ftp" : random.pick(schemes);
  const short = `${scheme}://${newText(making)}.example/x`;
  if (size === undefined || (!isOddLength && !random.chance(LONG))) return short;
  const own = { ...making, wrong: Number(isOddLength) };
  return short.padEnd(length(own, size.min ?? 0, size.max), "x");
}
