/** Reads a JSON text (RFC 8259) into the lossless tree: total, linear, of bounded depth. */

import type { Json, Parsed, Repeated } from "./json.ts";
import { DEPTH_MAX, REPEATED_MAX } from "./json.ts";

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const MINUS = 45;
const DOT = 46;
const ZERO = 48;
const NINE = 57;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes UTF-8 strictly (RFC 3629); undefined for other bytes. A BOM stays a character. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Parses one JSON text. A byte-order mark, a lone surrogate (raw or escaped), text past the value
 * and nesting past `DEPTH_MAX` are errors. Repeated members are listed, and the first one is kept.
 */
export function parseJson(input: string | Uint8Array): Parsed {
  const text = typeof input === "string" ? input : decodeUtf8(input);
  if (text === undefined) return { ok: false, at: 0, message: "the bytes are not UTF-8" };
  if (typeof input === "string" && !text.isWellFormed()) {
    return { ok: false, at: 0, message: "the text holds a lone surrogate" };
  }
  return new Parser(text).parse();
}

/** Numbers of up to three digits: texts of very many small ones make no value for each. */
const SMALL: readonly Json[] = Array.from({ length: 1000 }, (_, i) => ({ numberText: String(i) }));
const SMALL_DIGITS = 3;

/** Nobody changes a tree: all empty objects are one. */
const EMPTY: Json = new Map<string, Json>();

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

/** So many items are put in one list: one that grows on costs twice as much for each. */
const ITEMS_EACH = 4096;
const JOINED_AT_ONCE = 512;

function joined(lists: readonly Json[][]): Json[] {
  let all: Json[] = [];
  for (let i = 0; i < lists.length; i += JOINED_AT_ONCE) {
    all = all.concat(...lists.slice(i, i + JOINED_AT_ONCE));
  }
  return all;
}

class Parser {
  private readonly text: string;
  private at = 0;
  private depth = 0;
  private message = "";
  private readonly path: (string | number)[] = [];
  private readonly repeated: Repeated[] = [];

  constructor(text: string) {
    this.text = text;
  }

  parse(): Parsed {
    const value = this.value();
    this.space();
    if (value === undefined || this.message !== "") {
      return { ok: false, at: this.at, message: this.message };
    }
    if (this.at < this.text.length) {
      return { ok: false, at: this.at, message: "there is more text after the value" };
    }
    return { ok: true, value, repeated: this.repeated };
  }

  private fail(message: string): undefined {
    if (this.message === "") this.message = message;
    return undefined;
  }

