/**
 * Patterns of JSON Schema (ECMA-262) as patterns of RE2, which run in time linear in the text. What
 * RE2 does not have (looking around, references back, more than 1,000 repeats) is refused.
 */
import { RE2JS } from "re2js";
import { charactersIn } from "./characters.ts";

/** A pattern that is ready to search, or why it is none. */
type PatternRead =
  | { readonly ok: true; readonly test: (text: string) => boolean }
  | { readonly ok: false; readonly message: string };

const SPACE_RANGES: readonly (readonly [number, number])[] = [
  [0x9, 0xd],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const LAST = 0x10ffff;

const point = (code: number): string => `\\x{${code.toString(16)}}`;
const ranges = (all: readonly (readonly [number, number])[]): string =>
  all.map(([from, to]) => `${point(from)}-${point(to)}`).join("");

const SPACE = ranges(SPACE_RANGES);
const NO_SPACE = ranges(
  [...SPACE_RANGES, [LAST + 1, LAST + 1] as const].map(
    ([from], i) => [(SPACE_RANGES[i - 1]?.[1] ?? -1) + 1, from - 1] as const,
  ),
);
const ANY = `${point(0)}-${point(LAST)}`;
const NO_LINE_END = "[^\\n\\r\\x{2028}\\x{2029}]";

/** Long names of general categories, which RE2 knows by their short ones. */
const CATEGORIES: Readonly<Record<string, string>> = {
  Letter: "L",
  Cased_Letter: "LC",
  Uppercase_Letter: "Lu",
  Lowercase_Letter: "Ll",
  Titlecase_Letter: "Lt",
  Modifier_Letter: "Lm",
  Other_Letter: "Lo",
  Mark: "M",
  Combining_Mark: "M",
  Nonspacing_Mark: "Mn",
  Spacing_Mark: "Mc",
  Enclosing_Mark: "Me",
  Number: "N",
  Decimal_Number: "Nd",
  digit: "Nd",
  Letter_Number: "Nl",
  Other_Number: "No",
  Punctuation: "P",
  punct: "P",
  Connector_Punctuation: "Pc",
  Dash_Punctuation: "Pd",
  Open_Punctuation: "Ps",
  Close_Punctuation: "Pe",
  Initial_Punctuation: "Pi",
  Final_Punctuation: "Pf",
  Other_Punctuation: "Po",
  Symbol: "S",
  Math_Symbol: "Sm",
  Currency_Symbol: "Sc",
  Modifier_Symbol: "Sk",
  Other_Symbol: "So",
  Separator: "Z",
  Space_Separator: "Zs",
  Line_Separator: "Zl",
  Paragraph_Separator: "Zp",
  Other: "C",
  Control: "Cc",
  cntrl: "Cc",
  Format: "Cf",
  Surrogate: "Cs",
  Private_Use: "Co",
  Unassigned: "Cn",
};

/** One escape or character, what stands for it, and whether it is a class of characters. */
interface Piece {
  readonly end: number;
  readonly text: string;
  readonly isClass?: true;
}

/** `\u{...}`, `\uXXXX` (or two of them), `\xXX`, `\cX`, `\p{...}`, or any other character. */
const ESCAPE = new RegExp(
  [
    String.raw`\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})(?:\\u([0-9a-fA-F]{4}))?`,
    String.raw`x([0-9a-fA-F]{2})|c([A-Za-z])|([pP])\{([^}]*)\}|([\s\S]))`,
  ].join("|"),
  "uy",
);
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, "0": 0 };

/** A character by four hexadecimal digits, or by two times four. */
function unit(high: string, low: string | undefined, at: number): Piece {
  const first = Number.parseInt(high, 16);
  const second = low === undefined ? 0 : Number.parseInt(low, 16);
  const isPair = first >= 0xd800 && first < 0xdc00 && second >= 0xdc00 && second < 0xe000;
  if (isPair) {
    const code = 0x10000 + (first - 0xd800) * 0x400 + second - 0xdc00;
    return { end: at + 12, text: point(code) };
  }
  return { end: at + 6, text: point(first) };
}

function property(letter: string, name: string): string {
  const value = name.replace(/^(?:General_Category|gc|Script|sc|Script_Extensions|scx)=/, "");
  if (value === "Any") return letter === "p" ? `[${ANY}]` : `[^${ANY}]`;
  return `\\${letter}{${CATEGORIES[value] ?? value}}`;
}

/** An escape at `at`; undefined: RE2 is to say what is wrong with it. */
function escapeAt(pattern: string, at: number, inClass: boolean): Piece | undefined {
  ESCAPE.lastIndex = at;
  const found = ESCAPE.exec(pattern);
  if (found === null) return undefined;
  const end = ESCAPE.lastIndex;
  const [, braced, high, low, byte, control, letter, name = "", one = ""] = found;
  if (high !== undefined) return unit(high, low, at);
  const code = braced ?? byte;
  if (code !== undefined) return { end, text: point(Number.parseInt(code, 16)) };
  if (control !== undefined) return { end, text: point(control.charCodeAt(0) % 32) };
  if (letter !== undefined) return { end, text: property(letter, name), isClass: true };
  const known = CONTROLS[one];
  if (known !== undefined) return { end, text: point(known) };
  if (one === "s") return { end, text: inClass ? SPACE : `[${SPACE}]`, isClass: true };
  if (one === "S") return { end, text: inClass ? NO_SPACE : `[${NO_SPACE}]`, isClass: true };
  if (one === "d" || one === "D" || one === "w" || one === "W") {
    return { end, text: `\\${one}`, isClass: true };
  }
  if (one === "b" || one === "B") return { end, text: inClass ? point(8) : `\\${one}` };
  return /[A-Za-z0-9]/.test(one) ? undefined : { end, text: quoted(one) };
}

