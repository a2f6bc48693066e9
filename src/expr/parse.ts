/** Parses the profile of CEL by precedence climbing; total, bounded in size and nesting. */
import type { Ast, CallAst, LiteralAst } from "./ast.ts";
import { heightOf } from "./ast.ts";
import type { Token } from "./lexer.ts";
import { tokenize, tooLarge } from "./lexer.ts";
import { STRENGTH } from "./operators.ts";
import type { Problem } from "./types.ts";

/** Longest text of one expression, in UTF-16 code units. */
export const TEXT_MAX = 65_536;
/** Deepest nesting of brackets, conditionals and signs. */
export const NESTING_MAX = 100;
/** Greatest height of the tree, which a chain of operators makes too. */
export const HEIGHT_MAX = 500;

/** The outcome: `ast` is undefined where `problems` is not empty. */
interface Parsed {
  readonly ast?: Ast;
  readonly problems: readonly Problem[];
}

/** Words that CEL reserves (langdef "Syntax"): no names, but members may be so called. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    "as break const continue else for function if import in let loop package namespace return " +
    "var void while"
  ).split(" "),
);

interface State {
  readonly tokens: readonly Token[];
  at: number;
  nesting: number;
  problem?: Problem;
}

/** Parses one expression. Never throws; the first problem is the only one. */
export function parse(text: string): Parsed {
  if (text.length > TEXT_MAX) {
    return {
      problems: [tooLarge(`an expression has at most ${TEXT_MAX} characters`, 0, text.length)],
    };
  }
  const { tokens, problem } = tokenize(text);
  const state: State = { tokens, at: 0, nesting: 0 };
  const ast = expression(state);
  if (!state.problem && peek(state).kind !== "end") unexpected(state);
  // Where the tokens ended at a problem of their own, "found the end" would explain nothing.
  const early = state.problem && state.problem.start < (tokens.at(-1)?.start ?? 0);
  const found = early ? state.problem : (problem ?? state.problem);
  if (found) return { problems: [found] };
  if (heightOf(ast) > HEIGHT_MAX) {
    const message = `an expression nests or chains at most ${HEIGHT_MAX} levels`;
    return { problems: [tooLarge(message, ast.start, ast.end)] };
  }
  return { ast, problems: [] };
}

const END: Token = { kind: "end", text: "", start: 0, end: 0 };

function peek(state: State): Token {
  return state.tokens[state.at] ?? END;
}

function isSymbol(state: State, text: string): boolean {
  const token = peek(state);
  return token.kind === "symbol" && token.text === text;
}

function accept(state: State, text: string): boolean {
  if (!isSymbol(state, text)) return false;
  state.at++;
  return true;
}

/** Records the first problem and moves to the end, so that every caller unwinds by itself. */
function fail(state: State, problem: Problem): Ast {
  state.problem ??= problem;
  state.at = state.tokens.length - 1;
  return { kind: "literal", literal: "null", value: null, start: problem.start, end: problem.end };
}

function unexpected(state: State, wanted?: string): Ast {
  const token = peek(state);
  const seen = token.kind === "end" ? "the end" : `\`${token.text}\``;
  const message = wanted ? `expected ${wanted}, found ${seen}` : `unexpected ${seen}`;
  const hint = token.kind === "name" ? WORD_HINTS.get(token.text.toLowerCase()) : undefined;
  const more = hint === undefined ? {} : { hint };
  return fail(state, { code: "syntax", message, start: token.start, end: token.end, ...more });
}

const TIME_HINT = 'a span of time is written `duration("3d")`, with d, h, m, s or ms';

/** Words that stand between values in other notations. */
const WORD_HINTS: ReadonlyMap<string, string> = new Map([
  ["and", "both are written `&&`"],
  ["or", "either is written `||`"],
  ["not", "not is written `!`"],
  ["is", "equality is written `==`"],
  ["equals", "equality is written `==`"],
  ["like", 'a text in another is written `a.contains(b)`, a pattern `a.matches("^x")`'],
  ["then", "a choice is written `condition ? a : b`"],
  ["else", "a choice is written `condition ? a : b`"],
  ...["day", "days", "hour", "hours", "h", "min", "minute", "minutes", "s", "seconds", "weeks"].map(
    (word) => [word, TIME_HINT] as const,
  ),
]);

function expect(state: State, text: string): number {
  const token = peek(state);
  if (!accept(state, text)) unexpected(state, `\`${text}\``);
  return token.end;
}

function nested(state: State, inner: (state: State) => Ast): Ast {
  if (state.nesting >= NESTING_MAX) {
    const { start, end } = peek(state);
    return fail(state, tooLarge(`expressions nest at most ${NESTING_MAX} deep`, start, end));
  }
  state.nesting++;
  const ast = inner(state);
  state.nesting--;
  return ast;
}

function expression(state: State): Ast {
  return nested(state, conditional);
}

