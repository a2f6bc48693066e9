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
import { type Activation, QUERIES, type Scope } from "../context/activation.ts";
import { compile as compileCode } from "../evaluate/index.ts";
import type { Value } from "../ports/index.ts";
import { distinctItems } from "./distinct.ts";
import { Finder, hiding, ROW, withHiding } from "./finder.ts";
import { RowList } from "./list.ts";
import { withPlainSecrets } from "./secrets.ts";
import type { Evaluated } from "./specialize.ts";

/** A place in a view where a query over `it` stands; it may be read ahead for many rows. */
export interface PrefetchedQuery {
  readonly code: Code;
  readonly place: number;
}

/** Compiles an expression for frames of the unit. */
export function compileExpression(unit: Scope, expression: Expression): Evaluated {
  return compileIn(unit, expression.code);
}

/** Whether a member that the code reads can be missing where nobody has asked for it. */
function canBeAbsent({ model }: Scope, code: Code): code is Code & { op: "get" } {
  if (code.op !== "get") return false;
  if (code.of.type.kind !== "row") return true;
  const info = model.info(code.of.type.resource);
  return info.fields[info.at.get(code.member) ?? -1]?.type.orAbsent === true;
}

/** Compiles an expression that may name a member which is absent: it gives undefined then. */
export function compileOptional(unit: Scope, { code }: { readonly code: Code }): Evaluated {
  const value = compileIn(unit, code);
  if (!canBeAbsent(unit, code)) return value;
  const isThere = compileIn(unit, { op: "has", type: BOOLEAN, of: code.of, member: code.member });
  return (frame) => (isThere(frame) === true ? value(frame) : undefined);
}

/** Compiles code for frames of the unit. `ahead` collects queries over `it`, for views. */
export function compileIn(unit: Scope, code: Code, ahead?: PrefetchedQuery[]): Evaluated {
  return compileHidden(unit, prepared(unit, code), ahead);
}

/** What every expression is read as: the rows that the caller sees, secrets as they are kept. */
function prepared(unit: Scope, code: Code): Code {
  return withHiding(unit, withPlainSecrets(unit.model, code));
}

/** Compiles code whose collections are already reduced to what a caller may see. */
function compileHidden(unit: Scope, code: Code, ahead?: PrefetchedQuery[]): Evaluated {
  const rewritten = rewrite({ unit, ahead }, code, new Set());
  unit.reserve(rewritten);
  const { workMax } = unit.model;
  if (rewritten.op === "name") {
    const slot = unit.slot(rewritten.name);
    return (frame) => frame.values[slot];
  }
  const evaluate = compileCode(rewritten, unit.layout);
  return (frame) => evaluate(frame.values, frame.work, workMax);
}

interface Rewriting {
  readonly unit: Scope;
  readonly ahead: PrefetchedQuery[] | undefined;
}

const OBJECT: Type = { kind: "object", name: QUERIES };

function thunk(unit: Scope, type: Type, run: (frame: Activation) => Value): Code {
  return { op: "get", type, of: nameOf(QUERIES, OBJECT), member: unit.thunk(run) };
}

/** Compiles a finder of the rows, seen by the caller, for which conditions over `it` hold. */
export function findRows(unit: Scope, resource: string, where: readonly Code[]): Finder {
  const hidden = hiding(unit, resource, ROW);
  const own = where.map((one) => prepared(unit, rename(one, "it", ROW)));
  return finderOf(unit, resource, hidden === undefined ? own : [hidden, ...own]);
}

/** The same for the clock, which sees rows as they are kept, whatever of them is not known. */
export function findKept(unit: Scope, resource: string, where: readonly Code[]): Finder {
  const own = where.map((one) => rename(one, "it", ROW));
  return finderOf(unit, resource, own, true);
}

