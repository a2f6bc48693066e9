/** Lowers conditions to SQL that holds where the code is true, and is false or NULL elsewhere. */
import { type Code, conjuncts, freeNames } from "../../expr/index.ts";
import { readInLower } from "../../plan/index.ts";
import { quote } from "../schema/columns.ts";
import { isNullable, type RowChain, rowChain } from "../schema/walk.ts";
import { beginnings, compared } from "./compared.ts";
import { isGiven, type Names, NotLowered, placeOf, type Scalar, type Writing } from "./lowering.ts";
import { fieldScalar, givenScalar, rowOf, sqlBeside } from "./scalar.ts";

const ORDER_OPERATORS = new Set(["<", "<=", ">", ">="]);
/** Kinds whose order in SQL is the order of the expressions' values. */
const ORDERED_KINDS = new Set(["integer", "digits", "number", "text"]);

/** Lowers a value. `size` of a chain of rows is a count. */
export function scalar(writing: Writing, names: Names, code: Code): Scalar {
  if (isGiven(code)) return givenScalar(code);
  if (code.op === "call" && code.fn === "size") {
    const chain = code.args[0] === undefined ? undefined : rowChain(code.args[0]);
    if (chain === undefined) throw new NotLowered();
    const { from, where } = chainSql(writing, names, chain);
    const sql = `(SELECT count(*) FROM ${from} WHERE ${where})`;
    return { is: "sql", sql, kind: "integer", nullable: false };
  }
  if (code.op === "call" && code.fn === "lower" && code.args[0] !== undefined) {
    // It is about the letters A to Z alone, as that of expressions.
    const of = scalar(writing, names, code.args[0]);
    if (of.is !== "sql" || of.kind !== "text") throw new NotLowered();
    return { ...of, sql: `lower(${of.sql})` };
  }
  if (code.type.kind === "boolean" && code.op !== "get") {
    return { is: "sql", sql: condition(writing, names, code), kind: "boolean", nullable: false };
  }
  return fieldScalar(writing, names, code);
}

/** The first of the conditions on the rows that an alias stands for. */
function steppingOf({ dialect }: Writing, alias: string): string[] {
  const stepping = dialect.stepping(`${alias}._key`);
  return stepping === undefined ? [] : [stepping];
}

/** All of the conditions; none: every row. */
function allOf({ dialect }: Writing, parts: readonly string[]): string {
  return parts.length === 0 ? dialect.yes : parts.join(" AND ");
}

/** A chain of filtered rows as FROM and WHERE; further conditions come in `more`. */
function chainSql(
  writing: Writing,
  names: Names,
  chain: RowChain,
  more: RowChain["filters"] = [],
): { from: string; where: string } {
  const table = writing.table(chain.resource);
  const row = { table, alias: writing.alias() };
  const parts = steppingOf(writing, row.alias);
  for (const filter of [...chain.filters, ...more]) {
    const inner = new Map(names).set(filter.as, row);
    for (const part of conjuncts(filter.body)) parts.push(condition(writing, inner, part));
  }
  return { from: `${quote(table.name)} ${row.alias}`, where: allOf(writing, parts) };
}

function equality(writing: Writing, names: Names, code: Code & { op: "call" }): string {
  const [left, right] = code.args;
  if (left === undefined || right === undefined) throw new NotLowered();
  const not = code.fn === "!=";
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    if (one.op === "literal" && one.value === null) {
      return `(${nullTested(writing, names, other)} IS ${not ? "NOT " : ""}NULL)`;
    }
  }
  const a = scalar(writing, names, left);
  const b = scalar(writing, names, right);
  if (a.is === "sql" && b.is === "sql" && a.kind !== b.kind) throw new NotLowered();
  const { dialect } = writing;
  const one = { scalar: a, sql: sqlBeside(writing, a, b) };
  const other = { scalar: b, sql: sqlBeside(writing, b, a) };
  if (a.nullable || b.nullable) {
    return dialect.same(one.sql, other.sql, !not, beginnings(dialect, one, other));
  }
  return not ? `(${one.sql} <> ${other.sql})` : compared(dialect, one, "=", other);
}