function conditional(state: State): Ast {
  const condition = binary(state, 1);
  if (!accept(state, "?")) return condition;
  const then = nested(state, (inner) => binary(inner, 1));
  expect(state, ":");
  const otherwise = expression(state);
  const { start } = condition;
  return { kind: "conditional", condition, then, otherwise, start, end: otherwise.end };
}

function binary(state: State, weakest: number): Ast {
  let left = unary(state);
  for (;;) {
    const token = peek(state);
    const operator = token.kind === "symbol" || token.text === "in" ? token.text : "";
    const strength = token.kind === "string" ? undefined : STRENGTH.get(operator);
    if (strength === undefined || strength < weakest) return left;
    state.at++;
    const right = binary(state, strength + 1);
    left = { kind: "binary", operator, left, right, start: left.start, end: right.end };
  }
}

function unary(state: State): Ast {
  const { start } = peek(state);
  const operator = isSymbol(state, "!") ? "!" : "-";
  if (!accept(state, operator)) return postfix(state);
  const operand = nested(state, unary);
  const { end } = operand;
  if (operator === "-" && isNumeric(operand)) {
    return { ...operand, value: negated(String(operand.value)), start };
  }
  return { kind: "unary", operator, operand, start, end };
}

function isNumeric(ast: Ast): ast is LiteralAst {
  return ast.kind === "literal" && /^(integer|decimal|number)$/.test(ast.literal);
}

function negated(text: string): string {
  if (/^-?[0.]+$/.test(text)) return text;
  return text.startsWith("-") ? text.slice(1) : `-${text}`;
}

function postfix(state: State): Ast {
  let of = primary(state);
  for (;;) {
    const { start } = of;
    if (accept(state, ".")) {
      of = dotted(state, of);
    } else if (accept(state, "[")) {
      const at = expression(state);
      of = { kind: "index", of, at, start, end: expect(state, "]") };
    } else {
      return of;
    }
  }
}

function dotted(state: State, of: Ast): Ast {
  const token = peek(state);
  if (token.kind !== "name") return unexpected(state, "the name of a member or function");
  state.at++;
  const { start } = of;
  if (accept(state, "(")) {
    const { items, end } = sequence(state, ")");
    const call: CallAst = {
      kind: "call",
      fn: token.text,
      fnStart: token.start,
      receiver: of,
      args: items,
      start,
      end,
    };
    return call;
  }
  const { text: member, start: memberStart, end } = token;
  return { kind: "member", of, member, memberStart, start, end };
}

/** Items up to `close`; one comma may follow the last item of a list (as in CEL). */
function sequence(state: State, close: string): { items: Ast[]; end: number } {
  const items: Ast[] = [];
  while (!state.problem && !isSymbol(state, close)) {
    items.push(expression(state));
    if (!accept(state, ",")) break;
    if (close === ")" && isSymbol(state, close)) unexpected(state);
  }
  return { items, end: expect(state, close) };
}

function primary(state: State): Ast {
  const token = peek(state);
  const { kind, text, start, end } = token;
  if (kind === "name") return named(state, token);
  if (kind === "integer" || kind === "decimal" || kind === "number" || kind === "string") {
    state.at++;
    return { kind: "literal", literal: kind, value: text, start, end };
  }
  if (accept(state, "(")) {
    const inner = expression(state);
    const close = expect(state, ")");
    return { ...inner, start, end: close };
  }
  if (accept(state, "[")) {
    const { items, end: close } = sequence(state, "]");
    return { kind: "list", items, start, end: close };
  }
  if (accept(state, "{")) return mapLiteral(state, start);
  return unexpected(state, "a value");
}

function named(state: State, token: Token): Ast {
  const { text, start, end } = token;
  state.at++;
  if (text === "true" || text === "false") {
    return { kind: "literal", literal: "boolean", value: text === "true", start, end };
  }
  if (text === "null") return { kind: "literal", literal: "null", value: null, start, end };
  if (RESERVED.has(text)) {
    const message = `\`${text}\` is a word of CEL and cannot be a name`;
    return fail(state, { code: "syntax", message, start, end });
  }
  if (accept(state, "(")) {
    const { items, end: close } = sequence(state, ")");
    return { kind: "call", fn: text, fnStart: start, args: items, start, end: close };
  }
  if (isSymbol(state, "{")) {
    const message = "messages cannot be constructed here";
    return fail(state, { code: "syntax", message, start, end });
  }
  return { kind: "name", name: text, start, end };
}

function mapLiteral(state: State, start: number): Ast {
  const entries: { key: Ast; value: Ast }[] = [];
  while (!state.problem && !isSymbol(state, "}")) {
    const key = expression(state);
    expect(state, ":");
    entries.push({ key, value: expression(state) });
    if (!accept(state, ",")) break;
  }
  return { kind: "map", entries, start, end: expect(state, "}") };
}
