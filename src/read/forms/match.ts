/** Matches tokens against compiled forms; gives the match, or where and why none fitted. */
import type { Form, SlotKind } from "../../language/index.ts";
import { conditions, steps, types } from "../../language/index.ts";
import type { Match, SlotValue, TypeSlot } from "../../spec/index.ts";
import { type PatternNode, parsePattern } from "./pattern.ts";
import { type Filled, simpleSlots } from "./slots.ts";
import { codeAt, codeSlot, fail, isMark, isWord, type MatchState, plainSlot } from "./state.ts";

/** Gives the index behind what it matched when all that follows matched too, or -1. */
type Matcher = (state: MatchState, at: number) => number;

/** A form ready to match; `first` is the lower-cased word it begins with, if it does with one. */
export interface CompiledForm<F extends Form = Form> {
  readonly entry: F;
  readonly first: string | undefined;
  readonly match: Matcher;
  /** The words and marks of the pattern, for finding the form that was meant. */
  readonly words: readonly string[];
}

const DEPTH_MAX = 8;
let depth = 0;

/** `loose`: the first letter may be in lower case, as in a step behind another one's comma. */
function compileWords(text: string, then: Matcher, loose = false): Matcher {
  const words = text.split(" ");
  const lower = words.map((word, i) =>
    loose && i === 0 ? (word[0]?.toLowerCase() ?? "") + word.slice(1) : word,
  );
  return (state, at) => {
    for (let i = 0; i < words.length; i++) {
      const token = state.tokens[at + i];
      if (token?.kind !== "word" || (token.text !== words[i] && token.text !== lower[i])) {
        return fail(state, at + i, `'${words.slice(i).join(" ")}'`);
      }
    }
    return then(state, at + words.length);
  };
}

function compileNode(node: PatternNode, then: Matcher, loose: boolean): Matcher {
  switch (node.is) {
    case "word":
      return compileWords(node.text, then, loose);
    case "mark":
      return (state, at) =>
        isMark(state, at, node.text) ? then(state, at + 1) : fail(state, at, `'${node.text}'`);
    case "code":
      return (state, at) =>
        codeAt(state, at)?.text === node.text
          ? then(state, at + 1)
          : fail(state, at, `\`${node.text}\``);
    case "optional": {
      const body = compileNodes(node.body, then);
      return (state, at) => {
        const filled = state.filled.length;
        const end = body(state, at);
        if (end >= 0) return end;
        state.filled.length = filled;
        return then(state, at);
      };
    }
    case "either": {
      const branches = node.words.map((words) => compileWords(words, then));
      return (state, at) => firstOf(state, at, branches);
    }
    case "choice": {
      const branches = node.options.map((option) => fillChoice(node.slot, option, then));
      return (state, at) => firstOf(state, at, branches);
    }
    case "slot":
      return compileSlot(node.slot, node.kind, then);
  }
}

function firstOf(state: MatchState, at: number, branches: readonly Matcher[]): number {
  const filled = state.filled.length;
  for (const branch of branches) {
    const end = branch(state, at);
    if (end >= 0) return end;
    state.filled.length = filled;
  }
  return -1;
}

function fillChoice(slot: string, option: string, then: Matcher): Matcher {
  const length = option.split(" ").length;
  return compileWords(option, (state, end) => {
    state.filled.push([slot, { ...plainSlot(state, end - length, end), text: option }]);
    return then(state, end);
  });
}

function compileSlot(slot: string, kind: SlotKind, then: Matcher): Matcher {
  if (kind === "text") return compileText(slot, then);
  const fill = simpleSlots[kind] ?? nestedSlots[kind];
  if (fill === undefined) throw new Error(`no slot kind ${kind}`);
  return (state, at) => {
    if (state.budget-- <= 0) return -1;
    const filled: Filled | undefined = fill(state, at);
    if (filled === undefined) return -1;
    const before = state.filled.length;
    state.filled.push([slot, filled.value]);
    const end = then(state, filled.end);
    if (end < 0) state.filled.length = before;
    return end;
  };
}

const NOTHING: SlotValue = { kind: "text", text: "", start: 0, end: 0 };

