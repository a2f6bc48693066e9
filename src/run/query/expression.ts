/** Compiles expressions of a unit: collections become queries where a store can run them. */
import {
  BOOLEAN,
  type Code,
  callOf,
  conjuncts,
  freeNames,
  nameOf,
  partsOf,
  rename,
  rowChain,
  type Type,
  withParts,
} from "../../expr/index.ts";
import type { Expression } from "../../plan/index.ts";
import { type Activation, QUERIES, ROW, type Scope } from "../context/activation.ts";
import type { Model } from "../context/model.ts";
import { compile as compileCode } from "../evaluate/index.ts";
import type { Value } from "../ports/index.ts";
import { distinctItems } from "./distinct.ts";
import { Finder } from "./finder.ts";
import { RowList } from "./list.ts";
import { withPlainSecrets } from "./secrets.ts";
import { compileSight, hiding, withHiding } from "./sight.ts";
import type { Evaluated } from "./specialize.ts";

/** A place in a view where a query over `it` stands; it may be read ahead for many rows. */
export interface PrefetchedQuery {
  readonly code: Code;
  readonly place: number;
}

/** Compiles an expression for activations of the scope. */
export function compileExpression(scope: Scope, expression: Expression): Evaluated {
  return compileIn(scope, expression.code);
}

/** Whether a member that the code reads can be missing where nobody has asked for it. */
function canBeAbsent({ model }: Scope, code: Code): code is Code & { op: "get" } {
  if (code.op !== "get") return false;
  if (code.of.type.kind !== "row") return true;
  const info = model.info(code.of.type.resource);
  return info.fields[info.at.get(code.member) ?? -1]?.type.orAbsent === true;
}

/** Compiles an expression that may name a member which is absent: it gives undefined then. */
export function compileOptional(
  scope: Scope,
  { code }: { readonly code: Code },
  ahead?: PrefetchedQuery[],
): Evaluated {
  const value = compileIn(scope, code, ahead);
  if (!canBeAbsent(scope, code)) return value;
  const isThere = compileIn(scope, { op: "has", type: BOOLEAN, of: code.of, member: code.member });
  return (activation) => (isThere(activation) === true ? value(activation) : undefined);
}

/** Compiles code for activations of the scope. `ahead` collects queries over `it`, for views. */
export function compileIn(scope: Scope, code: Code, ahead?: PrefetchedQuery[]): Evaluated {
  return compileHidden(scope, prepared(scope, code), ahead);
}

/** What every expression is read as: the rows that the caller sees, secrets as they are kept. */
export function prepared(scope: Scope, code: Code): Code {
  return withHiding(scope, withPlainSecrets(scope.model, code));
}

/** Compiles code whose collections are already reduced to what a caller may see. */
function compileHidden(scope: Scope, code: Code, ahead?: PrefetchedQuery[]): Evaluated {
  const rewritten = rewrite({ scope, ahead }, code, new Set());
  scope.reserve(rewritten);
  const { workMax } = scope.model;
  if (rewritten.op === "name") {
    const slot = scope.slot(rewritten.name);
    return (activation) => activation.values[slot];
  }
  const evaluate = compileCode(rewritten, scope.layout);
  return (activation) => evaluate(activation.values, activation.tx, workMax);
}

/** Whether a caller sees a row: for this, all rows and references are looked at. */
export function sightOf(model: Model): ReturnType<typeof compileSight> {
  return compileSight(model, (scope, filter) => compileHidden(scope, filter));
}

interface Rewriting {
  readonly scope: Scope;
  readonly ahead: PrefetchedQuery[] | undefined;
}

const OBJECT: Type = { kind: "object", name: QUERIES };

function thunk(scope: Scope, type: Type, run: (activation: Activation) => Value): Code {
  return { op: "get", type, of: nameOf(QUERIES, OBJECT), member: scope.thunk(run) };
}

/** Compiles a finder of the rows, seen by the caller, for which conditions over `it` hold. */
export function findRows(scope: Scope, resource: string, where: readonly Code[]): Finder {
  const hidden = hiding(scope, resource, ROW);
  const own = where.map((one) => prepared(scope, rename(one, "it", ROW)));
  return finderOf(scope, resource, hidden === undefined ? own : [hidden, ...own]);
}

/** The same for the clock, which sees rows as they are kept, whatever of them is not known. */
export function findKept(scope: Scope, resource: string, where: readonly Code[]): Finder {
  const own = where.map((one) => rename(one, "it", ROW));
  return finderOf(scope, resource, own, true);
}

function finderOf(
  scope: Scope,
  resource: string,
  where: readonly Code[],
  isRaw: boolean = false,
): Finder {
  const row = new Set([ROW]);
  return new Finder({
    scope,
    resource,
    where,
    isRaw,
    compile: (code) => compileHidden(scope, code),
    rewrite: (code) => rewrite({ scope, ahead: undefined }, code, row),
  });
}

/** What a list that stands under `size` or a macro goes through, as conditions. */
function chainIn(
  code: Code,
  locals: ReadonlySet<string>,
): { resource: string; where: readonly Code[] } | undefined {
  const chain = rowChain(code, ROW);
  if (chain === undefined) return undefined;
  return chain.where.some((one) => mentionsAny(one, locals)) ? undefined : chain;
}

