/** Types the macros that go through a list with a variable; knows no other call. */
import type { Ast, CallAst } from "../ast.ts";
import { freeNames } from "../code.ts";
import { factsUnder, withoutName, withPresent } from "../facts.ts";
import { formatWithArticle } from "../format.ts";
import { macroTable } from "../functions/macros.ts";
import { BOOLEAN, STRING } from "../relations.ts";
import type { Code, Facts, Type } from "../types.ts";
import { allItems, keyOf, lessThan, narrowed, notEmpty } from "./ranges.ts";
import type { Scope, Typed } from "./scope.ts";
import { reject, typed, visitCondition, visitValue } from "./scope.ts";

type Each = Extract<Code, { readonly op: "each" }>;

const CONDITIONS: ReadonlySet<string> = new Set(["exists", "all", "exists_one", "filter"]);

/** Whether a call is one of these macros. */
export function isMacro(ast: CallAst): boolean {
  return ast.receiver !== undefined && (CONDITIONS.has(ast.fn) || /^(map|group)$/.test(ast.fn));
}

/**
 * `list.exists(x, ...)` and the like; for a map, the variable goes through its keys. Behind
 * `list.filter(x, ...)` with the same variable, the filter's condition is a guard. `wanted`: what
 * the values of `map` and `group` are to be.
 */
export function visitMacro(ast: CallAst, scope: Scope, facts: Facts, wanted?: Type): Typed {
  const [variable, ...bodies] = ast.args;
  const counts = ast.fn === "map" ? [1, 2] : ast.fn === "group" ? [2] : [1];
  if (!ast.receiver || variable?.kind !== "name" || !counts.includes(bodies.length)) {
    return reject(scope, ast, { code: "wrong-type", message: writtenAs(ast.fn) });
  }
  const { code: over, items, path } = visitValue(ast.receiver, scope, facts);
  const positions = positionsOf(over);
  const item = positions ? POSITION : itemType(over.type);
  if (!item) {
    const found = formatWithArticle(over.type);
    const message = `\`${ast.fn}\` goes through a list or a map, this is ${found}`;
    return reject(scope, ast.receiver, { code: "wrong-type", message });
  }
  const as = variable.name;
  const inner: Scope = { ...scope, variables: new Map(scope.variables).set(as, item) };
  const outer = withoutName(facts, as);
  const from = items?.as === as ? factsUnder(outer, items.facts) : outer;
  // The keys of a map are in it.
  const keyed = over.type.kind === "map" && path ? withPresent(from, `${path}[${as}]`) : from;
  const list = positions && !freeNames(positions).has(as) ? keyOf(positions) : undefined;
  const held = list ? withPresent(keyed, lessThan(as, `size(${list})`)) : keyed;
  const node = body({ over, as, item, bodies, wanted }, ast, { scope: inner, facts: held });
  // What holds inside holds for items alone: a list may have none.
  const exists = ast.fn === "exists" || ast.fn === "exists_one";
  if (ast.fn === "all") {
    const all = node.items?.facts ?? facts;
    return { code: node.code, whenTrue: allItems(over, as, all, facts), whenFalse: facts };
  }
  return { ...node, whenTrue: exists ? notEmpty(over, facts) : facts, whenFalse: facts };
}

function writtenAs(name: string): string {
  const written = macroTable.find((entry) => entry.name === name)?.written ?? [];
  return `\`${name}\` is written ${written.map((line) => `\`${line}\``).join(" or ")}`;
}

const POSITION: Type = { kind: "integer", least: 0n };

/** The list whose positions are gone through. */
function positionsOf(over: Code): Code | undefined {
  return over.op === "call" && over.fn === "positions" ? over.args[0] : undefined;
}

function itemType(type: Type): Type | undefined {
  if (type.kind === "list") return type.of;
  if (type.kind === "map") return STRING;
  return type.kind === "unknown" ? type : undefined;
}

interface Parts {
  readonly over: Code;
  readonly as: string;
  readonly item: Type;
  readonly bodies: readonly Ast[];
  readonly wanted: Type | undefined;
}

interface Inside {
  readonly scope: Scope;
  readonly facts: Facts;
}

function body(parts: Parts, ast: CallAst, { scope, facts }: Inside): Typed {
  const { over, as, item, bodies, wanted } = parts;
  const [first, second] = bodies;
  if (!first) return reject(scope, ast, { code: "wrong-type", message: writtenAs(ast.fn) });
  if (CONDITIONS.has(ast.fn)) {
    const condition = visitCondition(first, scope, facts);
    const bound = condition.whenTrue.bounds.get(as) ?? {};
    const type: Type = ast.fn === "filter" ? { kind: "list", of: narrowed(item, bound) } : BOOLEAN;
    const macro = ast.fn as Each["macro"];
    const node = typed({ op: "each", type, macro, over, as, body: condition.code }, facts);
    const items = { as, facts: factsUnder(facts, condition.whenTrue) };
    return ast.fn === "filter" || ast.fn === "all" ? { ...node, items } : node;
  }
  if (ast.fn === "group" && second) return group(parts, second, { scope, facts });
  let source = over;
  let held = facts;
  if (second) {
    const condition = visitCondition(first, scope, facts);
    const type: Type = { kind: "list", of: item };
    source = { op: "each", type, macro: "filter", over, as, body: condition.code };
    held = factsUnder(facts, condition.whenTrue);
  }
  const value = scope.visit(second ?? first, scope, held, wanted).code;
  const type: Type = { kind: "list", of: value.type };
  return typed({ op: "each", type, macro: "map", over: source, as, body: value }, facts);
}

function group(parts: Parts, valueAst: Ast, { scope, facts }: Inside): Typed {
  const { over, as, bodies, wanted } = parts;
  const keyAst = bodies[0] ?? valueAst;
  const key = visitValue(keyAst, scope, facts).code;
  const value = scope.visit(valueAst, scope, facts, wanted).code;
  if (key.type.kind !== "string" && key.type.kind !== "unknown") {
    const message = `the key of a group is a string, this is ${formatWithArticle(key.type)}`;
    return reject(scope, keyAst, { code: "wrong-type", message, hint: "make it one: `string(x)`" });
  }
  const type: Type = { kind: "map", of: { kind: "list", of: value.type } };
  return typed({ op: "each", type, macro: "group", over, as, body: key, value }, facts);
}