/** Plain words: as few as let the rest match. Never empty, never a code span alone. */
function compileText(slot: string, then: Matcher): Matcher {
  return (state, at) => {
    const before = state.filled.length;
    // Words fit anything, so what fails behind them says nothing about what was meant.
    const { far, expected } = state;
    for (let end = at + 1; end <= state.tokens.length; end++) {
      if (state.budget-- <= 0) return -1;
      const filled: [string, SlotValue] = [slot, NOTHING];
      state.filled.push(filled);
      const done = then(state, end);
      if (done >= 0) {
        // Only now: making it takes as long as it is, and most attempts fail.
        filled[1] = plainSlot(state, at, end);
        return done;
      }
      state.filled.length = before;
    }
    state.far = far;
    state.expected = expected;
    return fail(state, at, "words");
  };
}

function compileNodes(nodes: readonly PatternNode[], then: Matcher, loose = false): Matcher {
  let next = then;
  for (let i = nodes.length - 1; i >= 0; i--) {
    next = compileNode(nodes[i] as PatternNode, next, loose && i === 0);
  }
  return next;
}

const atEnd: Matcher = (state, at) =>
  at === state.tokens.length ? at : fail(state, at, "the end");
const anywhere: Matcher = (_state, at) => at;

function wordsOf(nodes: readonly PatternNode[], found: string[] = []): string[] {
  for (const node of nodes) {
    if (node.is === "word") found.push(...node.text.split(" "));
    else if (node.is === "optional") wordsOf(node.body, found);
    else if (node.is === "either") found.push(node.words[0] ?? "");
  }
  return found;
}

interface CompileOptions {
  /** It must take every token. */
  readonly whole: boolean;
  /** Its first word may begin in lower case. */
  readonly loose?: boolean;
}

/** Compiles one form, or a pattern made of it. */
export function compileForm<F extends Form>(
  entry: F,
  options: CompileOptions,
  pattern = entry.form,
): CompiledForm<F> {
  const nodes = parsePattern(pattern);
  const first = nodes[0]?.is === "word" ? nodes[0].text.split(" ")[0]?.toLowerCase() : undefined;
  const match = compileNodes(nodes, options.whole ? atEnd : anywhere, options.loose);
  return { entry, first, match, words: wordsOf(nodes) };
}

/** Compiles a table of forms. */
export function compileForms<F extends Form>(
  forms: readonly F[],
  options: CompileOptions = { whole: true },
): readonly CompiledForm<F>[] {
  return forms.map((form) => compileForm(form, options));
}

const NO_SLOTS: Match["slots"] = {};

/** An object of one member: what begins as `{}` keeps room for four. */
class OneSlot {
  constructor(name: string, value: SlotValue) {
    (this as unknown as Record<string, SlotValue>)[name] = value;
  }
}

/** The filled slots by name; the later of two that share one. */
function slotsOf(filled: MatchState["filled"]): Match["slots"] {
  const [first] = filled;
  if (first === undefined) return NO_SLOTS;
  if (filled.length === 1) return new OneSlot(...first) as unknown as Match["slots"];
  const slots: Record<string, SlotValue> = {};
  for (const [name, value] of filled) slots[name] = value;
  return slots;
}

const begins = new WeakMap<readonly CompiledForm[], readonly string[]>();

/** The words that forms begin with. */
function firstWords(forms: readonly CompiledForm[]): readonly string[] {
  const known = begins.get(forms);
  if (known !== undefined) return known;
  const found = [
    ...new Set(forms.flatMap(({ first, words }) => (first === undefined ? [] : (words[0] ?? [])))),
  ];
  begins.set(forms, found);
  return found;
}

/** The match of the first form that fits at `at`, and where it ends; undefined where none does. */
export function matchAt<F extends Form>(
  state: MatchState,
  at: number,
  forms: readonly CompiledForm<F>[],
): { form: CompiledForm<F>; match: Match; end: number } | undefined {
  const token = state.tokens[at];
  const word = token?.kind === "word" ? token.text.toLowerCase() : undefined;
  const outer = state.filled.splice(0);
  try {
    for (const form of forms) {
      if (form.first !== undefined && form.first !== word) continue;
      state.filled.length = 0;
      const end = form.match(state, at);
      if (end < 0) continue;
      const slots = slotsOf(state.filled);
      const start = state.tokens[at]?.start ?? 0;
      const last = state.tokens[end - 1]?.end ?? start;
      return { form, match: { form: form.entry.id, slots, start, end: last }, end };
    }
    if (at > state.open.at) state.open = { at, words: firstWords(forms) };
    else if (at === state.open.at) {
      state.open = { at, words: [...state.open.words, ...firstWords(forms)] };
    }
    return undefined;
  } finally {
    state.filled.length = 0;
    state.filled.push(...outer);
  }
}