/** A null test may be of any column, a list or a structure too. */
function nullTested(writing: Writing, names: Names, code: Code): string {
  if (code.op === "get") {
    const of = rowOf(writing, names, code.of);
    const column = of.table.column.get(code.member);
    if (column !== undefined && of.row !== undefined) {
      const sql = `${of.row.alias}.${quote(column.name)}`;
      return column.kind === "json" ? sql : (writing.dialect.beginning(sql, column.kind) ?? sql);
    }
  }
  const value = scalar(writing, names, code);
  if (value.is !== "sql") throw new NotLowered();
  return value.sql;
}

function ordering(writing: Writing, names: Names, code: Code & { op: "call" }): string {
  const [left, right] = code.args;
  if (left === undefined || right === undefined) throw new NotLowered();
  const a = scalar(writing, names, left);
  const b = scalar(writing, names, right);
  const kind = a.is === "sql" ? a.kind : b.is === "sql" ? b.kind : "json";
  if (!ORDERED_KINDS.has(kind)) throw new NotLowered();
  if (a.is === "sql" && b.is === "sql" && a.kind !== b.kind) throw new NotLowered();
  const one = { scalar: a, sql: sqlBeside(writing, a, b) };
  return compared(writing.dialect, one, code.fn, { scalar: b, sql: sqlBeside(writing, b, a) });
}

/**
 * `x in it.list`: the row, and what to select for the keys of all rows whose list has x;
 * `ofRow`: x is itself of a row.
 */
export function rowsWithItem(
  writing: Writing,
  names: Names,
  code: Code,
): { readonly row: string; readonly keys: string; readonly ofRow: boolean } | undefined {
  if (code.op !== "call" || code.fn !== "in") return undefined;
  const [item, list] = code.args;
  if (item === undefined || list?.op !== "get" || list.of.type.kind !== "row") return undefined;
  const of = rowOf(writing, names, list.of);
  const side = of.table.lists.get(list.member);
  const element = of.table.column.get(list.member)?.type.type;
  if (side === undefined || element?.kind !== "list" || isNullable(item)) throw new NotLowered();
  const kind = element.of.type.kind === "reference" ? "reference" : "text";
  const value = scalar(writing, names, item);
  if (value.is === "sql" && value.kind !== kind) throw new NotLowered();
  const sql = value.is === "sql" ? value.sql : writing.given(value.code, kind);
  const stepping = writing.dialect.stepping("_key");
  const more = stepping === undefined ? "" : ` AND ${stepping}`;
  const held: Scalar = { is: "sql", sql: "value", kind, nullable: false, isHeld: true };
  const is = compared(writing.dialect, { scalar: held, sql: held.sql }, "=", {
    scalar: value,
    sql,
  });
  const keys = `_key FROM ${quote(side)} WHERE ${is}${more}`;
  return { row: of.sql, keys, ofRow: value.is === "sql" };
}

/** `x in list`: a list field by its side table, a given list by a parameter. */
function membership(writing: Writing, names: Names, code: Code & { op: "call" }): string {
  const [item, list] = code.args;
  if (item === undefined || list === undefined) throw new NotLowered();
  const found = rowsWithItem(writing, names, code);
  if (found !== undefined) return `(${found.row} IN (SELECT ${found.keys}))`;
  const value = scalar(writing, names, item);
  if (value.is !== "sql" || value.nullable) throw new NotLowered();
  if (list.op === "list") {
    if (list.items.length === 0) return writing.dialect.no;
    const items = list.items.map((one) => {
      if (!isGiven(one) || isNullable(one)) throw new NotLowered();
      return writing.given(one, value.kind);
    });
    const whole = `${value.sql} IN (${items.join(", ")})`;
    const by = (sql: string) =>
      value.isHeld ? writing.dialect.beginning(sql, value.kind) : undefined;
    const beginning = by(value.sql);
    if (beginning === undefined) return `(${whole})`;
    return `(${beginning} IN (${items.map((one) => by(one) ?? one).join(", ")}) AND ${whole})`;
  }
  placeOf(list);
  if (list.type.kind !== "list" || isNullable({ ...list, type: list.type.of })) {
    throw new NotLowered();
  }
  return writing.among(value.sql, list, value.kind);
}

