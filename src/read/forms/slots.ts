/** Fills the simple slots: each takes the tokens it knows and gives where it ended, or -1. */

import { DURATION_MAX, parseStatedDuration } from "../../expr/index.ts";
import type { SlotKind } from "../../language/index.ts";
import type { AssignSlot, SlotValue, TextSlot } from "../../spec/index.ts";
import { codeAt, codeSlot, fail, isMark, isWord, type MatchState, plainSlot } from "./state.ts";

// Lists are copied when they are whole: arrays that grew by `push` keep room for many more.

/** Where the slot ended and what fills it. */
export interface Filled {
  readonly end: number;
  readonly value: SlotValue;
}

type Fill = (state: MatchState, at: number) => Filled | undefined;

const DAY = 86_400_000_000n;
const DAYS_MAX = DURATION_MAX / DAY;
const UNITS = new Set(["ms", "s", "min", "h", "day", "days"]);

function missing(state: MatchState, at: number, expected: string): undefined {
  fail(state, at, expected);
  return undefined;
}

function code(pattern: RegExp, expected: string): Fill {
  return (state, at) => {
    const token = codeAt(state, at);
    if (token === undefined || !pattern.test(token.text)) return missing(state, at, expected);
    return { end: at + 1, value: codeSlot(token) };
  };
}

function plain(pattern: RegExp, expected: string, alsoCode: RegExp | undefined): Fill {
  return (state, at) => {
    const token = state.tokens[at];
    if (token?.kind === "code" && alsoCode?.test(token.text)) {
      return { end: at + 1, value: codeSlot(token) };
    }
    if (token?.kind !== "word" || !pattern.test(token.text)) return missing(state, at, expected);
    return { end: at + 1, value: plainSlot(state, at, at + 1) };
  };
}

/** The end of a duration at `at`, or -1 when no duration stands there. */
function durationEnd(state: MatchState, at: number): number {
  const amount = state.tokens[at];
  const unit = state.tokens[at + 1];
  const isDuration =
    amount?.kind === "word" &&
    /^\d{1,9}$/.test(amount.text) &&
    unit?.kind === "word" &&
    UNITS.has(unit.text);
  if (!isDuration) {
    fail(state, at, "a duration such as 30 s, 5 min, 24 h or 30 days");
    return -1;
  }
  if (parseStatedDuration(`${amount.text} ${unit.text}`) === undefined) {
    fail(state, at, `a duration of at most ${DAYS_MAX} days`);
    return -1;
  }
  return at + 2;
}

const duration: Fill = (state, at) => {
  const end = durationEnd(state, at);
  if (end < 0) return undefined;
  return { end, value: plainSlot(state, at, end) };
};

const durations: Fill = (state, at) => {
  const items: TextSlot[] = [];
  let next = at;
  for (;;) {
    const end = durationEnd(state, next);
    if (end < 0) return undefined;
    items.push(plainSlot(state, next, end));
    if (!isMark(state, end, ",")) return { end, value: { kind: "texts", items: items.slice() } };
    next = end + 1;
  }
};

/** The index behind a joint (`,`, `and`, `or`) at `at`, or -1. */
function behindJoint(state: MatchState, at: number, words: readonly string[]): number {
  const isWritten = (place: number) => words.some((word) => isWord(state, place, word));
  if (isMark(state, at, ",")) return isWritten(at + 1) ? at + 2 : at + 1;
  return isWritten(at) ? at + 1 : -1;
}

function codes(pattern: RegExp, expected: string): Fill {
  return (state, at) => {
    const items: TextSlot[] = [];
    let next = at;
    for (;;) {
      const token = codeAt(state, next);
      if (token === undefined || !pattern.test(token.text)) return missing(state, next, expected);
      items.push(codeSlot(token));
      const joint = behindJoint(state, next + 1, ["and", "or"]);
      if (joint < 0 || codeAt(state, joint) === undefined) {
        return { end: next + 1, value: { kind: "texts", items: items.slice() } };
      }
      next = joint;
    }
  };
}

/** One `name` `between` `expression` at `at`. */
function pairAt(state: MatchState, at: number, between: string): AssignSlot | undefined {
  const name = codeAt(state, at);
  const value = codeAt(state, at + 2);
  if (name === undefined) return undefined;
  if (!isMark(state, at + 1, between) && !isWord(state, at + 1, between)) return undefined;
  if (value !== undefined) return { name: codeSlot(name), value: codeSlot(value), gap: false };
  const isGap = between === "=" && isWord(state, at + 2, "not") && isWord(state, at + 3, "shown");
  return isGap
    ? { name: codeSlot(name), value: plainSlot(state, at + 2, at + 4), gap: true }
    : undefined;
}

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,127}$/;

interface Items {
  readonly end: number;
  readonly items: readonly AssignSlot[];
}

/** `row.name`, each piece at its own place in the document. */
function memberOf(row: TextSlot, name: TextSlot): TextSlot {
  const at = row.text.length + 1;
  const { start, end } = name;
  return {
    ...name,
    text: `${row.text}.${name.text}`,
    start: row.start,
    end,
    shifts: [at, start - row.start - at],
  };
}