const lazy = <F extends Form>(forms: readonly F[], options: CompileOptions) => {
  let compiled: readonly CompiledForm<F>[] | undefined;
  return () => {
    compiled ??= compileForms(forms, options);
    return compiled;
  };
};

/** The type forms, compiled once. */
export const typeForms = lazy(types, { whole: false });
const conditionForms = lazy(conditions, { whole: false });
/** The step forms, compiled once. */
export const stepForms = lazy(steps, { whole: true, loose: true });

function nested<T>(state: MatchState, at: number, work: () => T | undefined): T | undefined {
  if (depth >= DEPTH_MAX) {
    fail(state, at, `at most ${DEPTH_MAX} levels`);
    return undefined;
  }
  depth++;
  try {
    return work();
  } finally {
    depth--;
  }
}

function fillType(state: MatchState, at: number): Filled | undefined {
  return nested(state, at, () => {
    const found = matchAt(state, at, typeForms());
    if (found === undefined) {
      fail(state, at, "a type");
      return undefined;
    }
    let end = found.end;
    let orNull = false;
    let orAbsent = false;
    while (isWord(state, end, "or")) {
      if (isWord(state, end + 1, "null") && !orNull) orNull = true;
      else if (isWord(state, end + 1, "absent") && !orAbsent) orAbsent = true;
      else {
        fail(state, end + 1, "'null' or 'absent'");
        break;
      }
      end += 2;
    }
    const last = state.tokens[end - 1]?.end ?? found.match.end;
    const value: TypeSlot = {
      kind: "type",
      match: found.match,
      orNull,
      orAbsent,
      start: found.match.start,
      end: last,
    };
    return { end, value };
  });
}

function fillRefusal(state: MatchState, at: number): Filled | undefined {
  const start = state.tokens[at]?.start ?? 0;
  const span = (end: number) => ({ start, end: state.tokens[end - 1]?.end ?? start });
  if (isWord(state, at, "not") && isWord(state, at + 1, "shown")) {
    return { end: at + 2, value: { kind: "refusal", gap: true, with: [], ...span(at + 2) } };
  }
  const error = codeAt(state, at);
  if (error === undefined || !/^\S+$/.test(error.text)) {
    fail(state, at, "a code span with an error, or 'not shown'");
    return undefined;
  }
  let end = at + 1;
  const on = isWord(state, end, "on") ? codeAt(state, end + 1) : undefined;
  if (on !== undefined) end += 2;
  const assigns = isWord(state, end, "with") ? simpleSlots.assigns?.(state, end + 1) : undefined;
  if (assigns !== undefined) end = assigns.end;
  const value: SlotValue = {
    kind: "refusal",
    gap: false,
    error: codeSlot(error),
    ...span(end),
    with: assigns?.value.kind === "assigns" ? assigns.value.items : [],
    ...(on === undefined ? {} : { on: codeSlot(on) }),
  };
  return { end, value };
}

function fillTail(state: MatchState, at: number): Filled | undefined {
  if (!isWord(state, at, "else")) {
    fail(state, at, "'else' and an error, or 'else not shown'");
    return undefined;
  }
  return fillRefusal(state, at + 1);
}

function fillCondition(state: MatchState, at: number): Filled | undefined {
  const found = matchAt(state, at, conditionForms());
  if (found !== undefined) {
    return { end: found.end, value: { kind: "condition", match: found.match } };
  }
  const token = codeAt(state, at);
  if (token === undefined) {
    fail(state, at, "a code span with an expression, or a word form");
    return undefined;
  }
  const expr = codeSlot(token);
  const match: Match = { form: "code", slots: { expr }, start: expr.start, end: expr.end };
  return { end: at + 1, value: { kind: "condition", match } };
}

function fillStep(state: MatchState, at: number): Filled | undefined {
  return nested(state, at, () => {
    const found = matchAt(state, at, stepForms());
    if (found === undefined) {
      fail(state, at, "a step");
      return undefined;
    }
    return { end: found.end, value: { kind: "step", match: found.match } };
  });
}

const nestedSlots: Partial<
  Record<SlotKind, (state: MatchState, at: number) => Filled | undefined>
> = {
  type: fillType,
  refusal: fillRefusal,
  tail: fillTail,
  condition: fillCondition,
  step: fillStep,
};
