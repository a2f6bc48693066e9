/** Types `==`, `!=` and `in`: what can be equal, null, rows, words never equal; gives facts. */
import type { Ast, BinaryAst } from "../ast.ts";
import { withNotNull, withPresent } from "../facts.ts";
import { formatType, formatWithArticle } from "../format.ts";
import {
  BOOLEAN,
  canBeNull,
  commonType,
  containsType,
  nullable,
  withoutNull,
} from "../relations.ts";
import { quote } from "../text.ts";
import type { Code, Facts, ProblemText, Type } from "../types.ts";
import { fitted } from "./fit.ts";
import { operandHint } from "./hints.ts";
import { pathOfKey } from "./indexes.ts";
import { notEmpty, equalFacts as numberFacts } from "./ranges.ts";
import type { Scope, Typed } from "./scope.ts";
import { gapAmong, nearName, reject, typed, visitValue } from "./scope.ts";
import { widenTogether } from "./widen.ts";
import { wordFacts } from "./words.ts";

/** Why two values cannot be compared, or undefined where they can. */
export function incomparable(a: Code, b: Code): ProblemText | undefined {
  if (a.type.kind === "null" || b.type.kind === "null") return undefined;
  const opaque = [a, b].find((side) => containsType(side.type, isOpaque));
  if (!opaque && commonType(a.type, b.type)) return undefined;
  const message = opaque
    ? `${formatType(opaque.type)} cannot be compared`
    : `${formatWithArticle(a.type)} and ${formatWithArticle(b.type)} are never equal`;
  return { code: "wrong-type", message, hint: operandHint("==", a, b) ?? opaqueHint(opaque?.type) };
}

function isOpaque(type: Type): boolean {
  return type.kind === "secret" || type.kind === "object";
}

function opaqueHint(type: Type | undefined): string | undefined {
  return type && containsType(type, (inner) => inner.kind === "object")
    ? "compare its members"
    : undefined;
}

/** A literal string that no value of the other side can be, with the nearest that can. */
function neverEqual(ast: Ast, other: Type, scope: Scope): ProblemText | undefined {
  if (ast.kind !== "literal" || ast.literal !== "string") return undefined;
  const type = other.kind === "nullable" ? other.of : other;
  const words = type.kind === "string" ? type.oneOf : undefined;
  const word = String(ast.value);
  if (!words || words.includes(word)) return undefined;
  const near = nearName(scope, word, words);
  const hint =
    near === undefined ? `it is ${formatType(type)}` : `did you mean \`${quote(near)}\`?`;
  return { code: "wrong-type", message: `never equal: it cannot be ${quote(word)}`, hint };
}

function isLiteralText(ast: Ast): boolean {
  return ast.kind === "literal" && ast.literal === "string";
}

/** `a == b` and `a != b`; either side may be null. */
export function visitEquality(ast: BinaryAst, scope: Scope, facts: Facts): Typed {
  const [left, right] = visitBoth(ast, scope, facts);
  const unshown = gapAmong([left.code, right.code]);
  if (unshown !== undefined) return typed(unshown, comparedFacts(left, right, facts));
  const [a, b] = widenTogether([left.code, right.code]);
  if (!a || !b) return typed(left.code, facts);
  const problem = incomparable(a, b);
  if (problem) return reject(scope, ast, problem);
  if (!isLiteralText(ast.left) || !isLiteralText(ast.right)) {
    const wrong = neverEqual(ast.left, b.type, scope) ?? neverEqual(ast.right, a.type, scope);
    if (wrong) return reject(scope, isLiteralText(ast.left) ? ast.left : ast.right, wrong);
  }
  const code: Code = { op: "call", type: BOOLEAN, fn: ast.operator, args: [a, b] };
  const equal = wordFacts([left, right], true, scope, equalFacts(left, right, facts));
  const unequal = wordFacts([left, right], false, scope, unequalFacts(left, right, facts));
  return ast.operator === "=="
    ? { code, whenTrue: equal, whenFalse: unequal }
    : { code, whenTrue: unequal, whenFalse: equal };
}

/** Both sides; what is written as a literal beside JSON is JSON. */
function visitBoth(ast: BinaryAst, scope: Scope, facts: Facts): readonly [Typed, Typed] {
  const visit = (one: Ast, as?: Type) => scope.visit(one, scope, facts, as);
  const jsonOf = ({ code }: Typed) => {
    const wanted = withoutNull(code.type);
    return wanted.kind === "json" ? nullable(wanted) : undefined;
  };
  if (isStructure(ast.left) && !isStructure(ast.right)) {
    const right = visit(ast.right);
    return [visit(ast.left, jsonOf(right)), right];
  }
  const left = visit(ast.left);
  if (isStructure(ast.right)) return [left, visit(ast.right, jsonOf(left))];
  const right = visit(ast.right);
  return [besideJson(left, right), besideJson(right, left)];
}

