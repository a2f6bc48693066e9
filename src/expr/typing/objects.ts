/**
 * Types what is written where a part or JSON is wanted: objects whose members have types of their
 * own, also below the operators, macros and functions that hand them on.
 */
import { nearest } from "../../base/index.ts";
import type {
  Ast,
  BinaryAst,
  CallAst,
  ConditionalAst,
  ListAst,
  LiteralAst,
  MapAst,
} from "../ast.ts";
import { factsUnder } from "../facts.ts";
import { formatType } from "../format.ts";
import { canBeNull, isAssignable, JSON_TYPE, STRING, withoutNull } from "../relations.ts";
import type { Code, Facts, Literal, Member, Type } from "../types.ts";
import { sameItems, visitFunction } from "./calls.ts";
import { fitted, misfit } from "./fit.ts";
import { isMacro, visitMacro } from "./macros.ts";
import { visitIndex } from "./members.ts";
import { reject, type Scope, type Typed, typed, visitCondition } from "./scope.ts";

/** Parts alone can be written as literals; what a request or an error holds cannot be made up. */
function partMembers(type: Type, scope: Scope): ReadonlyMap<string, Member> | undefined {
  if (type.kind !== "object" || !type.name.startsWith("part:")) return undefined;
  return scope.environment.members({ kind: "object", name: type.name });
}

/**
 * A literal where `wanted` is a part, JSON, or a list or map of them, and what gives such literals:
 * `c ? a : b`, lists joined by `+`, `list.map(x, ...)`; undefined for all else.
 */
export function visitAs(wanted: Type, ast: Ast, scope: Scope, facts: Facts): Typed | undefined {
  const type = withoutNull(wanted);
  switch (ast.kind) {
    case "list":
    case "map":
      return visitLiteralAs(type, ast, scope, facts);
    case "literal":
      return type.kind === "json" ? visitJson(ast, facts) : undefined;
    case "conditional":
      return isOpen(type) ? visitBranches(wanted, ast, scope, facts) : undefined;
    case "binary":
      return visitJoined(type, ast, scope, facts);
    case "index":
      return isOpen(type) && (ast.of.kind === "list" || ast.of.kind === "map")
        ? visitIndex(ast, scope, facts, { kind: ast.of.kind, of: wanted })
        : undefined;
    case "call":
      return visitCallAs(type, ast, scope, facts);
    case "name":
    case "member":
    case "unary":
      return undefined;
  }
}

function visitLiteralAs(
  type: Type,
  ast: ListAst | MapAst,
  scope: Scope,
  facts: Facts,
): Typed | undefined {
  if (ast.kind === "list") {
    const of = itemsOf(type);
    if (of === undefined || !isOpen(of)) return undefined;
    const items = ast.items.map((item) => scope.visit(item, scope, facts, of).code);
    return typed({ op: "list", type, items }, facts);
  }
  if (type.kind === "json") return entriesOf(ast, type, type, { scope, facts });
  const members = partMembers(type, scope);
  if (members !== undefined) return visitObject(ast, { type, members }, scope, facts);
  if (type.kind !== "map" || !isOpen(type.of)) return undefined;
  return entriesOf(ast, type, type.of, { scope, facts });
}

/** What the items of a list are wanted to be; undefined where no list is wanted. */
function itemsOf(type: Type): Type | undefined {
  return type.kind === "json" ? JSON_TYPE : type.kind === "list" ? type.of : undefined;
}

/** `c ? a : b`: what is wanted of it is wanted of both. */
function visitBranches(wanted: Type, ast: ConditionalAst, scope: Scope, facts: Facts): Typed {
  const condition = visitCondition(ast.condition, scope, facts);
  const then = factsUnder(facts, condition.whenTrue);
  const otherwise = factsUnder(facts, condition.whenFalse);
  const a = scope.visit(ast.then, scope, then, wanted).code;
  const b = scope.visit(ast.otherwise, scope, otherwise, wanted).code;
  const type = canBeNull(a.type) || canBeNull(b.type) ? wanted : withoutNull(wanted);
  return typed({ op: "call", type, fn: "?:", args: [condition.code, a, b] }, facts);
}

/** `a + b` of lists. */
function visitJoined(type: Type, ast: BinaryAst, scope: Scope, facts: Facts): Typed | undefined {
  const of = itemsOf(type);
  if (ast.operator !== "+" || of === undefined || !isOpen(of)) return undefined;
  if (type.kind === "json" && !givesList(ast)) return undefined;
  const list: Type = { kind: "list", of };
  const args = [ast.left, ast.right].map((side) => scope.visit(side, scope, facts, list).code);
  return typed({ op: "call", type: list, fn: "+", args }, facts);
}

function visitCallAs(type: Type, ast: CallAst, scope: Scope, facts: Facts): Typed | undefined {
  const of = itemsOf(type);
  if (isMacro(ast)) {
    if (ast.fn === "map" && of !== undefined) return visitMacro(ast, scope, facts, of);
    const group = ast.fn !== "group" || type.kind !== "map" ? undefined : itemsOf(type.of);
    return group === undefined ? undefined : visitMacro(ast, scope, facts, group);
  }
  if (type.kind === "map" && isOpen(type) && sameItems(ast.fn, "map")) {
    return visitFunction(ast, scope, facts, type);
  }
  if (ast.fn === "has" || of === undefined || !isOpen(of)) return undefined;
  if (type.kind === "json" && !givesList(ast)) return undefined;
  return visitFunction(ast, scope, facts, { kind: "list", of });
}

