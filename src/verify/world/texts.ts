/**
 * Texts that the implementation makes and nobody can foresee: each stands as a mark in the model
 * until an answer shows what it is.
 */
import type { MadeForm } from "../../run/index.ts";

const NUMBER = 12;
/** What a text is of, behind its number: the form, and the bytes that it stands for. */
const LETTERS = /(?:q7zx|00zx|zzzx)\d{12}(\d)(\d{4})xz7q/;
const UUID = /(?:7e57ab1e|00000000|ffffffff)-7e57-4000-8000-\d{12}/;
const MARKS = new RegExp(`${LETTERS.source}|${UUID.source}`, "g");
const FORMS: readonly MadeForm[] = ["id", "base64", "base64url", "hex"];
/** Bytes that a mark tells of. */
const BYTES_MAX = 9_999;

/** Whether a text holds a mark. */
export function isMarked(text: string): boolean {
  return LETTERS.test(text) || UUID.test(text);
}

/** The marks in a text, in their order. */
export function marksIn(text: string): readonly string[] {
  return isMarked(text) ? [...text.matchAll(MARKS)].map(([mark]) => mark) : [];
}

/** Gives each text that is made a mark of its own, or the text that an answer has shown. */
export class MadeTexts {
  #next = 0;
  #taken = 0;
  #known: readonly string[] = [];
  #made: string[] = [];

  /** Begins a work: the first texts that it makes are known. */
  begin(known: readonly string[] = []): void {
    this.#known = known;
    this.#made = [];
    this.#taken = 0;
  }

  /** The texts that the work has made so far, in their order. */
  get made(): readonly string[] {
    return this.#made;
  }

  /** `bytes`: how many a random text stands for; 0: it may be of any length. */
  make(form: MadeForm, bytes = 0): string {
    const text = this.#known[this.#taken++] ?? this.#mark(form, bytes);
    this.#made.push(text);
    return text;
  }

  #mark(form: MadeForm, bytes: number): string {
    const number = String(this.#next++).padStart(NUMBER, "0");
    if (form === "uuid") return `7e57ab1e-7e57-4000-8000-${number}`;
    const size = String(bytes > BYTES_MAX ? 0 : bytes).padStart(4, "0");
    return `q7zx${number}${FORMS.indexOf(form)}${size}xz7q`;
  }
}

/** Numbers of marks of hashes; those of texts that are made begin with 0. */
const HASHES = 10n ** 11n;

/** A mark that stands for the hash of a text with marks. `hash`: of that text, in hexadecimal. */
export function markOf(hash: string): string {
  const number = (BigInt(`0x${hash.slice(0, 16)}`) % HASHES) + 9n * HASHES;
  return `q7zx${number}${FORMS.indexOf("hex")}${String(hash.length / 2).padStart(4, "0")}xz7q`;
}

/** The same mark where it comes before all known texts in an order, or behind them. */
export function movedMark(mark: string, to: "front" | "back"): string {
  return LETTERS.test(mark)
    ? mark.replace(/^\w{4}/, to === "front" ? "00zx" : "zzzx")
    : mark.replace(/^\w{8}/, to === "front" ? "00000000" : "ffffffff");
}

/** A pattern of the texts that may stand in the place of a mark. */
function patternOf(mark: string): string {
  const [, at = "", size = ""] = LETTERS.exec(mark) ?? [];
  const bytes = Number(size);
  const digits = Math.ceil((bytes * 8) / 6);
  switch (bytes === 0 ? "id" : FORMS[Number(at)]) {
    case "base64":
      return `[A-Za-z0-9+/]{${digits}}={0,2}`;
    case "base64url":
      return `[A-Za-z0-9_-]{${digits}}={0,2}`;
    case "hex":
      return `[0-9A-Fa-f]{${2 * bytes}}`;
    default:
      return ".+?";
  }
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);

/**
 * What the marks in an expected text are, if it is to be the observed one; undefined: it cannot be.
 * One mark is one text wherever it stands.
 */
export function bindingsIn(
  expected: string,
  observed: string,
): ReadonlyMap<string, string> | undefined {
  if (!isMarked(expected)) return expected === observed ? new Map() : undefined;
  const marks: string[] = [];
  let pattern = "";
  let last = 0;
  for (const found of expected.matchAll(MARKS)) {
    pattern += escaped(expected.slice(last, found.index));
    last = found.index + found[0].length;
    const same = marks.indexOf(found[0]);
    pattern += same < 0 ? `(${patternOf(found[0])})` : `\\${same + 1}`;
    if (same < 0) marks.push(found[0]);
  }
  const match = new RegExp(`^${pattern}${escaped(expected.slice(last))}$`, "s").exec(observed);
  if (match === null) return undefined;
  return new Map(marks.map((mark, i) => [mark, match[i + 1] ?? ""]));
}

/** How a text is written where a mark stands. */
export type Writing = (text: string) => string;

/** As it stands inside of a string of JSON (RFC 8259 section 7). */
export const inJson: Writing = (text) => JSON.stringify(text).slice(1, -1);

/** The text with what is known of its marks, written so; without `write`: as it is. */
export function withTexts(
  text: string,
  known: ReadonlyMap<string, string>,
  write: Writing = (one) => one,
): string {
  if (!isMarked(text)) return text;
  return text.replaceAll(MARKS, (mark) => {
    const found = known.get(mark);
    return found === undefined ? mark : write(found);
  });
}

/** The text with `word` in place of each mark: any text may stand there. */
export function withoutMarks(text: string, word: string): string {
  return isMarked(text) ? text.replaceAll(MARKS, () => word) : text;
}
