/** The state of matching one stretch of tokens: where it is, what it filled, how far it came. */
import { wordAt } from "../../base/index.ts";
import type { SlotValue, TextSlot } from "../../spec/index.ts";
import type { CodeToken, Token } from "../blocks/index.ts";

/** Where one attempt to match is; mutable, and owned by the attempt. */
export interface MatchState {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** Names and values of filled slots, in pairs; cut back when a branch fails. */
  readonly filled: [string, SlotValue][];
  /** Index of the furthest token at which anything failed, and what would have fitted there. */
  far: number;
  expected: string;
  /** The last place where no form began as the text does, and the first words that do there. */
  open: { readonly at: number; readonly words: readonly string[] };
  /** Steps left before matching gives up: keeps every sentence linear. */
  budget: number;
}

/** Remembers a failure at token `at`. Always gives -1. */
export function fail(state: MatchState, at: number, expected: string): -1 {
  if (at > state.far) {
    state.far = at;
    state.expected = expected;
  } else if (at === state.far && !state.expected.includes(expected)) {
    if (state.expected.length < 120) state.expected += ` or ${expected}`;
  }
  return -1;
}

/** The token at `at` where it is a code span. */
export function codeAt(state: MatchState, at: number): CodeToken | undefined {
  const token = state.tokens[at];
  return token?.kind === "code" ? token : undefined;
}

/** Whether the token at `at` is that mark. */
export function isMark(state: MatchState, at: number, mark: string): boolean {
  const token = state.tokens[at];
  return token?.kind === "mark" && token.text === mark;
}

/** Whether the token at `at` is that word, in this case of letters. */
export function isWord(state: MatchState, at: number, word: string): boolean {
  const token = state.tokens[at];
  return token?.kind === "word" && token.text === word;
}

/** The slot of a code span: its text, and the span of its content. */
export function codeSlot(token: CodeToken): TextSlot {
  const last = token.shifts.length > 0 ? (token.shifts[token.shifts.length - 1] ?? 0) : 0;
  const slot = {
    kind: "text" as const,
    text: token.text,
    start: token.contentStart,
    end: token.contentStart + token.text.length + last,
  };
  return token.shifts.length > 0 ? { ...slot, shifts: token.shifts } : slot;
}

/** The slot of the tokens from `from` up to `to`: the source between them, with single spaces. */
export function plainSlot(state: MatchState, from: number, to: number): TextSlot {
  const start = state.tokens[from]?.start ?? state.text.length;
  const end = state.tokens[to - 1]?.end ?? start;
  const text = wordAt(state.text, start, end);
  const plain = to - from > 1 ? text.replaceAll(/\s+/g, " ") : text;
  return { kind: "text", text: plain, start, end };
}