function mentionsAny(code: Code, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false;
  return [...freeNames(code)].some((name) => names.has(name));
}

/** A query that reads ahead for the rows of a view, or runs alone. */
function maybeAhead(
  rewriting: Rewriting,
  code: Code,
  run: (activation: Activation) => Value,
): Code {
  const { scope, ahead } = rewriting;
  if (ahead === undefined || !freeNames(code).has("it")) return thunk(scope, code.type, run);
  const it = scope.slot("it");
  const place = ahead.length;
  ahead.push({ code, place });
  return thunk(scope, code.type, (activation) => {
    const row = activation.values[it] as { key: number };
    const read = activation.prefetched?.get(row.key)?.[place];
    return read === undefined ? run(activation) : read;
  });
}

function quantifier(
  rewriting: Rewriting,
  code: Code & { op: "each" },
  locals: ReadonlySet<string>,
): Code | undefined {
  const chain = chainIn(code.over, locals);
  if (chain === undefined || code.macro === "map" || code.macro === "group") return undefined;
  const inner = new Set(locals);
  inner.delete(code.as);
  if (mentionsAny(code.body, inner)) return undefined;
  const body = rename(code.body, code.as, ROW);
  const { scope } = rewriting;
  const own = code.macro === "all" ? [callOf("!", body)] : conjuncts(body);
  const finder = finderOf(scope, chain.resource, [...chain.where, ...own]);
  switch (code.macro) {
    case "filter":
      return thunk(scope, code.type, (activation) => finder.rows(activation));
    case "exists":
      return maybeAhead(rewriting, code, (activation) => finder.exists(activation));
    case "all":
      return maybeAhead(rewriting, code, (activation) => !finder.exists(activation));
    case "exists_one":
      return maybeAhead(rewriting, code, (activation) => finder.count(activation) === 1n);
  }
}

/** `size` of rows: a count. `size` of a list not yet read: a count too. */
function size(
  rewriting: Rewriting,
  code: Code & { op: "call" },
  locals: ReadonlySet<string>,
): Code | undefined {
  const { scope } = rewriting;
  const [of] = code.args;
  if (of?.op === "name" && scope.lists.has(of.name) && !locals.has(of.name)) {
    const slot = scope.slot(of.name);
    return thunk(scope, code.type, (activation) => {
      const list = activation.values[slot];
      return list instanceof RowList ? list.count() : BigInt((list as readonly Value[]).length);
    });
  }
  const chain = of === undefined ? undefined : chainIn(of, locals);
  if (chain === undefined) return undefined;
  const finder = finderOf(scope, chain.resource, chain.where);
  return maybeAhead(rewriting, code, (activation) => finder.count(activation));
}

/** Different items of a list field of all rows: one walk of their index where there is one. */
function differentItems(
  rewriting: Rewriting,
  code: Code,
  locals: ReadonlySet<string>,
): Code | undefined {
  const { scope } = rewriting;
  const found = distinctItems(code);
  if (found === undefined || mentionsAny(code, locals)) return undefined;
  const { over, resource, field } = found;
  const slow = compileCode(rewrittenInside(rewriting, code, locals), reserved(scope, code));
  const slot = over.op === "name" ? scope.slot(over.name) : undefined;
  return thunk(scope, code.type, (activation) => {
    const list = slot === undefined ? undefined : activation.values[slot];
    const isKnown =
      !activation.tx.hasDoubts(resource) && activation.tx.moreGap(resource) === undefined;
    const isWhole = isKnown && (slot === undefined || (list instanceof RowList && list.isWhole));
    if (isWhole) activation.tx.flush();
    const items = isWhole ? activation.tx.session.differentItems(resource, field) : undefined;
    return items ?? slow(activation.values, activation.tx, scope.model.workMax);
  });
}

function reserved(scope: Scope, code: Code): Scope["layout"] {
  scope.reserve(code);
  return scope.layout;
}

function rewrite(rewriting: Rewriting, code: Code, locals: ReadonlySet<string>): Code {
  const { scope } = rewriting;
  if (code.op === "name") {
    if (!scope.lists.has(code.name) || locals.has(code.name)) return code;
    const slot = scope.slot(code.name);
    return thunk(scope, code.type, (activation) => {
      const list = activation.values[slot];
      return list instanceof RowList ? list.rows() : list;
    });
  }
  const found =
    code.op === "each"
      ? quantifier(rewriting, code, locals)
      : code.op !== "call"
        ? undefined
        : code.fn === "size"
          ? size(rewriting, code, locals)
          : differentItems(rewriting, code, locals);
  return found ?? rewrittenInside(rewriting, code, locals);
}

function rewrittenInside(rewriting: Rewriting, code: Code, locals: ReadonlySet<string>): Code {
  const inside = code.op === "each" ? new Set(locals).add(code.as) : locals;
  return withParts(
    code,
    partsOf(code).map((part, i) =>
      rewrite(rewriting, part, code.op === "each" && i > 0 ? inside : locals),
    ),
  );
}
