/** Checks an expression: resolves names, types every node, tracks guards; gives typed code. */
import type { Ast } from "./ast.ts";
import { factsUnder } from "./facts.ts";
import { writtenOut } from "./named-values.ts";
import { parse } from "./parse.ts";
import { isAssignable, UNKNOWN, withoutNull } from "./relations.ts";
import type { Checked, Code, Environment, Facts, Problem, Type } from "./types.ts";
import { visitFunction, visitNegation, visitOperator } from "./typing/calls.ts";
import { visitEquality, visitIn } from "./typing/equality.ts";
import { fitted, misfit } from "./typing/fit.ts";
import { visitList, visitLiteral, visitMap } from "./typing/literals.ts";
import { visitConditional, visitLogic, visitNot } from "./typing/logic.ts";
import { isMacro, visitMacro } from "./typing/macros.ts";
import { visitHas, visitIndex, visitMember, visitName } from "./typing/members.ts";
import { visitAs, visitWanted } from "./typing/objects.ts";
import { plainCode } from "./typing/ranges.ts";
import type { Scope, Typed } from "./typing/scope.ts";
import { type IsThere, settledBy } from "./typing/settled.ts";

function visit(ast: Ast, scope: Scope, facts: Facts, wanted?: Type): Typed {
  if (wanted !== undefined) return visitWanted(wanted, ast, scope, facts);
  return visitPlain(ast, scope, facts);
}

/** Types one node: a table of what stands where. */
function visitPlain(ast: Ast, scope: Scope, facts: Facts): Typed {
  switch (ast.kind) {
    case "literal":
      return visitLiteral(ast, facts);
    case "name":
      return visitName(ast, scope, facts);
    case "member":
      return visitMember(ast, scope, facts);
    case "index":
      return visitIndex(ast, scope, facts);
    case "list":
      return visitList(ast, scope, facts);
    case "map":
      return visitMap(ast, scope, facts);
    case "unary":
      return ast.operator === "!" ? visitNot(ast, scope, facts) : visitNegation(ast, scope, facts);
    case "binary":
      return visitBinary(ast, scope, facts);
    case "conditional":
      return visitConditional(ast, scope, facts);
    case "call":
      if (ast.fn === "has" && !ast.receiver) return visitHas(ast, scope, facts);
      return isMacro(ast) ? visitMacro(ast, scope, facts) : visitFunction(ast, scope, facts);
  }
}

function visitBinary(ast: Extract<Ast, { kind: "binary" }>, scope: Scope, facts: Facts): Typed {
  switch (ast.operator) {
    case "&&":
    case "||":
      return visitLogic(ast, scope, facts);
    case "==":
    case "!=":
      return visitEquality(ast, scope, facts);
    case "in":
      return visitIn(ast, scope, facts);
    default:
      return visitOperator(ast, scope, facts);
  }
}

/** Whether a value fits; where names are hidden by a gap, a guard against null may be, too. */
function fits(type: Type, expected: Type, { open }: Environment): boolean {
  return isAssignable(open === undefined ? type : withoutNull(type), expected);
}

/** The dotted names that code reads; undefined for anything else. */
function dotted(code: Code): string | undefined {
  if (code.op === "name") return code.name;
  const of = code.op === "get" ? dotted(code.of) : undefined;
  return of === undefined || code.op !== "get" ? undefined : `${of}.${code.member}`;
}

/** Whether a member is surely there: it is never absent, or a guard before has asked for it. */
function presence(environment: Environment, facts: Facts): IsThere {
  return (of, member) => {
    const { type } = of;
    if (type.kind !== "row" && type.kind !== "object") return false;
    const name = type.kind === "row" ? type.resource : type.name;
    const path = dotted(of);
    if (path !== undefined && facts.present.has(`${path}.${member}`)) return true;
    const found = environment.members({ kind: type.kind, name })?.get(member);
    return found !== undefined && !found.absent && found.type.kind !== "unknown";
  };
}

/** Whether a gap hides what is wanted: then any value will do. */
function isHidden(expected: Type | undefined): expected is Type & { readonly gap: string } {
  return expected?.kind === "unknown" && expected.gap !== undefined;
}

/** The tree, in which uses of named values are written out; none where there are problems. */
function parsedIn(
  source: Ast | string,
  { values }: Environment,
): { readonly ast?: Ast; readonly problems: readonly Problem[] } {
  const parsed = typeof source === "string" ? parse(source) : { ast: source, problems: [] };
  if (parsed.ast === undefined || values === undefined || values.size === 0) return parsed;
  const { ast, problems } = writtenOut(parsed.ast, values);
  return problems.length === 0 ? { ast, problems } : { problems };
}

/**
 * Checks `source` (a text, or a tree from `parse`) where `facts` hold. With `expected`, its value
 * must be of that type (a literal decimal is widened to it). Problems come in the order of the
 * text, their offsets relative to the text; `code` is given where there are none.
 */
export function check(
  source: Ast | string,
  environment: Environment,
  facts: Facts,
  expected?: Type,
): Checked {
  const parsed = parsedIn(source, environment);
  const { ast } = parsed;
  if (!ast) return { type: UNKNOWN, problems: parsed.problems, whenTrue: facts, whenFalse: facts };
  const problems: Problem[] = [];
  const scope: Scope = { environment, variables: new Map(), problems, visit };
  const node = (expected && visitAs(expected, ast, scope, facts)) ?? visit(ast, scope, facts);
  const refined = expected && problems.length === 0 ? fitted(node.code, expected) : node.code;
  const code = plainCode(refined);
  if (expected && problems.length === 0 && !fits(code.type, expected, environment)) {
    const { advice } = environment;
    problems.push({
      ...misfit(node, expected, advice),
      start: ast.start,
      end: ast.end,
    });
  }
  problems.sort((a, b) => a.start - b.start || a.end - b.end);
  if (isHidden(expected) && problems.every((problem) => problem.code === "wrong-type")) {
    const gap: Code = { op: "gap", type: expected, gap: expected.gap };
    const kept = problems.length === 0 ? code : gap;
    return { type: expected, code: kept, problems: [], whenTrue: facts, whenFalse: facts };
  }
  const settled =
    problems.length > 0 || code.type.kind !== "boolean" || environment.open !== undefined
      ? undefined
      : settledBy(node.code, presence(environment, facts));
  return {
    type: refined.type,
    ...(problems.length === 0 ? { code } : {}),
    ...(settled === undefined ? {} : { settled }),
    problems,
    whenTrue: factsUnder(facts, node.whenTrue),
    whenFalse: factsUnder(facts, node.whenFalse),
  };
}