/** Whether a text stands in another: anywhere, at its start or at its end. */
function textTest(
  writing: Writing,
  names: Names,
  code: Code & { op: "call" },
  test: "contains" | "startsWith" | "endsWith",
): string {
  const [whole, piece] = code.args;
  if (whole === undefined || piece === undefined) throw new NotLowered();
  const [a, b] = [scalar(writing, names, whole), scalar(writing, names, piece)];
  if ((a.is === "sql" && a.kind !== "text") || (b.is === "sql" && b.kind !== "text")) {
    throw new NotLowered();
  }
  const text = (one: Scalar) => (one.is === "sql" ? one.sql : writing.given(one.code, "text"));
  return writing.dialect[test](text(a), text(b));
}

function quantified(writing: Writing, names: Names, code: Code & { op: "each" }): string {
  const chain = rowChain(code.over);
  if (chain === undefined) throw new NotLowered();
  const last = { as: code.as, body: code.body };
  if (code.macro === "exists") {
    const { from, where } = chainSql(writing, names, chain, [last]);
    return `EXISTS (SELECT 1 FROM ${from} WHERE ${where})`;
  }
  if (code.macro === "exists_one") {
    const { from, where } = chainSql(writing, names, chain, [last]);
    return `((SELECT count(*) FROM ${from} WHERE ${where}) = 1)`;
  }
  if (code.macro !== "all") throw new NotLowered();
  const table = writing.table(chain.resource);
  const row = { table, alias: writing.alias() };
  const parts = steppingOf(writing, row.alias);
  for (const filter of chain.filters) {
    parts.push(condition(writing, new Map(names).set(filter.as, row), filter.body));
  }
  const inner = condition(writing, new Map(names).set(code.as, row), code.body);
  // A guarded part may give NULL beside a decided one; NOT of it must be true all the same.
  parts.push(`NOT coalesce(${inner}, ${writing.dialect.no})`);
  const from = `${quote(table.name)} ${row.alias}`;
  return `NOT EXISTS (SELECT 1 FROM ${from} WHERE ${parts.join(" AND ")})`;
}

function calledCondition(writing: Writing, names: Names, code: Code & { op: "call" }): string {
  const [first] = code.args;
  switch (code.fn) {
    case "&&":
    case "||": {
      const word = code.fn === "&&" ? " AND " : " OR ";
      return `(${code.args.map((arg) => condition(writing, names, arg)).join(word)})`;
    }
    case "!":
      if (first === undefined) throw new NotLowered();
      return `(NOT ${condition(writing, names, first)})`;
    case "==":
    case "!=":
      return equality(writing, names, code);
    case "in":
      return membership(writing, names, code);
    case "contains":
    case "startsWith":
    case "endsWith":
      return textTest(writing, names, code, code.fn);
    case "?:": {
      const [test, yes, no] = code.args.map((arg) => condition(writing, names, arg));
      return `(CASE WHEN ${test} THEN ${yes} ELSE ${no} END)`;
    }
    default:
      if (ORDER_OPERATORS.has(code.fn)) return ordering(writing, names, code);
      throw new NotLowered();
  }
}

/** Lowers a condition. Throws `NotLowered` where no SQL has exactly its meaning. */
function condition(writing: Writing, names: Names, code: Code): string {
  switch (code.op) {
    case "literal":
      return code.value === true ? writing.dialect.yes : writing.dialect.no;
    case "name":
      return writing.given(code, "boolean");
    case "get": {
      const value = fieldScalar(writing, names, code);
      if (value.is !== "sql" || value.kind !== "boolean") throw new NotLowered();
      return writing.dialect.isTrue(value.sql);
    }
    case "has": {
      const of = rowOf(writing, names, code.of);
      const column = of.table.column.get(code.member);
      if (column === undefined || of.row === undefined) throw new NotLowered();
      if (column.there === undefined) return writing.dialect.yes;
      return `(${of.row.alias}.${quote(column.there)} = 1)`;
    }
    case "call":
      return calledCondition(writing, names, code);
    case "each":
      return quantified(writing, names, code);
    case "absent":
    case "gap":
    case "list":
    case "map":
    case "rows":
    case "index":
      throw new NotLowered();
  }
}

/**
 * A condition that stands alone in WHERE, where NULL counts as false: joins become `IN`, which
 * the database can start from either side.
 */
