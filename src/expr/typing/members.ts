/** Types names, members, `has` and indexes, with their guards; knows no operators. */
import { spend } from "../../base/index.ts";
import type { Ast, CallAst, IndexAst, MemberAst, NameAst } from "../ast.ts";
import { withPresent } from "../facts.ts";
import { formatType, formatWithArticle } from "../format.ts";
import { BOOLEAN, INTEGER, withoutNull } from "../relations.ts";
import type { Code, Facts, Member, Type } from "../types.ts";
import { indexProblem } from "./indexes.ts";
import { keyOf, known } from "./ranges.ts";
import type { Scope, Typed } from "./scope.ts";
import {
  gapAmong,
  hidden,
  mayBeGuarded,
  nearName,
  needsGuards,
  reject,
  typed,
  visitValue,
} from "./scope.ts";
import { typeByWord } from "./words.ts";

/** A node at `path`, its null taken off where a fact says that it is not null. */
export function atPath(code: Code, path: string | undefined, facts: Facts): Typed {
  if (path === undefined) return typed(code, facts);
  const type = facts.notNull.has(path) ? withoutNull(code.type) : code.type;
  const unshown = hidden(type, facts);
  if (unshown !== undefined) return unshown;
  return { ...typed(known({ ...code, type }, facts), facts), path };
}

/** A name: the variable of a macro, a name of the environment, or a collection. */
export function visitName(ast: NameAst, scope: Scope, facts: Facts): Typed {
  const { name } = ast;
  const type = scope.variables.get(name) ?? scope.environment.names.get(name);
  if (type) return atPath({ op: "name", type, name }, name, facts);
  const resource = scope.environment.collections.get(name);
  if (resource !== undefined) {
    const rows: Type = { kind: "list", of: { kind: "row", resource } };
    return typed({ op: "rows", type: rows, resource, name }, facts);
  }
  const { open } = scope.environment;
  const unshown = open === undefined ? undefined : hidden({ kind: "unknown", gap: open }, facts);
  if (unshown !== undefined) return unshown;
  const message = `unknown name \`${name}\``;
  return reject(scope, ast, { code: "unknown-name", message, hint: nameHint(name, scope) });
}

function nameHint(name: string, scope: Scope): string {
  const { names, advice } = scope.environment;
  const advised = advice?.get(name);
  if (advised !== undefined) return advised;
  const it = names.get("it");
  if (it && membersOf(it, scope)?.has(name)) return `did you mean \`it.${name}\`?`;
  const near = nearName(scope, name, seen(scope));
  const isRows = near !== undefined && !names.has(near) && scope.environment.collections.has(near);
  // One row is meant, and no step has named it.
  if (isRows && near.startsWith(name)) return `name the row before; \`${near}\` is all rows`;
  if (near !== undefined) return `did you mean \`${near}\`?`;
  const some = listed(seen(scope));
  return some === "" ? "no name is known here" : `known here: ${some}`;
}

/** The names that an expression sees, the innermost first. */
function* seen({ variables, environment }: Scope): Generator<string> {
  yield* variables.keys();
  yield* environment.names.keys();
  yield* environment.collections.keys();
}

const LISTED_MAX = 12;

/** The first few names; empty where there is none. */
function listed(names: Iterable<string>): string {
  const shown: string[] = [];
  for (const name of names) {
    if (shown.length === LISTED_MAX) return `${shown.join(", ")} ...`;
    shown.push(`\`${name}\``);
  }
  return shown.join(", ");
}

function membersOf(type: Type, scope: Scope): ReadonlyMap<string, Member> | undefined {
  if (type.kind === "row") return scope.environment.members({ kind: "row", name: type.resource });
  if (type.kind === "object") return scope.environment.members({ kind: "object", name: type.name });
  return undefined;
}

type Members = ReadonlyMap<string, Member>;

/** A name with dots of which `name` is the beginning: an input of a query that is named so. */
function wholeName(scope: Scope, name: string, names: Members): string | undefined {
  const { compared } = scope.environment;
  if (compared !== undefined && !spend(compared, names.size)) return undefined;
  for (const one of names.keys()) if (one.startsWith(`${name}.`)) return one;
  return undefined;
}

/** How a member of what the path names is written: a name that is no word, as a text. */
function pathTo(path: string, name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `${path}.${name}` : `${path}["${name}"]`;
}

