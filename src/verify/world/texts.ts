/**
 * Texts that the implementation makes and nobody can foresee: each stands as a mark in the model
 * until an answer shows what it is.
 */
import type { MadeForm } from "../../run/index.ts";

const NUMBER = 12;
const LETTERS = /q7zx(\d{12})xz7q/;
const UUID = /7e57ab1e-0000-4000-8000-(\d{12})/;
const MARKS = new RegExp(`${LETTERS.source}|${UUID.source}`, "g");

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
  readonly #forms = new Map<string, MadeForm>();
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

  make(form: MadeForm): string {
    const text = this.#known[this.#taken++] ?? this.#mark(form);
    this.#made.push(text);
    return text;
  }

  #mark(form: MadeForm): string {
    const number = String(this.#next++).padStart(NUMBER, "0");
    const mark = form === "uuid" ? `7e57ab1e-0000-4000-8000-${number}` : `q7zx${number}xz7q`;
    this.#forms.set(mark, form);
    return mark;
  }

  formOf(mark: string): MadeForm | undefined {
    return this.#forms.get(mark);
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
    pattern += same < 0 ? "(.+?)" : `\\${same + 1}`;
    if (same < 0) marks.push(found[0]);
  }
  const match = new RegExp(`^${pattern}${escaped(expected.slice(last))}$`, "s").exec(observed);
  if (match === null) return undefined;
  return new Map(marks.map((mark, i) => [mark, match[i + 1] ?? ""]));
}

/** The text with what is known of its marks. */
export function withTexts(text: string, known: ReadonlyMap<string, string>): string {
  return isMarked(text) ? text.replaceAll(MARKS, (mark) => known.get(mark) ?? mark) : text;
}

/** The text with `word` in place of each mark: any text may stand there. */
export function withoutMarks(text: string, word: string): string {
  return isMarked(text) ? text.replaceAll(MARKS, () => word) : text;
}
