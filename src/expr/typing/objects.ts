/** Types literals where a part or JSON is wanted: objects whose members have types of their own. */
import { nearest } from "../../base/index.ts";
import type { Ast, ListAst, MapAst } from "../ast.ts";
import { formatType } from "../format.ts";
import { isAssignable, withoutNull } from "../relations.ts";
import type { Code, Facts, Member, Type } from "../types.ts";
import { fitted, misfit } from "./fit.ts";
import { reject, type Scope, type Typed, typed } from "./scope.ts";

const JSON_TYPE: Type = { kind: "json" };

/** Parts alone can be written as literals; what a request or an error holds cannot be made up. */
function partMembers(type: Type, scope: Scope): ReadonlyMap<string, Member> | undefined {
  if (type.kind !== "object" || !type.name.startsWith("part:")) return undefined;
  return scope.environment.members({ kind: "object", name: type.name });
}

/** A literal where `wanted` is a part, JSON, or a list or map of them; undefined for all else. */
export function visitAs(wanted: Type, ast: Ast, scope: Scope, facts: Facts): Typed | undefined {
  const type = withoutNull(wanted);
  if (type.kind === "json") return visitJson(ast, scope, facts);
  if (ast.kind === "list" && type.kind === "list" && isOpen(type.of)) {
    const items = ast.items.map((item) => valueAs(type.of, item, scope, facts));
    return typed({ op: "list", type, items }, facts);
  }
  if (ast.kind === "binary" && ast.operator === "+" && type.kind === "list" && isOpen(type.of)) {
    const args = [ast.left, ast.right].map((side) => valueAs(type, side, scope, facts));
    return typed({ op: "call", type, fn: "+", args }, facts);
  }
  if (ast.kind !== "map") return undefined;
  const members = partMembers(type, scope);
  if (members !== undefined) return visitObject(ast, { type, members }, scope, facts);
  if (type.kind !== "map" || !isOpen(type.of)) return undefined;
  return entriesAs(ast, type, () => type.of, { scope, facts });
}

function isOpen(wanted: Type): boolean {
  const type = withoutNull(wanted);
  if (type.kind === "list" || type.kind === "map") return isOpen(type.of);
  return type.kind === "json" || type.kind === "object";
}

/** A value of the type that is wanted at its place; a problem where it is none. */
function valueAs(wanted: Type, ast: Ast, scope: Scope, facts: Facts): Code {
  const before = scope.problems.length;
  const node = visitAs(wanted, ast, scope, facts) ?? scope.visit(ast, scope, facts);
  if (scope.problems.length > before) return node.code;
  const code = fitted(node.code, wanted);
  if (isAssignable(code.type, wanted)) return code;
  return reject(scope, ast, misfit({ ...node, code }, wanted)).code;
}

interface At {
  readonly scope: Scope;
  readonly facts: Facts;
}

function entriesAs(
  ast: MapAst,
  type: Type,
  wanted: (name: string) => Type | undefined,
  { scope, facts }: At,
): Typed {
  const seen = new Set<string>();
  const entries: { key: Code; value: Code }[] = [];
  for (const { key, value } of ast.entries) {
    const name = key.kind === "literal" && key.literal === "string" ? String(key.value) : undefined;
    const of = name === undefined || seen.has(name) ? undefined : wanted(name);
    if (name === undefined || seen.has(name)) {
      const message =
        name === undefined
          ? "the names of members are texts in quotes here"
          : `the key \`${name}\` stands twice in this map`;
      reject(scope, key, { code: "wrong-type", message });
    }
    if (name === undefined || of === undefined) continue;
    seen.add(name);
    const literal: Code = { op: "literal", type: { kind: "string", oneOf: [name] }, value: name };
    entries.push({ key: literal, value: valueAs(of, value, scope, facts) });
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
  const keyOf = (name: string) =>
    ast.entries.find(({ key }) => key.kind === "literal" && key.value === name)?.key ?? ast;
  const node = entriesAs(
    ast,
    type,
    (name) => {
      given.add(name);
      const member = members.get(name);
      if (member !== undefined) return member.type;
      const near = nearest(name, members.keys());
      reject(scope, keyOf(name), {
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

/** A literal of JSON; undefined for an expression that must be JSON by itself. */
function visitJson(ast: Ast, scope: Scope, facts: Facts): Typed | undefined {
  if (ast.kind === "list") return visitJsonList(ast, scope, facts);
  if (ast.kind === "map") return entriesAs(ast, JSON_TYPE, () => JSON_TYPE, { scope, facts });
  if (ast.kind !== "literal") return undefined;
  // A text is JSON as it is; a literal whose type is JSON is a number, with its digits.
  if (ast.literal === "string") return undefined;
  return typed({ op: "literal", type: JSON_TYPE, value: ast.value }, facts);
}

function visitJsonList(ast: ListAst, scope: Scope, facts: Facts): Typed {
  const items = ast.items.map((item) => valueAs(JSON_TYPE, item, scope, facts));
  return typed({ op: "list", type: JSON_TYPE, items }, facts);
}
