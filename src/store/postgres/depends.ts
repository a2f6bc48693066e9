/** What the answers to statements depend on, so that it is told which of them a change leaves. */
import { type Code, conjuncts, partsOf } from "../../expr/index.ts";
import { fieldOfRow } from "../../plan/index.ts";
import type { Query, Value } from "../../run/index.ts";
import { isGiven, placeOf } from "../query/lowering.ts";
import type { Table } from "../schema/schema.ts";
import type { Held, HeldRow } from "./wire.ts";

/** What the answer to a statement depends on. Undefined: on all that may be written. */
export interface Depends {
  /** Of no other table. */
  readonly table: string;
  /** Of no other rows of it. */
  readonly keys?: readonly number[];
  /** Rows that have another value there are not in it. */
  readonly by?: { readonly column: string; readonly value: unknown };
  /** It is of rows, whose keys stand first, from the first one on. */
  readonly isRows?: true;
  /** It gives whole rows, by `keys` or by `by` alone. */
  readonly isWhole?: true;
  /** The row of that key is not in it. */
  readonly without?: number;
  /** It is asked ahead with these values, as the row that it is without is not there yet. */
  readonly values?: readonly Held[];
  /** Several statements of which only one is asked ahead, as the others need no answer then. */
  readonly once?: string;
}

/** What is written. Undefined: nothing is known of it. */
export interface Change {
  readonly table: string;
  /** The row. */
  readonly key?: number;
  /** What it has in a column behind it; undefined where it is not there then. */
  readonly now?: (column: string) => unknown;
  /** The row as the server gives it then. */
  readonly row?: () => HeldRow;
  /** What it had before; undefined where it was not there. Left out: nobody knows. */
  readonly was?: ((column: string) => unknown) | undefined;
}

/** Rows are told by their keys. */
const plain = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "key" in value ? value.key : value;

/** Whether two values are sure to differ, whatever they are compared by. */
function differs(a: unknown, b: unknown): boolean {
  const [one, other] = [plain(a), plain(b)];
  const isPlain = typeof one === "string" || typeof one === "bigint" || typeof one === "number";
  return isPlain && typeof one === typeof other && one !== other;
}

/** Whether an answer may be another one behind the change. `rows`: the answer. */
export function isChanged(
  depends: Depends | undefined,
  change: Change | undefined,
  rows: readonly HeldRow[],
): boolean {
  if (depends === undefined || change === undefined) return true;
  if (depends.table !== change.table) return false;
  const { keys, by, isRows } = depends;
  const { key, now } = change;
  if (keys !== undefined) return key === undefined || keys.includes(key);
  const mayBeIn = (at: (column: string) => unknown): boolean =>
    by === undefined || !differs(at(by.column), by.value);
  if (now !== undefined && mayBeIn(now)) return true;
  if ("was" in change) return change.was !== undefined && mayBeIn(change.was);
  return !isRows || key === undefined || rows.some(([held]) => Number(held) === key);
}

/** The only row of an answer behind a change of that row; undefined: it may be another answer. */
export function rowBehind(
  depends: Depends | undefined,
  change: Change | undefined,
  [first, ...others]: readonly HeldRow[],
): HeldRow | undefined {
  if (!depends?.isWhole || first === undefined || others.length > 0) return undefined;
  if (change?.key === undefined || Number(first[0]) !== change.key) return undefined;
  const { by } = depends;
  const { now, row } = change;
  const isSame = by === undefined || plain(now?.(by.column)) === plain(by.value);
  return isSame ? row?.() : undefined;
}

/** What a query reaches: known once, whatever its arguments are. */
export interface Reach {
  /** Rows that have another value in the column are not among those that it finds. */
  readonly by?: { readonly column: string; readonly value: Code };
  /** It is asked for nothing else. */
  readonly isWhole?: true;
  /** The argument that is the row which is not among them. */
  readonly without?: number;
}

/** The kinds of columns whose values are equal where they are the same. */
const ALIKE: readonly string[] = ["text", "reference"];

/** Whether code reads nothing but what stands in the row of that name, and what is given. */
function isOfRowAlone(code: Code, as: string): boolean {
  switch (code.op) {
    case "literal":
    case "name":
      return true;
    case "get":
    case "has":
      return code.of.op === "name" && code.of.name === as;
    case "call":
    case "list":
      return partsOf(code).every((part) => isOfRowAlone(part, as));
    case "absent":
    case "gap":
    case "map":
    case "rows":
    case "index":
    case "each":
      return false;
  }
}

/** Undefined: it may read other tables, or other rows through those that it finds. */
export function reachOf(query: Query, table: Table): Reach | undefined {
  const { as, order, columns = [] } = query;
  const where = query.where.flatMap(conjuncts);
  const all = [...where, ...order.map(({ by }) => by), ...columns];
  if (query.keysAt !== undefined || !all.every((one) => isOfRowAlone(one, as))) return undefined;
  let reach: Reach = {};
  for (const part of where) {
    if (part.op !== "call") continue;
    for (const [at, one] of part.args.entries()) {
      const value = part.args[1 - at];
      if (value === undefined || !isGiven(value)) continue;
      const column = table.column.get(fieldOfRow(one, as) ?? "");
      const isAlike = column !== undefined && ALIKE.includes(column.kind);
      if (part.fn === "==" && isAlike) reach = { ...reach, by: { column: column.field, value } };
      if (reach.by && where.length + columns.length === 1) reach = { ...reach, isWhole: true };
      const isRow = part.fn === "!=" && one.op === "name" && one.name === as;
      if (isRow && value.op === "name") reach = { ...reach, without: placeOf(value) };
    }
  }
  return reach;
}

/** The value of code that is given. */
export function givenValue(code: Code, args: readonly Value[]): unknown {
  return code.op === "literal" ? code.value : args[placeOf(code)];
}
