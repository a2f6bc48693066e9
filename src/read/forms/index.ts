/** The door of the forms: tokens in, the one form of the language that they have out. */
import type { Finding, Span } from "../../base/index.ts";
import { nearest } from "../../base/index.ts";
import { type Form, synonyms } from "../../language/index.ts";
import type { Match } from "../../spec/index.ts";
import type { Token } from "../blocks/index.ts";
import { type CompiledForm, matchAt, typeForms } from "./match.ts";
import type { MatchState } from "./state.ts";

export { type CompiledForm, compileForm, compileForms, stepForms } from "./match.ts";

/** A stretch of the document's tokens. */
export interface Stretch extends Span {
  readonly text: string;
  readonly tokens: readonly Token[];
}

interface Attempt<F extends Form> {
  readonly match?: Match;
  readonly entry?: F;
  /** Where matching failed, and what would have fitted there. */
  readonly failed: Span;
  readonly expected: string;
  /** The words of the notation that could stand where matching failed. */
  readonly words: readonly string[];
  /** The hint where no form is like the stretch, in place of a list of forms. */
  readonly otherwise?: string | undefined;
}

/** Matches a stretch against forms in their order; the first that takes all of it wins. */
export function matchForms<F extends Form>(
  stretch: Stretch,
  forms: readonly CompiledForm<F>[],
): Attempt<F> {
  const state: MatchState = {
    text: stretch.text,
    tokens: stretch.tokens,
    filled: [],
    far: -1,
    expected: "",
    budget: 1000 + 20 * stretch.tokens.length,
    open: { at: -1, words: [] },
  };
  const found = matchAt(state, 0, forms);
  if (found !== undefined) {
    return {
      match: found.match,
      entry: found.form.entry,
      failed: stretch,
      expected: "",
      words: [],
    };
  }
  const token = stretch.tokens[Math.max(0, state.far)];
  const failed =
    token === undefined
      ? { start: stretch.end, end: stretch.end }
      : { start: token.start, end: token.end };
  return { failed, expected: state.expected, words: wordsThere(state) };
}

