/** Cuts the text of an expression into tokens (CEL langdef "Syntax"); knows no grammar. */
import { wordAt } from "../base/index.ts";
import { decodeEscapes } from "./text.ts";
import type { Problem } from "./types.ts";

export interface Token {
  readonly kind: "integer" | "decimal" | "number" | "string" | "name" | "symbol" | "end";
  /** The decoded value of a string, the canonical digits of a number, else the text itself. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Most digits of an integer or decimal literal, leading zeros aside. */
export const DIGITS_MAX = 38;

const SPACE = /[ \t\r\n\f]+/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /0[xX][0-9a-fA-F]+|(?:[0-9]+\.[0-9]+|\.[0-9]+|[0-9]+)(?:[eE][+-]?[0-9]+)?/y;
const SYMBOL = /&&|\|\||==|!=|<=|>=|[!*/%+\-<>?:.,()[\]{}]/y;
const STRING_START = /[rR]?["']/y;

type Outcome = { readonly token: Token } | { readonly problem: Problem };

/** Tokens of `text`, the last of kind `end`; at the first problem the tokens end there. */
export function tokenize(text: string): { tokens: Token[]; problem?: Problem } {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    at += matchAt(SPACE, text, at).length;
    if (at >= text.length) break;
    const outcome = nextToken(text, at);
    if ("problem" in outcome) {
      tokens.push({ kind: "end", text: "", start: at, end: at });
      return { tokens, problem: outcome.problem };
    }
    tokens.push(outcome.token);
    at = outcome.token.end;
  }
  tokens.push({ kind: "end", text: "", start: text.length, end: text.length });
  return { tokens };
}

function matchAt(form: RegExp, text: string, at: number): string {
  form.lastIndex = at;
  return form.test(text) ? wordAt(text, at, form.lastIndex) : "";
}

function wrong(message: string, start: number, end: number, hint?: string): Outcome {
  return { problem: { code: "syntax", message, start, end, ...(hint ? { hint } : {}) } };
}

function nextToken(text: string, at: number): Outcome {
  if (matchAt(STRING_START, text, at) !== "") return stringToken(text, at);
  const name = matchAt(NAME, text, at);
  if (name !== "") {
    const quoted =
      /^(?:[bB][rR]?|[rR][bB])$/.test(name) && /["']/.test(text[at + name.length] ?? "");
    if (quoted) return wrong("byte strings do not exist here", at, at + name.length + 1);
    return { token: { kind: "name", text: name, start: at, end: at + name.length } };
  }
  const digits = matchAt(NUMBER, text, at);
  if (digits !== "") return numberToken(text, at, digits);
  const symbol = matchAt(SYMBOL, text, at);
  if (symbol !== "") {
    return { token: { kind: "symbol", text: symbol, start: at, end: at + symbol.length } };
  }
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return wrong(
    `unexpected character \`${printable(character)}\``,
    at,
    at + character.length,
    text.startsWith("=>", at)
      ? "a condition over items is written `list.filter(x, condition)`"
      : SYMBOL_HINTS.get(character),
  );
}

const SYMBOL_HINTS: ReadonlyMap<string, string> = new Map([
  ["=", "equality is written `==`"],
  ["&", "both are written `&&`"],
  ["|", "either is written `||`"],
]);

function printable(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const shown = code > 32 && code !== 127 && !/\p{C}|\p{Z}/u.test(character);
  return shown ? character : `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

function stringToken(text: string, start: number): Outcome {
  const raw = text[start] === "r" || text[start] === "R";
  const open = raw ? start + 1 : start;
  const mark = text[open] ?? "";
  if (text.startsWith(mark.repeat(3), open)) {
    return wrong("strings in triple quotes do not exist here", start, open + 3);
  }
  let close = open + 1;
  while (close < text.length && text[close] !== mark) {
    if (text[close] === "\n" || text[close] === "\r") break;
    close += text[close] === "\\" && !raw ? 2 : 1;
  }
  if (text[close] !== mark) {
    return wrong(
      "this string does not end",
      start,
      Math.min(close, text.length),
      `close it with ${mark}`,
    );
  }
  const end = close + 1;
  if (raw) return { token: { kind: "string", text: text.slice(open + 1, close), start, end } };
  const decoded = decodeEscapes(text, open + 1, close);
  if ("wrong" in decoded) {
    return wrong(decoded.wrong, decoded.at, decoded.at + 2, "a backslash is written `\\\\`");
  }
  return { token: { kind: "string", text: decoded.value, start, end } };
}

function numberToken(text: string, start: number, digits: string): Outcome {
  const end = start + digits.length;
  const next = text[end] ?? "";
  if (/[uU]/.test(next)) return wrong("unsigned integers do not exist here", start, end + 1);
  if (/[A-Za-z0-9_]/.test(next)) return wrong("a letter follows a number", start, end + 1);
  const hex = /^0[xX]/.test(digits);
  if (!hex && /[eE]/.test(digits)) {
    const value = Number(digits);
    if (!Number.isFinite(value)) {
      return { problem: tooLarge("this number is past the range of binary64", start, end) };
    }
    return { token: { kind: "number", text: value.toExponential(), start, end } };
  }
  const significant = digits
    .replace(/^0[xX]/, "")
    .replace(".", "")
    .replace(/^0+/, "");
  const places = digits.includes(".") ? digits.length - digits.indexOf(".") - 1 : 0;
  if (significant.length > DIGITS_MAX || places > DIGITS_MAX) {
    return { problem: tooLarge(`numbers have at most ${DIGITS_MAX} digits`, start, end) };
  }
  if (!digits.includes(".")) {
    return { token: { kind: "integer", text: BigInt(digits).toString(), start, end } };
  }
  const whole = digits.slice(0, digits.indexOf(".")).replace(/^0+(?=[0-9])/, "") || "0";
  const canonical = whole + digits.slice(digits.indexOf("."));
  return { token: { kind: "decimal", text: canonical, start, end } };
}

/** What is longer, or nests deeper, than is read. */
export function tooLarge(message: string, start: number, end: number): Problem {
  return { code: "too-large", message, start, end };
}