  private space(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      this.at++;
    }
  }

  private value(): Json | undefined {
    this.space();
    const code = this.text.charCodeAt(this.at);
    if (code === QUOTE) return this.string();
    if (code === OPEN_OBJECT) return this.object();
    if (code === OPEN_LIST) return this.list();
    if (code === MINUS || isDigit(code)) return this.number();
    if (code === 116) return this.word("true", true);
    if (code === 102) return this.word("false", false);
    if (code === 110) return this.word("null", null);
    return this.fail(this.at < this.text.length ? "a value was expected" : "the text ends early");
  }

  private word<T extends Json>(word: string, value: T): T | undefined {
    if (!this.text.startsWith(word, this.at)) return this.fail("a value was expected");
    this.at += word.length;
    return value;
  }

  private number(): Json | undefined {
    const { text } = this;
    const start = this.at;
    let at = start;
    if (text.charCodeAt(at) === MINUS) at++;
    const first = text.charCodeAt(at);
    if (!isDigit(first)) return this.stop(at, "a digit was expected");
    at++;
    if (first === ZERO && isDigit(text.charCodeAt(at))) {
      return this.stop(at, "a number has no leading zero");
    }
    while (isDigit(text.charCodeAt(at))) at++;
    if (text.charCodeAt(at) === DOT) {
      at++;
      if (!isDigit(text.charCodeAt(at))) return this.stop(at, "a digit was expected");
      while (isDigit(text.charCodeAt(at))) at++;
    }
    if ((text.charCodeAt(at) | 32) === 101) {
      at++;
      const sign = text.charCodeAt(at);
      if (sign === 43 || sign === MINUS) at++;
      if (!isDigit(text.charCodeAt(at))) return this.stop(at, "a digit was expected");
      while (isDigit(text.charCodeAt(at))) at++;
    }
    this.at = at;
    return { numberText: text.slice(start, at) };
  }

  private stop(at: number, message: string): undefined {
    this.at = at;
    return this.fail(message);
  }

  private string(): string | undefined {
    const { text } = this;
    const start = this.at + 1;
    for (let at = start; ; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.at = at + 1;
        return text.slice(start, at);
      }
      if (code === BACKSLASH) return this.escaped(start, at);
      if (code < 32) return this.stop(at, "a control character stands in a string");
      if (at >= text.length) return this.stop(at, "the string does not end");
    }
  }

  /** Finds the end of a string that has escapes and lets the platform's parser undo them. */
  private escaped(start: number, firstEscape: number): string | undefined {
    const { text } = this;
    let at = firstEscape;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (code < 32) return this.stop(at, "a control character stands in a string");
      if (at >= text.length) return this.stop(at, "the string does not end");
      if (code !== BACKSLASH) {
        at++;
        continue;
      }
      const length = escapeLength(text, at);
      if (length === 0) return this.stop(at, "this is no escape of JSON");
      at += length;
    }
    const value = JSON.parse(text.slice(start - 1, at + 1)) as string;
    if (!value.isWellFormed()) return this.stop(start - 1, "the string holds a lone surrogate");
    this.at = at + 1;
    return value;
  }

  private list(): Json | undefined {
    if (++this.depth > DEPTH_MAX) return this.fail(`the text nests deeper than ${DEPTH_MAX}`);
    let items: Json[] = [];
    this.at++;
    this.space();
    if (this.text.charCodeAt(this.at) === CLOSE_LIST) {
      this.at++;
      this.depth--;
      return items;
    }
    const full: Json[][] = [];
    const place = this.path.push(0) - 1;
    for (;;) {
      this.smallNumbers(items);
      this.path[place] = full.length * ITEMS_EACH + items.length;
      const value = this.value();
      if (value === undefined) return undefined;
      if (items.length === ITEMS_EACH) {
        full.push(items);
        items = [];
      }
      items.push(value);
      this.space();
      const code = this.text.charCodeAt(this.at);
      if (code !== COMMA && code !== CLOSE_LIST) return this.fail("`,` or `]` was expected");
      this.at++;
      if (code === CLOSE_LIST) break;
    }
    this.path.pop();
    this.depth--;
    return full.length === 0 ? items : joined([...full, items]);
  }

  /** Numbers of few digits that follow each other, with nothing but a comma behind each. */
  private smallNumbers(items: Json[]): void {
    const { text } = this;
    let start = this.at;
    for (;;) {
      let at = start;
      let code = text.charCodeAt(at);
      let small = 0;
      while (isDigit(code) && at - start < SMALL_DIGITS) {
        small = small * 10 + (code - ZERO);
        code = text.charCodeAt(++at);
      }
      const number = SMALL[small];
      const isFull = items.length >= ITEMS_EACH;
      if (code !== COMMA || at === start || number === undefined || isFull) break;
      // Zero stands before no other digit.
      if (at - start > (small > 99 ? 2 : small > 9 ? 1 : 0) + 1) break;
      items.push(number);
      start = at + 1;
    }
    this.at = start;
  }

  private object(): Json | undefined {
    if (++this.depth > DEPTH_MAX) return this.fail(`the text nests deeper than ${DEPTH_MAX}`);
    this.at++;
    this.space();
    if (this.text.charCodeAt(this.at) === CLOSE_OBJECT) {
      this.at++;
      this.depth--;
      return EMPTY;
    }
    const members = new Map<string, Json>();
    for (;;) {
      if (!this.member(members)) return undefined;
      this.space();
      const code = this.text.charCodeAt(this.at);
      if (code !== COMMA && code !== CLOSE_OBJECT) return this.fail("`,` or `}` was expected");
      this.at++;
      if (code === CLOSE_OBJECT) break;
    }
    this.depth--;
    return members;
  }

  private member(members: Map<string, Json>): boolean {
    this.space();
    const nameAt = this.at;
    if (this.text.charCodeAt(nameAt) !== QUOTE) {
      this.fail("a member name in double quotes was expected");
      return false;
    }
    const name = this.string();
    if (name === undefined) return false;
    this.space();
    if (this.text.charCodeAt(this.at) !== COLON) {
      this.fail("`:` was expected");
      return false;
    }
    this.at++;
    this.path.push(name);
    const value = this.value();
    if (value === undefined) return false;
    if (!members.has(name)) members.set(name, value);
    else if (this.repeated.length < REPEATED_MAX) {
      this.repeated.push({ path: this.path.join("."), at: nameAt });
    }
    this.path.pop();
    return true;
  }
}

/** Length of the escape at `at`, or 0 where it is none. */
function escapeLength(text: string, at: number): number {
  const kind = text[at + 1] ?? "";
  if (kind !== "" && '"\\/bfnrt'.includes(kind)) return 2;
  if (kind !== "u") return 0;
  for (let i = at + 2; i < at + 6; i++) {
    const code = text.charCodeAt(i);
    const hex = isDigit(code) || ((code | 32) >= 97 && (code | 32) <= 102);
    if (!hex) return 0;
  }
  return 6;
}