const quoted = (one: string): string => (/[\\^$.*+?()[\]{}|\-&~]/.test(one) ? `\\${one}` : one);

/** A character class from `[` on; undefined where it does not end. */
function classAt(pattern: string, start: number): Piece | undefined {
  const isNegated = pattern[start + 1] === "^";
  let at = start + (isNegated ? 2 : 1);
  let text = "";
  let afterClass = false;
  while (at < pattern.length && pattern[at] !== "]") {
    const one = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
    if (one === "\\") {
      const piece = escapeAt(pattern, at, true);
      if (piece === undefined) return undefined;
      text += piece.text;
      at = piece.end;
      afterClass = piece.isClass === true;
      continue;
    }
    // Behind `\w`, and in front of it or of the end, a hyphen is no range.
    const isBare =
      one === "-" && (afterClass || /^-(?:\]|\\[dDwWsSpP])/.test(pattern.slice(at, at + 3)));
    text += one === "-" && !isBare && text !== "" ? one : quoted(one);
    at += one.length;
    afterClass = false;
  }
  if (at >= pattern.length) return undefined;
  const end = at + 1;
  if (text === "") return { end, text: isNegated ? `[${ANY}]` : `[^${ANY}]` };
  return { end, text: `[${isNegated ? "^" : ""}${text}]` };
}

const GROUP = /\(\?(?!:|<[A-Za-z_$])/y;

/** The same pattern in RE2's syntax, or what RE2 does not have. */
function translated(pattern: string): string | { readonly message: string } {
  let text = "";
  for (let at = 0; at < pattern.length; ) {
    const one = pattern[at] as string;
    GROUP.lastIndex = at;
    if (GROUP.test(pattern)) return { message: `\`${pattern.slice(at, at + 4)}\` is not in RE2` };
    if (one === "\\" || one === "[") {
      const piece = one === "[" ? classAt(pattern, at) : escapeAt(pattern, at, false);
      if (piece === undefined) {
        const shown = one === "[" ? "a class that does not end" : pattern.slice(at, at + 2);
        return { message: `\`${shown}\` is not in RE2` };
      }
      text += piece.text;
      at = piece.end;
    } else {
      text += one === "." ? NO_LINE_END : one;
      at++;
    }
  }
  return text;
}

const COUNT = /\{([0-9]+)(,?)([0-9]*)\}/y;
const NOT_ALONE = /[()|*+?^$]/;

/** One character of a text, as RE2 has it; undefined: something else stands there. */
function atomAt(pattern: string, at: number): Piece | undefined {
  const one = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
  if (one === "[") return classAt(pattern, at);
  if (one === "\\") {
    const piece = escapeAt(pattern, at, false);
    return piece?.text === "\\b" || piece?.text === "\\B" ? undefined : piece;
  }
  if (NOT_ALONE.test(one)) return undefined;
  return { end: at + one.length, text: one === "." ? NO_LINE_END : quoted(one) };
}

/**
 * A pattern from `^` to `$` in which one character is repeated, also more often than RE2 counts,
 * and all others stand a fixed number of times: the length of a text tells how often it stands.
 */
function readCounted(pattern: string): PatternRead | undefined {
  if (!pattern.startsWith("^") || !pattern.endsWith("$")) return undefined;
  let text = "^";
  let fixed = 0;
  let counted: readonly [least: number, most: number] | undefined;
  for (let at = 1; at < pattern.length - 1; ) {
    const atom = atomAt(pattern, at);
    if (atom === undefined) return undefined;
    COUNT.lastIndex = atom.end;
    const [count = "", low, comma, high] = COUNT.exec(pattern) ?? [];
    at = atom.end + count.length;
    const least = Number(low ?? 1);
    const most = comma === "" || low === undefined ? least : high === "" ? Infinity : Number(high);
    const isFixed = least === most && most <= REPEATS_MAX;
    if (!isFixed && counted !== undefined) return undefined;
    if (isFixed) fixed += least;
    else counted = [least, most];
    text += `${atom.text}${isFixed ? `{${least}}` : "*"}`;
  }
  if (counted === undefined) return undefined;
  const compiled = compile(`${text}$`);
  if (typeof compiled === "string") return undefined;
  const [least, most] = [counted[0] + fixed, counted[1] + fixed];
  const test = (value: string): boolean => {
    const length = charactersIn(value);
    return length >= least && length <= most && compiled.test(value);
  };
  return { ok: true, test };
}

/** Repeats that RE2 counts. */
const REPEATS_MAX = 1_000;

/** The compiled pattern, or what is wrong with it. */
function compile(text: string): RE2JS | string {
  try {
    return RE2JS.compile(text);
  } catch (error) {
    return (error as Error).message.replace(/^error parsing regexp: /, "");
  }
}

/** Reads a pattern of JSON Schema; it may match anywhere in a text. */
export function readPattern(pattern: string): PatternRead {
  const text = translated(pattern);
  if (typeof text !== "string") return { ok: false, message: text.message };
  const compiled = compile(text);
  if (typeof compiled !== "string") return { ok: true, test: (value) => compiled.test(value) };
  const counted = compiled.includes("repeat count") ? readCounted(pattern) : undefined;
  return counted ?? { ok: false, message: compiled };
}
/** Whether a pattern of JSON Schema is one that runs in linear time. */
export const isPattern = (pattern: string): boolean => readPattern(pattern).ok;