/** The fixed words that could stand at the furthest token that was reached. */
function wordsThere({ far, expected, open }: MatchState): string[] {
  const fixed = [...expected.matchAll(/'([a-z][\w-]*)[^']*'/gi)].map((hit) => hit[1] ?? "");
  return open.at >= far ? [...fixed, ...open.words] : fixed;
}

/** The longest text that a hint repeats in a code span. */
const SPAN_MAX = 200;

/** How many forms a hint shows by an example. */
const SHOWN_MAX = 2;

/** The forms whose words are most like those of the stretch, the most alike first. */
function nearestForms<F extends Form>(
  stretch: Stretch,
  forms: readonly CompiledForm<F>[],
): readonly F[] {
  const written = stretch.tokens
    .filter((token) => token.kind === "word")
    .slice(0, 40)
    .map((token) => token.text.toLowerCase());
  const like: { entry: F; score: number }[] = [];
  for (const form of forms) {
    const words = form.words.map((word) => word.toLowerCase());
    let hits = 0;
    for (const word of words) {
      if (written.includes(word)) hits += 1;
      else if (nearest(word, written) !== undefined) hits += 0.7;
    }
    const score = words.length === 0 ? 0 : (2 * hits) / (words.length + written.length);
    if (score >= 0.3) like.push({ entry: form.entry, score });
  }
  return like
    .sort((a, b) => b.score - a.score)
    .slice(0, SHOWN_MAX)
    .map(({ entry }) => entry);
}

/** The finding for a stretch that has no form; `what` is "step", "rule", "bullet" ... */
export function noForm<F extends Form>(
  stretch: Stretch,
  attempt: Attempt<F>,
  what: string,
  forms: readonly CompiledForm<F>[],
): Finding {
  const known = what === "type" ? typeForms() : forms;
  const there = stretch.text.slice(attempt.failed.start, attempt.failed.end);
  const near = nearestForms(stretch, known);
  const word = /^[A-Za-z][\w-]*$/.test(there) ? nearest(there, attempt.words) : undefined;
  const other = otherWord(there, what) !== undefined;
  const span = other
    ? undefined
    : (unspanned(stretch, attempt.failed, known) ??
      spanned(stretch, attempt, what === "heading" ? forms : []));
  const message =
    stretch.tokens.length === 0
      ? `No ${what} stands here.`
      : `This is no known ${what}${there === "" ? "" : `: ${clip(there)}`}` +
        `${attempt.expected === "" ? "" : ` (here fits ${attempt.expected})`}.`;
  return {
    code: `unknown-${what.replaceAll(" ", "-")}`,
    severity: "error",
    message,
    span: attempt.failed,
    ...(span === undefined
      ? hintFor({ there, what, word, otherwise: attempt.otherwise }, near, known)
      : { hint: span }),
  };
}

const wantsName = ({ expected }: { readonly expected: string }): boolean =>
  /^a code span with a (name|state)\b/.test(expected);

/** The names that must be put into code spans for a stretch to have one of the forms. */
function bareNames<F extends Form>(
  stretch: Stretch,
  attempt: Attempt<F>,
  forms: readonly CompiledForm<F>[],
): readonly string[] | undefined {
  const { start, end } = attempt.failed;
  const at = stretch.tokens.findIndex((token) => token.start === start && token.kind === "word");
  if (at < 0 || !wantsName(attempt)) return undefined;
  const { text = "" } = stretch.tokens[at] ?? {};
  const code: Token = { kind: "code", text, start, end, contentStart: start, shifts: [] };
  const spanned = { ...stretch, tokens: stretch.tokens.with(at, code) };
  const next = matchForms(spanned, forms);
  if (next.entry !== undefined) return next.entry.form.includes(":name}") ? [text] : undefined;
  const more = next.failed.start > start ? bareNames(spanned, next, forms) : undefined;
  return more === undefined ? undefined : [text, ...more];
}

/** What to write where words of the notation stand in a code span. */
function unspanned<F extends Form>(
  stretch: Stretch,
  failed: Span,
  forms: readonly CompiledForm<F>[],
): string | undefined {
  const { tokens } = stretch;
  const at = tokens.length === 1 ? 0 : tokens.findIndex(({ start }) => start === failed.start);
  const token = tokens[at];
  if (token?.kind !== "code" || !/^[A-Za-z0-9 ]{1,80}$/.test(token.text)) return undefined;
  const { start, end } = token;
  const words = token.text.split(" ").map((text): Token => ({ kind: "word", text, start, end }));
  const plain = { ...stretch, tokens: tokens.toSpliced(at, 1, ...words) };
  if (matchForms(plain, forms).match === undefined) return undefined;
  return `Write it without the code span: ${token.text}`;
}

/**
 * What to write where a name, a type or an endpoint stands without its code span. `whole`: forms
 * of which the stretch must then have one.
 */
function spanned<F extends Form>(
  stretch: Stretch,
  attempt: Attempt<F>,
  whole: readonly CompiledForm<F>[],
): string | undefined {
  const { text, end } = stretch;
  const { expected, failed, words } = attempt;
  const rest = text.slice(failed.start, Math.min(end, failed.start + SPAN_MAX));
  const endpoint = /^(GET|HEAD|POST|PUT|PATCH|DELETE) \/[^\s:`]*/.exec(rest)?.[0];
  if (endpoint !== undefined && /code span/.test(expected)) {
    return `Put the method and the path into one code span: \`${endpoint}\``;
  }
  const spaced = /^`([^`\n]* [^`\n]*)`/.exec(rest)?.[1];
  if (spaced !== undefined && expected.startsWith("a code span with one word")) {
    return `A word has no spaces: \`${spaced.trim().replaceAll(/ +/g, "_")}\``;
  }
  const name = /^[A-Za-z][A-Za-z0-9_]*(?=$|[\s,;:.)|])/.exec(rest)?.[0];
  if (name === undefined || !wantsName(attempt)) return undefined;
  if (nearest(name, words) !== undefined) return undefined;
  const names = whole.length === 0 ? [name] : bareNames(stretch, attempt, whole);
  if (names === undefined) return undefined;
  const what = names.length === 1 ? "the name" : "each name";
  return `Put ${what} into a code span: ${names.map((one) => `\`${one}\``).join(", ")}`;
}

interface Missed {
  /** The text that fits no form, from where it fits none. */
  readonly there: string;
  readonly what: string;
  /** The word of the notation that it is most like. */
  readonly word: string | undefined;
  /** The hint where nothing is like it; undefined: a list of forms. */
  readonly otherwise: string | undefined;
}

/** The word here for one of another notation. */
function otherWord(there: string, what: string): string | undefined {
  const word = (/^[A-Za-z0-9_-]+/.exec(there)?.[0] ?? "").toLowerCase().replaceAll(/[_-]/g, "");
  const words = synonyms[what] ?? {};
  return Object.hasOwn(words, word) ? words[word] : undefined;
}

/** What to write: for a word of another notation the word here, else the nearest word and forms. */
function hintFor(
  { there, what, word: like, otherwise }: Missed,
  near: readonly Form[],
  known: readonly CompiledForm<Form>[],
): { hint?: string } {
  const other = otherWord(there, what);
  if (other !== undefined) return { hint: `Write here: ${other}` };
  const nearestWord = like === undefined ? "" : `Nearest: \`${like}\`. `;
  if (near.length === 0 && like === undefined) {
    return otherwise === undefined ? listed(known) : { hint: otherwise };
  }
  const shown =
    near.length > 0
      ? near
      : known.map(({ entry }) => entry).filter(({ form }) => form.startsWith(like ?? ""));
  return { hint: `${named(there, what)}${nearestWord}${examplesOf(shown)}`.trim() };
}

/** How forms are written, by examples. */
function examplesOf(forms: readonly Form[]): string {
  const [first, ...more] = [...new Set(forms.map(({ example }) => example))].slice(0, SHOWN_MAX);
  if (first === undefined) return "";
  return `Write it as in: ${[first, ...more].join(" · ")}`;
}

/** A step that is given a path where it takes the name of a row. */
function named(there: string, what: string): string {
  const path = what === "step" ? /^`(\w+(?:\.\w+)*\.(\w+))`/.exec(there) : null;
  if (path === null) return "";
  return `Where a name is wanted, name the row before: Let \`${path[2]}\` be \`${path[1]}\`. `;
}

/** The forms that could stand here, where they are few enough to list. */
function listed(forms: readonly CompiledForm<Form>[]): { hint?: string } {
  if (forms.length === 0 || forms.length > 12) return {};
  return { hint: `Known: ${forms.map((form) => form.entry.example).join(" · ")}` };
}

/** Text for a message: one line, at most 60 characters. */
export function clip(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 57)}...` : line;
}
