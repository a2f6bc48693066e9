/** Texts of a description as they may stand in a document: names, code, cells, prose. */
import { plainText } from "../tree/index.ts";
import type { Json } from "./json.ts";

/** Words of a cell or a heading: what Markdown reads as its own is left out. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9 ,.'()/-]*$/;
const PLAIN_MAX = 120;

/** The text on one line, where nothing of it can be taken for Markdown; else undefined. */
export function plainWords(text: string): string | undefined {
  const line = text.trim();
  const isPlain =
    line.length <= PLAIN_MAX && PLAIN.test(line) && !/not shown|https?:| {2}/i.test(line);
  return isPlain && line === text ? line : undefined;
}

/** An address, as far as it holds nothing that Markdown reads as its own. */
const ADDRESS = /\bhttps?:\/\/[\w./~:?#@!$&+,;=%-]*[\w/]/gi;

/** The text on one line, without what Markdown reads as its own. Addresses stay as they are. */
export function prose(text: string, most: number): string {
  const line = plainText(text).replaceAll(HIDDEN_ONE, " ");
  let words = "";
  let from = 0;
  for (const { 0: address, index } of line.matchAll(ADDRESS)) {
    words += unmarked(line.slice(from, index)) + address;
    from = index + address.length;
  }
  words += unmarked(line.slice(from));
  const one = words
    .replaceAll(/\s+/g, " ")
    .replace(/^[-+\d.)\s=:]+/, "")
    .trim();
  return one.length <= most ? one : `${one.slice(0, most).replace(/ \S*$/, "")} …`;
}

/** `_` stays within a word, `<` and `>` where they compare. */
const unmarked = (text: string): string =>
  text
    .replaceAll(/[`*[\]#|~\\{}]/g, " ")
    .replaceAll(/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, " ")
    .replaceAll(/(?<! )[<>]|[<>](?![ =\d])/g, " ")
    .replaceAll(/ +([,.;:?)])/g, "$1");

/** The text as a heading may hold it: in prose an address may stand, in a heading it may not. */
export function headed(text: string, most: number): string {
  const plain = prose(text, most)
    .replaceAll(/[\p{L}\p{N}.+-]+:\/\/|(?<![\p{L}\p{N}])www\./giu, "")
    .replaceAll(/[*~<>&@\\]/g, " ");
  return unmarked(plain).replaceAll(/\s+/g, " ").trim();
}

/** Characters that a document may not hold, or that Markdown reads in code. */
const HIDDEN =
  "\\u007f-\\u009f\\u00ad\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f" +
  "\\ufeff\\ufff9-\\uffff\\ud800-\\udfff";
const HIDDEN_ONE = new RegExp(`[\\u0000-\\u001f${HIDDEN}]`, "g");
const IN_CODE = new RegExp(`[\`|${HIDDEN}]`, "g");
const IN_BLOCK = new RegExp(`[\`${HIDDEN}]`, "g");

const escaped = (one: string): string => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** JSON on one line, in which no character of Markdown stands that a code span or a cell reads. */
export function inlineJson(value: Json): string {
  return JSON.stringify(value).replaceAll(IN_CODE, escaped);
}

/** JSON in a fenced block. */
export function blockJson(info: string, value: Json): string[] {
  const text = JSON.stringify(value, null, 2).replaceAll(IN_BLOCK, escaped);
  return [`\`\`\`${info}`, text, "```", ""];
}

/** Whether a text can stand in a code span as it is. */
export const isCode = (text: string): boolean =>
  text !== "" &&
  text === text.trim() &&
  /^[\x21-\x7e][\x20-\x7e]*$/.test(text) &&
  !/[`|]/.test(text);

/** Names made of texts, each once. */
export class NameMaker {
  private readonly taken: Set<string>;

  constructor(taken: Iterable<string> = []) {
    this.taken = new Set(taken);
  }

  /** A letter, then letters, digits or `_`; the text itself where it is one. */
  of(text: string): string {
    const words = text.replaceAll(/[^A-Za-z0-9_]+/g, "_").replace(/^_+|_+$/g, "");
    const base = /^[A-Za-z]/.test(words) ? words : `n${words === "" ? "" : `_${words}`}`;
    const first = /^[A-Za-z][A-Za-z0-9_]*$/.test(text) ? text : base;
    let name = first;
    for (let count = 2; this.taken.has(name); count += 1) name = `${first}_${count}`;
    this.taken.add(name);
    return name;
  }
}