/** Names alone: each is given what has that name, or the member with that name of one row. */
function namesAlone(state: MatchState, at: number): Items | undefined {
  const names: TextSlot[] = [];
  let end = at;
  for (let next = at; next >= 0; next = behindJoint(state, end, ["and"])) {
    const token = codeAt(state, next);
    if (token === undefined || !NAME.test(token.text) || isMark(state, next + 1, "=")) break;
    names.push(codeSlot(token));
    end = next + 1;
  }
  if (names.length === 0) return undefined;
  const row = isWord(state, end, "of") ? codeAt(state, end + 1) : undefined;
  if (row === undefined) {
    return { end, items: names.map((name) => ({ name, value: name, gap: false })) };
  }
  // `a` and `b`, `c` of `row` could mean that `a` is no member of the row.
  if (names.slice(1, -1).some((_, i) => isWord(state, at + 2 * i + 1, "and"))) {
    return missing(
      state,
      at + 1,
      "`,` between the names of a row's members, and `and` before the last",
    );
  }
  const of = codeSlot(row);
  const items = names.map((name) => ({ name, value: memberOf(of, name), gap: false }));
  return { end: end + 2, items };
}

function pairs(between: string, lead: string | undefined, joints: readonly string[]): Fill {
  const expected = `\`name\` ${between} \`expression\``;
  const itemsAt = (state: MatchState, at: number): Items | undefined => {
    const pair = pairAt(state, at, between);
    if (pair !== undefined) return { end: at + (pair.gap ? 4 : 3), items: [pair] };
    return between === "=" && lead === undefined ? namesAlone(state, at) : undefined;
  };
  return (state, at) => {
    const items: AssignSlot[] = [];
    let next = at;
    for (;;) {
      if (lead !== undefined && !isWord(state, next, lead)) return missing(state, next, lead);
      const first = lead === undefined ? next : next + 1;
      const found = itemsAt(state, first);
      if (found === undefined) return missing(state, first, expected);
      items.push(...found.items);
      const { end } = found;
      const joint = behindJoint(state, end, joints);
      const again = lead === undefined ? joint : joint + 1;
      const goesOn = joint >= 0 && (lead === undefined || isWord(state, joint, lead));
      if (!goesOn || itemsAt(state, again) === undefined) {
        return { end, value: { kind: "assigns", items: items.slice() } };
      }
      next = joint;
    }
  };
}

const order: Fill = (state, at) => {
  const keys: { by: TextSlot; descending: boolean }[] = [];
  let next = at;
  for (;;) {
    const by = codeAt(state, next);
    if (by === undefined) return missing(state, next, "a code span with an expression over `it`");
    const descending = isWord(state, next + 1, "descending");
    if (!descending && !isWord(state, next + 1, "ascending")) {
      return missing(state, next + 1, "ascending or descending");
    }
    keys.push({ by: codeSlot(by), descending });
    const goesOn = isMark(state, next + 2, ",") && isWord(state, next + 3, "then");
    if (!goesOn) return { end: next + 2, value: { kind: "order", keys: keys.slice() } };
    next += 4;
  }
};

const states: Fill = (state, at) => {
  const items: { name: TextSlot; initial: boolean; final: boolean }[] = [];
  let next = at;
  for (;;) {
    const token = codeAt(state, next);
    if (token === undefined) return missing(state, next, "a code span with a state");
    const name = codeSlot(token);
    let initial = false;
    let final = false;
    next++;
    while (isMark(state, next, "(")) {
      const is = (word: string) => isWord(state, next + 1, word) && isMark(state, next + 2, ")");
      if (is("initial") && !initial) initial = true;
      else if (is("final") && !final) final = true;
      else return missing(state, next + 1, "initial or final, once each");
      next += 3;
    }
    items.push({ name, initial, final });
    if (!isMark(state, next, ","))
      return { end: next, value: { kind: "states", items: items.slice() } };
    next++;
  }
};

const DOTTED = /^[A-Za-z][A-Za-z0-9_-]{0,127}(\.[A-Za-z][A-Za-z0-9_-]{0,127}){0,15}$/;
const WORD = /^\S{1,255}$/;
const VALUE = /^\S([^\n]{0,253}\S)?$/;
const ANY = /\S/;

/** The filler of each simple kind; the others (`type`, `step` ...) stand with the matcher. */
export const simpleSlots: Partial<Record<SlotKind, Fill>> = {
  name: code(NAME, "a code span with a name"),
  dotted: code(DOTTED, "a code span with a name"),
  word: code(WORD, "a code span with one word"),
  code: code(ANY, "a code span"),
  expr: code(ANY, "a code span with an expression"),
  simple: plain(
    /^(-?\d{1,38}(\.\d{1,38})?|true|false|null)$/,
    "a code span with an expression",
    ANY,
  ),
  literal: plain(/^-?\d+(\.\d+)?(e[+-]?\d{1,4})?$|^\d{4}-\d\d-\d\d$/, "a number", ANY),
  count: plain(/^\d{1,15}$/, "a whole number in plain digits", undefined),
  status: plain(/^[2-5]\d\d$/, "a status code, 200 to 599", /^[2-5]\d\d$/),
  duration,
  durations,
  names: codes(NAME, "a code span with a name"),
  words: codes(WORD, "a code span with one word"),
  values: codes(VALUE, "a code span with a value"),
  assigns: pairs("=", undefined, ["and"]),
  headers: pairs("=", "header", ["and"]),
  is: pairs("is", undefined, ["and"]),
  order,
  states,
};