/** Whether a list is written there, as far as its words show. */
function givesList(ast: Ast): boolean {
  switch (ast.kind) {
    case "list":
      return true;
    case "conditional":
      return givesList(ast.then) || givesList(ast.otherwise);
    case "binary":
      return ast.operator === "+" && (givesList(ast.left) || givesList(ast.right));
    case "call": {
      if (ast.fn === "map" && isMacro(ast)) return true;
      const first = ast.receiver ?? ast.args[0];
      return first !== undefined && sameItems(ast.fn, "list") && givesList(first);
    }
    case "literal":
    case "name":
    case "member":
    case "index":
    case "map":
    case "unary":
      return false;
  }
}

/** Whether a literal takes something from the type: its members, or its places. */
function isOpen(wanted: Type): boolean {
  const type = withoutNull(wanted);
  if (type.kind === "list" || type.kind === "map") return isOpen(type.of);
  return /^(json|object|decimal)$/.test(type.kind);
}

/** A value of the type that is wanted at its place; a problem where it is none. */
export function visitWanted(wanted: Type, ast: Ast, scope: Scope, facts: Facts): Typed {
  const before = scope.problems.length;
  const node = visitAs(wanted, ast, scope, facts) ?? scope.visit(ast, scope, facts);
  if (scope.problems.length > before) return node;
  const code = fitted(node.code, wanted);
  if (isAssignable(code.type, wanted)) return { ...node, code };
  return reject(scope, ast, misfit({ ...node, code }, wanted));
}

interface At {
  readonly scope: Scope;
  readonly facts: Facts;
}

/** The members of a map or of JSON: all of one type, their names texts of any kind. */
function entriesOf(ast: MapAst, type: Type, of: Type, { scope, facts }: At): Typed {
  const seen = new Set<string>();
  const entries = ast.entries.map(({ key, value }) => {
    const name = scope.visit(key, scope, facts, STRING).code;
    if (name.op === "literal" && seen.has(String(name.value))) repeated(scope, key, name.value);
    if (name.op === "literal") seen.add(String(name.value));
    return { key: name, value: scope.visit(value, scope, facts, of).code };
  });
  return typed({ op: "map", type, entries }, facts);
}

function repeated(scope: Scope, key: Ast, name: Literal): void {
  const message = `the key \`${String(name)}\` stands twice in this map`;
  reject(scope, key, { code: "wrong-type", message });
}

/** The members of a part, each of its own type: a literal names them. */
function entriesAs(
  ast: MapAst,
  type: Type,
  wanted: (name: string, key: Ast) => Type | undefined,
  { scope, facts }: At,
): Typed {
  const seen = new Set<string>();
  const entries: { key: Code; value: Code }[] = [];
  for (const { key, value } of ast.entries) {
    const name = key.kind === "literal" && key.literal === "string" ? String(key.value) : undefined;
    if (name === undefined) {
      const message = "the names of members are texts in quotes here";
      reject(scope, key, { code: "wrong-type", message });
    } else if (seen.has(name)) repeated(scope, key, name);
    const of = name === undefined || seen.has(name) ? undefined : wanted(name, key);
    if (name === undefined || of === undefined) continue;
    seen.add(name);
    const literal: Code = { op: "literal", type: { kind: "string", oneOf: [name] }, value: name };
    entries.push({ key: literal, value: scope.visit(value, scope, facts, of).code });
  }
  return typed({ op: "map", type, entries }, facts);
}

interface Part {
  readonly type: Type;
  readonly members: ReadonlyMap<string, Member>;
}

/** `{"width": 1, "label": "x"}` where a part is wanted: each member as the part's table has it. */
function visitObject(ast: MapAst, { type, members }: Part, scope: Scope, facts: Facts): Typed {
  const given = new Set<string>();
  const node = entriesAs(
    ast,
    type,
    (name, key) => {
      given.add(name);
      const member = members.get(name);
      if (member !== undefined) return member.type;
      const near = nearest(name, members.keys());
      reject(scope, key, {
        code: "unknown-name",
        message: `${formatType(type)} has no member \`${name}\``,
        ...(near === undefined ? {} : { hint: `did you mean \`${near}\`?` }),
      });
      return undefined;
    },
    { scope, facts },
  );
  const missing = [...members].filter(
    ([name, { absent, filled, type: own }]) =>
      !absent && filled !== true && own.kind !== "unknown" && !given.has(name),
  );
  if (missing.length > 0) {
    const names = missing.map(([name]) => `\`${name}\``).join(", ");
    reject(scope, ast, { code: "wrong-type", message: `${formatType(type)} needs ${names}` });
  }
  return node;
}

/** A literal where JSON is wanted; undefined for a text, which is JSON as it is. */
function visitJson(ast: LiteralAst, facts: Facts): Typed | undefined {
  // A literal whose type is JSON is a number, with its digits.
  if (ast.literal === "string") return undefined;
  return typed({ op: "literal", type: JSON_TYPE, value: ast.value }, facts);
}