function isStructure(ast: Ast): boolean {
  return ast.kind === "map" || ast.kind === "list";
}

/** A number beside JSON is compared as a JSON number. */
function besideJson(one: Typed, other: Typed): Typed {
  if (withoutNull(other.code.type).kind !== "json") return one;
  return { ...one, code: fitted(one.code, nullable({ kind: "json" })) };
}

/** Whatever a gap hides may be what guards the other side: it is not asked for a guard again. */
function comparedFacts(left: Typed, right: Typed, facts: Facts): Facts {
  const held = left.path === undefined ? facts : withNotNull(facts, left.path);
  return right.path === undefined ? held : withNotNull(held, right.path);
}

/** Equal to what is not null: not null itself. */
function equalFacts(left: Typed, right: Typed, facts: Facts): Facts {
  let held = numberFacts(left.code, right.code, true, facts);
  if (left.path && !mayBeNull(right)) held = withNotNull(held, left.path);
  if (right.path && !mayBeNull(left)) held = withNotNull(held, right.path);
  return held;
}

/** Not equal to null: not null. */
function unequalFacts(left: Typed, right: Typed, facts: Facts): Facts {
  let held = numberFacts(left.code, right.code, false, facts);
  if (left.path && right.code.type.kind === "null") held = withNotNull(held, left.path);
  if (right.path && left.code.type.kind === "null") held = withNotNull(held, right.path);
  return held;
}

function mayBeNull(node: Typed): boolean {
  return canBeNull(node.code.type) || node.code.type.kind === "unknown";
}

/** `a in list`, `key in map`; `"k" in m` is a guard for `m.k`. */
export function visitIn(ast: BinaryAst, scope: Scope, facts: Facts): Typed {
  const over = visitValue(ast.right, scope, facts);
  const { type } = over.code;
  const open = type.kind === "list" && canBeNull(type.of);
  const item = open ? scope.visit(ast.left, scope, facts) : visitValue(ast.left, scope, facts);
  const unshown = gapAmong([item.code, over.code]);
  if (unshown !== undefined) return typed(unshown, facts);
  if (type.kind !== "list" && type.kind !== "map" && type.kind !== "unknown") {
    const message = `\`in\` looks in a list or a map, this is ${formatWithArticle(type)}`;
    return reject(scope, ast.right, { code: "wrong-type", message });
  }
  if (type.kind !== "list") return visitKeyIn(ast, scope, { item, over, facts });
  const [wide, list] = widenTogether([item.code, over.code]);
  const of: Type = list?.type.kind === "list" ? list.type.of : type.of;
  if (!wide || !list) return typed(over.code, facts);
  const problem = incomparable(wide, { op: "literal", type: of, value: null });
  if (problem) return reject(scope, ast, problem);
  const wrong = neverIn(ast, scope, { item: wide.type, of });
  if (wrong) return reject(scope, wrong.at, wrong.problem);
  const code: Code = { op: "call", type: BOOLEAN, fn: "in", args: [wide, list] };
  const sure = item.path !== undefined && !canBeNull(of) && of.kind !== "unknown";
  const some = notEmpty(list, facts);
  return { code, whenTrue: sure ? withNotNull(some, item.path) : some, whenFalse: facts };
}

function neverIn(ast: BinaryAst, scope: Scope, { item, of }: { item: Type; of: Type }) {
  if (isLiteralText(ast.left)) {
    const problem = ast.right.kind === "list" ? undefined : neverEqual(ast.left, of, scope);
    return problem && { at: ast.left, problem };
  }
  if (ast.right.kind !== "list") return undefined;
  for (const at of ast.right.items) {
    const problem = neverEqual(at, nullable(item), scope);
    if (problem) return { at, problem };
  }
  return undefined;
}

interface KeyIn {
  readonly item: Typed;
  readonly over: Typed;
  readonly facts: Facts;
}

function visitKeyIn(ast: BinaryAst, scope: Scope, { item, over, facts }: KeyIn): Typed {
  const { kind } = item.code.type;
  if (kind !== "string" && kind !== "unknown") {
    const message = `the keys of a map are strings, this is ${formatWithArticle(item.code.type)}`;
    return reject(scope, ast.left, { code: "wrong-type", message });
  }
  const code: Code = { op: "call", type: BOOLEAN, fn: "in", args: [item.code, over.code] };
  const path = over.path === undefined ? undefined : pathOfKey(over.path, item.code);
  return { code, whenTrue: path ? withPresent(facts, path) : facts, whenFalse: facts };
}
