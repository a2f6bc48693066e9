/** What type checking carries along: names in scope, facts, problems; knows no kind of node. */
import { nearestWithin, newBudget } from "../../base/index.ts";
import type { Ast } from "../ast.ts";
import { EMPTY_FACTS } from "../facts.ts";
import { formatWithArticle } from "../format.ts";
import { meetsGap } from "../references.ts";
import { canBeNull, UNKNOWN } from "../relations.ts";
import type { Code, Environment, Facts, Problem, ProblemText, Type } from "../types.ts";

/** A checked node. `path`: the dotted names of an access path that facts can be about. */
export interface Typed {
  readonly code: Code;
  readonly path?: string;
  readonly whenTrue: Facts;
  readonly whenFalse: Facts;
  /** Of `list.filter(x, ...)`: what holds for each item, where `x` names it. */
  readonly items?: { readonly as: string; readonly facts: Facts };
}

/** A node whose type a gap hides; undefined where the type is known. */
export function hidden(type: Type, facts: Facts): Typed | undefined {
  if (type.kind !== "unknown" || type.gap === undefined) return undefined;
  return typed({ op: "gap", type, gap: type.gap }, facts);
}

/** The first of the codes that meets a gap whenever it is evaluated. */
export function gapAmong(codes: readonly Code[]): Code | undefined {
  return codes.find((code) => code.op === "gap");
}

/** Types one node where `facts` hold; with `wanted`, a value of that type, or a problem. */
type Visit = (ast: Ast, scope: Scope, facts: Facts, wanted?: Type) => Typed;

export interface Scope {
  readonly environment: Environment;
  /** Types of the variables of the macros around. */
  readonly variables: ReadonlyMap<string, Type>;
  /** Problems found so far, in the order of the text; appended to. */
  readonly problems: Problem[];
  readonly visit: Visit;
  /** A gap decides whether this is come to: the guard may be in what is not shown. */
  readonly behindGap?: boolean;
}

/** Whether a guard that is not seen may be there all the same. */
export function mayBeGuarded({ environment, behindGap }: Scope): boolean {
  return environment.open !== undefined || behindGap === true;
}

/** Whether what may fault is a problem where no guard is seen. */
export function needsGuards(scope: Scope): boolean {
  return scope.environment.guarded === true && !mayBeGuarded(scope);
}

/** The scope of what is come to by the outcome of a condition. */
export function behind(condition: Code, scope: Scope): Scope {
  return scope.behindGap || !meetsGap(condition) ? scope : { ...scope, behindGap: true };
}

/** Code that stands where there was a problem. */
export const NO_CODE: Code = { op: "literal", type: UNKNOWN, value: null };

/** A node of which nothing more is known whether it is true or false. */
export function typed(code: Code, facts: Facts): Typed {
  return { code, whenTrue: facts, whenFalse: facts };
}

/** Records a problem at `ast`; what it gives fits everywhere, so that nothing follows from it. */
export function reject(
  scope: Scope,
  at: { readonly start: number; readonly end: number },
  problem: ProblemText,
): Typed {
  scope.problems.push({ ...problem, start: at.start, end: at.end });
  return typed(NO_CODE, EMPTY_FACTS);
}

/** The name that was meant, where it is near and looking for it stays cheap. */
export function nearName(
  { environment }: Scope,
  name: string,
  names: Iterable<string>,
): string | undefined {
  return nearestWithin(environment.compared ?? newBudget(), name, names);
}

/** Types `ast` and requires that it cannot be null. */
export function visitValue(ast: Ast, scope: Scope, facts: Facts): Typed {
  const node = scope.visit(ast, scope, facts);
  if (!canBeNull(node.code.type)) return node;
  // Where names may be hidden, so may be the guards.
  if (mayBeGuarded(scope) && node.code.type.kind === "nullable") {
    return { ...node, code: { ...node.code, type: node.code.type.of } };
  }
  return rejectNull(node, ast, scope);
}

function rejectNull(node: Typed, ast: Ast, scope: Scope): Typed {
  if (node.code.type.kind === "null") {
    return reject(scope, ast, { code: "wrong-type", message: "null cannot be used here" });
  }
  const what = node.path ? `\`${node.path}\`` : "this";
  const advised = node.path && scope.environment.advice?.get(node.path);
  const hint = advised
    ? advised
    : node.path
      ? `guard it: \`${node.path} != null && ...\``
      : "give the case of null a value of its own with `c ? a : b`";
  return reject(scope, ast, { code: "unguarded", message: `${what} may be null`, hint });
}

/** Types `ast` and requires a boolean; `what` names its place in the message. */
export function visitCondition(ast: Ast, scope: Scope, facts: Facts): Typed {
  const node = visitValue(ast, scope, facts);
  const { type } = node.code;
  if (type.kind === "boolean" || type.kind === "unknown") return node;
  const message = `a condition is wanted here, this is ${formatWithArticle(type)}`;
  return reject(scope, ast, { code: "wrong-type", message });
}
