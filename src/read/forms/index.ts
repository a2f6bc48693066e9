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
  };
  const found = matchAt(state, 0, forms);
  if (found !== undefined) {
    return { match: found.match, entry: found.form.entry, failed: stretch, expected: "" };
  }
  const token = stretch.tokens[Math.max(0, state.far)];
  const failed =
    token === undefined
      ? { start: stretch.end, end: stretch.end }
      : { start: token.start, end: token.end };
  return { failed, expected: state.expected };
}

/** The form whose words are most like those of the stretch, written as its pattern. */
function nearestForm<F extends Form>(
  stretch: Stretch,
  forms: readonly CompiledForm<F>[],
): F | undefined {
  const written = stretch.tokens
    .filter((token) => token.kind === "word")
    .slice(0, 40)
    .map((token) => token.text.toLowerCase());
  let best: F | undefined;
  let most = 0;
  for (const form of forms) {
    const words = form.words.map((word) => word.toLowerCase());
    let hits = 0;
    for (const word of words) {
      if (written.includes(word)) hits += 1;
      else if (nearest(word, written) !== undefined) hits += 0.7;
    }
    const score = words.length === 0 ? 0 : (2 * hits) / (words.length + written.length);
    if (score > most) {
      most = score;
      best = form.entry;
    }
  }
  return most >= 0.3 ? best : undefined;
}

/** The finding for a stretch that has no form; `what` is "step", "rule", "bullet" ... */
export function noForm<F extends Form>(
  stretch: Stretch,
  attempt: Attempt<F>,
  what: string,
  forms: readonly CompiledForm<F>[],
): Finding {
  const known = what === "type" ? typeForms() : forms;
  const near = nearestForm(stretch, known);
  const there = stretch.text.slice(attempt.failed.start, attempt.failed.end);
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
    ...hintFor({ there, what }, near, known),
  };
}

interface Missed {
  /** The text that fits no form, from where it fits none. */
  readonly there: string;
  readonly what: string;
}

/** What to write: for a word of another notation the word here, else the nearest form. */
function hintFor(
  { there, what }: Missed,
  near: Form | undefined,
  known: readonly CompiledForm<Form>[],
): { hint?: string } {
  const word = (/^[A-Za-z0-9_-]+/.exec(there)?.[0] ?? "").toLowerCase().replaceAll(/[_-]/g, "");
  const words = synonyms[what] ?? {};
  if (Object.hasOwn(words, word)) return { hint: `Write here: ${words[word]}` };
  if (near === undefined) return listed(known);
  return { hint: `${named(there, what)}Nearest: ${near.form}. Example: ${near.example}` };
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