function finderOf(
  unit: Scope,
  resource: string,
  where: readonly Code[],
  isRaw: boolean = false,
): Finder {
  const row = new Set([ROW]);
  return new Finder({
    unit,
    resource,
    where,
    isRaw,
    compile: (code) => compileHidden(unit, code),
    rewrite: (code) => rewrite({ unit, ahead: undefined }, code, row),
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
function maybeAhead(rewriting: Rewriting, code: Code, run: (frame: Activation) => Value): Code {
  const { unit, ahead } = rewriting;
  if (ahead === undefined || !freeNames(code).has("it")) return thunk(unit, code.type, run);
  const it = unit.slot("it");
  const place = ahead.length;
  ahead.push({ code, place });
  return thunk(unit, code.type, (frame) => {
    const row = frame.values[it] as { key: number };
    const read = frame.prefetched?.get(row.key)?.[place];
    return read === undefined ? run(frame) : read;
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
  const { unit } = rewriting;
  const own = code.macro === "all" ? [callOf("!", body)] : conjuncts(body);
  const finder = finderOf(unit, chain.resource, [...chain.where, ...own]);
  switch (code.macro) {
    case "filter":
      return thunk(unit, code.type, (frame) => finder.rows(frame));
    case "exists":
      return maybeAhead(rewriting, code, (frame) => finder.exists(frame));
    case "all":
      return maybeAhead(rewriting, code, (frame) => !finder.exists(frame));
    case "exists_one":
      return maybeAhead(rewriting, code, (frame) => finder.count(frame) === 1n);
  }
}

/** `size` of rows: a count. `size` of a list not yet read: a count too. */
function size(
  rewriting: Rewriting,
  code: Code & { op: "call" },
  locals: ReadonlySet<string>,
): Code | undefined {
  const { unit } = rewriting;
  const [of] = code.args;
  if (of?.op === "name" && unit.lists.has(of.name) && !locals.has(of.name)) {
    const slot = unit.slot(of.name);
    return thunk(unit, code.type, (frame) => {
      const list = frame.values[slot];
      return list instanceof RowList ? list.count() : BigInt((list as readonly Value[]).length);
    });
  }
  const chain = of === undefined ? undefined : chainIn(of, locals);
  if (chain === undefined) return undefined;
  const finder = finderOf(unit, chain.resource, chain.where);
  return maybeAhead(rewriting, code, (frame) => finder.count(frame));
}

/** Different items of a list field of all rows: one walk of their index where there is one. */
function differentItems(
  rewriting: Rewriting,
  code: Code,
  locals: ReadonlySet<string>,
): Code | undefined {
  const { unit } = rewriting;
  const found = distinctItems(code);
  if (found === undefined || mentionsAny(code, locals)) return undefined;
  const { over, resource, field } = found;
  const slow = compileCode(rewrittenInside(rewriting, code, locals), reserved(unit, code));
  const slot = over.op === "name" ? unit.slot(over.name) : undefined;
  return thunk(unit, code.type, (frame) => {
    const list = slot === undefined ? undefined : frame.values[slot];
    const isKnown =
      !frame.work.hasDoubts(resource) && unit.model.info(resource).gaps.start === undefined;
    const isWhole = isKnown && (slot === undefined || (list instanceof RowList && list.isWhole));
    if (isWhole) frame.work.flush();
    const items = isWhole ? frame.work.session.differentItems(resource, field) : undefined;
    return items ?? slow(frame.values, frame.work, unit.model.workMax);
  });
}

function reserved(unit: Scope, code: Code): Scope["layout"] {
  unit.reserve(code);
  return unit.layout;
}

function rewrite(rewriting: Rewriting, code: Code, locals: ReadonlySet<string>): Code {
  const { unit } = rewriting;
  if (code.op === "name") {
    if (!unit.lists.has(code.name) || locals.has(code.name)) return code;
    const slot = unit.slot(code.name);
    return thunk(unit, code.type, (frame) => {
      const list = frame.values[slot];
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
