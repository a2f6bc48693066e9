/**
 * What of the rows a caller sees: collections are reduced to it, and a reference to a row outside
 * of it is not followed.
 */
import {
  type Code,
  callOf,
  nameOf,
  partsOf,
  rename,
  type Type,
  withParts,
} from "../../expr/index.ts";
import { staysWithin } from "../../plan/index.ts";
import { Activation, ROW, Scope, UNSEEN } from "../context/activation.ts";
import type { Model } from "../context/model.ts";
import type { Transaction } from "../context/transaction.ts";
import { SEEN } from "../evaluate/index.ts";
import type { Row } from "../ports/index.ts";
import type { Evaluated } from "./specialize.ts";

/**
 * The condition that hides a resource's rows, over `as`: from callers, or because it is not known
 * whether they are there still; undefined: none does.
 */
export function hiding(scope: Scope, resource: string, as: string): Code | undefined {
  const { filter, gaps } = scope.model.info(resource);
  const seen = filter === undefined ? undefined : hidingFrom(scope, filter, as);
  if (gaps.kept === undefined) return seen;
  const kept: Code = { op: "gap", type: { kind: "boolean" }, gap: gaps.kept };
  return seen === undefined ? kept : callOf("&&", seen, kept);
}

function hidingFrom(scope: Scope, filter: Code, as: string): Code {
  const caller = nameOf("caller", { kind: "nullable", of: { kind: "unknown" } });
  const nobody: Code = { op: "literal", type: { kind: "null" }, value: null };
  scope.slot("caller");
  return callOf(
    "||",
    callOf("||", nameOf(UNSEEN, { kind: "boolean" }), callOf("==", caller, nobody)),
    rename(filter, "it", as),
  );
}

/** The code with its collections and references reduced to the rows that the caller may see. */
export function withHiding(scope: Scope, code: Code): Code {
  return hidden(scope, code, ROWS);
}

/** Names that stand for rows, whatever gave them. */
const ROWS: ReadonlySet<string> = new Set([ROW, "it", "caller"]);

/** `found`: names that stand for rows that were found; any other may stand for a reference. */
function hidden(scope: Scope, code: Code, found: ReadonlySet<string>): Code {
  if (code.op === "rows") return seenRows(scope, code);
  const inside = code.op === "each" ? boundIn(code, found) : found;
  const made = withParts(
    code,
    partsOf(code).map((part, i) =>
      hidden(scope, part, code.op === "each" && i > 0 ? inside : found),
    ),
  );
  if (made.op === "get" || made.op === "has") {
    return { ...made, of: followed(scope.model, made.of, found) };
  }
  if (made.op !== "call" || made.fn !== "token") return made;
  return { ...made, args: made.args.map((one) => followed(scope.model, one, found)) };
}

function seenRows(scope: Scope, code: Code & { op: "rows" }): Code {
  const as = `#seen${code.resource}`;
  const body = hiding(scope, code.resource, as);
  return body === undefined
    ? code
    : { op: "each", type: code.type, macro: "filter", over: code, as, body };
}

function boundIn(
  { over, as }: Code & { op: "each" },
  found: ReadonlySet<string>,
): ReadonlySet<string> {
  const bound = new Set(found);
  if (isOfRows(over)) bound.add(as);
  else bound.delete(as);
  return bound;
}

/** Whether a list is of rows that were found. */
function isOfRows(code: Code): boolean {
  if (code.op === "each") return code.macro === "filter" && isOfRows(code.over);
  return code.op === "rows";
}

/** The row that code names, looked at: where it is a reference, only if the caller may see it. */
function followed(model: Model, of: Code, found: ReadonlySet<string>): Code {
  if (of.type.kind !== "row" || (of.op === "name" && found.has(of.name))) return of;
  if (model.info(of.type.resource).filter === undefined) return of;
  if (staysWithin((name) => model.resources.get(name)?.resource, of)) return of;
  const label: Code = { op: "literal", type: { kind: "string" }, value: labelOf(of) };
  return { op: "call", type: of.type, fn: SEEN, args: [of, label] };
}

/** The field that a path goes through, where one stands there: `Task.project`. */
export function labelOf(code: Code): string {
  const isField = code.op === "get" && code.of.type.kind === "row";
  return isField ? `${(code.of.type as Type & { kind: "row" }).resource}.${code.member}` : "";
}

/** Whether a caller sees a row, by what `Rows` states of its resource. */
export function compileSight(
  model: Model,
  compile: (scope: Scope, filter: Code) => Evaluated,
): (tx: Transaction, row: Row) => boolean {
  const made = new Map<string, ((tx: Transaction, row: Row) => boolean) | undefined>();
  const make = (resource: string) => {
    const { filter } = model.info(resource);
    if (filter === undefined) return undefined;
    const scope = new Scope(model);
    const it = scope.slot("it");
    const holds = compile(scope, filter);
    return (tx: Transaction, row: Row) => holds(new Activation(scope, tx).set(it, row)) === true;
  };
  return (tx, row) => {
    if (!made.has(row.resource)) made.set(row.resource, make(row.resource));
    return made.get(row.resource)?.(tx, row) ?? true;
  };
}