export function topCondition(writing: Writing, names: Names, code: Code): string {
  return (
    (code.op === "each" && code.macro === "exists" ? semiJoin(writing, names, code) : undefined) ??
    pathEquality(writing, names, code) ??
    condition(writing, names, code)
  );
}

/** The member that code reads, or reads in lower case. */
function memberOf(code: Code): (Code & { op: "get" }) | undefined {
  return code.op === "get" ? code : readInLower(code);
}

/** `it.author.username == $0` as `it.author IN (SELECT _key FROM User WHERE ...)`. */
function pathEquality(writing: Writing, names: Names, code: Code): string | undefined {
  if (code.op !== "call" || code.fn !== "==") return undefined;
  const side = code.args.find((arg) => memberOf(arg)?.of.op === "get");
  const given = code.args.find((arg) => isGiven(arg));
  const path = side && memberOf(side);
  if (side === undefined || path === undefined || given === undefined || isNullable(given))
    return undefined;
  const row = rowOf(writing, names, path.of);
  const alias = writing.alias();
  const target = new Map([["it", { table: row.table, alias }]]);
  const itself: Code = { op: "name", type: path.of.type, name: "it" };
  const member: Code = { ...path, of: itself };
  const own = side.op === "call" ? { ...side, args: [member] } : member;
  const inner = topCondition(writing, target, { ...code, args: [own, given] });
  return (
    `(${row.sql} IN (SELECT ${alias}._key FROM ${quote(row.table.name)} ${alias} ` +
    `WHERE ${inner}))`
  );
}

interface Join {
  readonly outer: Code;
  readonly inner: Code;
}

/** A conjunct `f.x == it.y` that joins the inner row to the outer one. */
function joinOf(code: Code, as: string, names: Names): Join | undefined {
  if (code.op !== "call" || code.fn !== "==") return undefined;
  const [a, b] = code.args;
  if (a === undefined || b === undefined || isGiven(a) || isGiven(b)) return undefined;
  const outerOnly = (one: Code) =>
    !freeNames(one).has(as) && one.op !== "each" && one.op !== "call";
  const innerOnly = (one: Code) =>
    ![...names.keys()].some((name) => name !== as && freeNames(one).has(name)) &&
    (one.op === "get" || one.op === "name");
  if (outerOnly(a) && innerOnly(b)) return { outer: a, inner: b };
  return outerOnly(b) && innerOnly(a) ? { outer: b, inner: a } : undefined;
}

/** `follows.exists(f, f.by == $0 && f.of == it.author)` as `it.author IN (SELECT ...)`. */
function semiJoin(writing: Writing, names: Names, code: Code & { op: "each" }): string | undefined {
  if (code.over.op !== "rows" || names.has(code.as)) return undefined;
  const parts = conjuncts(code.body);
  const at = parts.findIndex((part) => joinOf(part, code.as, names) !== undefined);
  const join = at < 0 ? undefined : joinOf(parts[at] as Code, code.as, names);
  if (join === undefined) return undefined;
  const rest = parts.filter((_, i) => i !== at);
  const pinned = rest.some(
    (part) => part.op === "call" && part.fn === "==" && part.args.some(isGiven),
  );
  if (!pinned || rest.some((part) => [...names.keys()].some((name) => freeNames(part).has(name)))) {
    return undefined;
  }
  const table = writing.table(code.over.resource);
  const row = { table, alias: writing.alias() };
  const within: Names = new Map([[code.as, row]]);
  const [outer, inner] = [scalar(writing, names, join.outer), scalar(writing, within, join.inner)];
  if (outer.is !== "sql" || inner.is !== "sql" || outer.kind !== inner.kind) return undefined;
  if (outer.nullable && inner.nullable) return undefined;
  const wheres = rest.map((part) => topCondition(writing, within, part));
  const by = beginnings(
    writing.dialect,
    { scalar: outer, sql: outer.sql },
    { scalar: inner, sql: inner.sql },
  );
  const [from, what] =
    by === undefined
      ? [outer.sql, inner.sql]
      : [`(${by[0]}, ${outer.sql})`, `${by[1]}, ${inner.sql}`];
  return (
    `(${from} IN (SELECT ${what} FROM ${quote(table.name)} ${row.alias} ` +
    `WHERE ${wheres.join(" AND ")}))`
  );
}