/** What stands before a dot, and the member after it. */
interface Access {
  readonly of: Typed;
  readonly member: Member;
  readonly path?: string;
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Resolves a member; undefined where a problem was recorded or nothing can be known. */
function access(of: Typed, name: string, at: Place, scope: Scope): Access | undefined {
  const { type } = of.code;
  const path = of.path === undefined ? undefined : pathTo(of.path, name);
  if (type.kind === "unknown") return undefined;
  if (type.kind === "map") return { of, member: { type: type.of, absent: true }, path };
  const members = membersOf(type, scope);
  const member = members?.get(name);
  if (member) return { of, member, path };
  if (!members) {
    const message = `${formatWithArticle(type)} has no members`;
    const asks = /^(length|size|count)$/.test(name) && /^(string|list|map)$/.test(type.kind);
    const hint = asks ? { hint: `write \`size(${of.path ?? "x"})\`` } : {};
    reject(scope, at, { code: "wrong-type", message, ...hint });
    return undefined;
  }
  const near = nearName(scope, name, members.keys());
  const whole = path && wholeName(scope, name, members);
  const hint = whole
    ? `write \`${of.path}["${whole}"]\``
    : near !== undefined
      ? `did you mean \`${near}\`?`
      : members.size === 0
        ? "it has no members at all"
        : `it has ${listed(members.keys())}`;
  const message = `${formatType(type)} has no member \`${name}\``;
  reject(scope, at, { code: "unknown-name", message, hint });
  return undefined;
}

/** A member read with a dot. */
export function visitMember(ast: MemberAst, scope: Scope, facts: Facts): Typed {
  const of = visitValue(ast.of, scope, facts);
  return readMember(of, ast.member, { at: placeOf(ast), scope, facts });
}

function placeOf(ast: MemberAst): Place {
  return { start: ast.memberStart, end: ast.memberStart + ast.member.length };
}

interface Reading {
  readonly at: Place;
  readonly scope: Scope;
  readonly facts: Facts;
}

function readMember(of: Typed, name: string, { at, scope, facts }: Reading): Typed {
  if (of.code.op === "gap") return typed(of.code, facts);
  const found = access(of, name, at, scope);
  if (!found) return unknownMember(facts);
  const { member, path } = found;
  const isOpen = mayBeGuarded(scope);
  const given = isOpen || !member.absent || (path !== undefined && facts.present.has(path));
  if (!given) {
    const shown = path ?? name;
    const message = `\`${shown}\` may be absent`;
    const hint = path
      ? `guard it: \`has(${path}) && ...\``
      : "only what is read from a name by dots can be guarded: name it in a step of its own";
    return reject(scope, at, { code: "unguarded", message, hint });
  }
  const type = typeByWord(member, path, facts);
  if (type === undefined && isOpen) return unknownMember(facts);
  if (type === undefined) return reject(scope, at, severalTypes(member, of.path, name));
  return atPath({ op: "get", type, of: of.code, member: name }, path, facts);
}

function severalTypes(member: Member, of: string | undefined, name: string) {
  const [first] = member.types ?? [];
  const all = (member.types ?? []).map(({ type }) => formatWithArticle(type)).join(" or ");
  const word = `${of ?? "x"}.${member.givenWhen?.member ?? "word"}`;
  return {
    code: "unguarded",
    message: `\`${pathTo(of ?? "x", name)}\` is ${all}, as the word has it`,
    hint: `guard it: \`${word} == "${first?.words[0] ?? ""}" && ...\``,
  } as const;
}

function unknownMember(facts: Facts): Typed {
  return typed({ op: "literal", type: { kind: "unknown" }, value: null }, facts);
}

/** `has(a.b)`: whether the member is given; its truth is a fact. */
export function visitHas(ast: CallAst, scope: Scope, facts: Facts): Typed {
  const [arg] = ast.args;
  const member = arg && memberOperand(arg);
  if (!arg || !member || ast.receiver || ast.args.length !== 1) {
    const message = "`has` takes one member, written with a dot: `has(a.b)`";
    return reject(scope, ast, { code: "wrong-type", message });
  }
  const of = visitValue(member.of, scope, facts);
  if (of.code.op === "gap") return typed(of.code, facts);
  const found = access(of, member.name, member.at, scope);
  if (!found) return typed({ op: "literal", type: BOOLEAN, value: false }, facts);
  // Of what is not shown it is not known either whether it is there.
  const unshown = found.member.absent ? undefined : hidden(found.member.type, facts);
  if (unshown !== undefined) return unshown;
  const code: Code = { op: "has", type: BOOLEAN, of: of.code, member: member.name };
  const whenTrue = found.path === undefined ? facts : withPresent(facts, found.path);
  return { code, whenTrue, whenFalse: facts };
}

function memberOperand(ast: Ast): { of: Ast; name: string; at: Place } | undefined {
  if (ast.kind === "member") return { of: ast.of, name: ast.member, at: placeOf(ast) };
  if (ast.kind !== "index" || ast.at.kind !== "literal" || ast.at.literal !== "string") {
    return undefined;
  }
  return { of: ast.of, name: String(ast.at.value), at: ast.at };
}

/**
 * `a[i]`: an item of a list (outside it a fault), the value of a key (a missing one is a fault),
 * or a member whose name is no word: `header["If-Match"]`. `wanted`: what the list or map is to be.
 */
export function visitIndex(ast: IndexAst, scope: Scope, facts: Facts, wanted?: Type): Typed {
  const of = wanted ? scope.visit(ast.of, scope, facts, wanted) : visitValue(ast.of, scope, facts);
  const { type } = of.code;
  if (type.kind === "row" || type.kind === "object") {
    const operand = memberOperand(ast);
    if (operand) return readMember(of, operand.name, { at: operand.at, scope, facts });
    const message = `a member of ${formatType(type)} is named by a literal string`;
    return reject(scope, ast.at, { code: "wrong-type", message });
  }
  const at = visitValue(ast.at, scope, facts);
  const unshown = gapAmong([of.code, at.code]);
  if (unshown !== undefined) return typed(unshown, facts);
  if (type.kind === "unknown") return unknownMember(facts);
  if (type.kind !== "list" && type.kind !== "map") {
    const message = `only a list or a map has an index, this is ${formatWithArticle(type)}`;
    return reject(scope, ast.of, { code: "wrong-type", message });
  }
  const place: Type = type.kind === "list" ? INTEGER : { kind: "string" };
  if (at.code.type.kind !== place.kind && at.code.type.kind !== "unknown") {
    const message =
      `the index of a ${type.kind} is ${formatWithArticle(place)}, ` +
      `this is ${formatWithArticle(at.code.type)}`;
    return reject(scope, ast.at, { code: "wrong-type", message });
  }
  const code: Code = { op: "index", type: type.of, of: of.code, at: at.code };
  const key = keyOf(at.code);
  const path = of.path === undefined || key === undefined ? undefined : `${of.path}[${key}]`;
  const problem = needsGuards(scope) && indexProblem(of, at.code, facts);
  if (problem) return reject(scope, ast.at, problem);
  return atPath(code, path, facts);
}
