/** What the answers to statements depend on, so that it is told which of them a change leaves. */
import { type Code, conjuncts, partsOf, type Type } from "../../expr/index.ts";
import { fieldOfRow } from "../../plan/index.ts";
import type { Query, Row, Value } from "../../run/index.ts";
import { isGiven, placeOf } from "../query/lowering.ts";
import type { Column } from "../schema/columns.ts";
import type { Table } from "../schema/schema.ts";
import type { Held, HeldRow } from "./wire.ts";

/** What the answer to a statement depends on. Undefined: on all that may be written. */
export interface Depends {
  readonly table: string;
  /** On other tables, whatever is written there. */
  readonly others?: readonly string[];
  /** On no other rows of the table. */
  readonly keys?: readonly number[];
  /** On which rows of it there are alone, and not on what they hold. */
  readonly isOfKeys?: boolean;
  /** Rows that fail one of these are not in it. */
  readonly only?: readonly Only[];
  /** It is of rows, whose keys stand first, from the first one on. */
  readonly isRows?: true;
  /** It gives rows with all their columns. */
  readonly givesRows?: boolean;
  /** What it was before this transaction, where that is known without being asked. */
  readonly atFirst?: readonly HeldRow[];
  /** The answer behind a change that it depends on; undefined: it is not known. */
  readonly behind?: (change: Change, rows: readonly HeldRow[]) => readonly HeldRow[] | undefined;
  /** The row of that key is not in it. */
  readonly without?: number;
  /** It is asked ahead with these values, as the row that it is without is not there yet. */
  readonly values?: readonly Held[];
  /** Several statements of which only one is asked ahead, as the others need no answer then. */
  readonly once?: string;
}

/** A condition on the value of a column. */
interface Only {
  readonly column: string;
  /** Whether a value is sure to fail it. */
  fails(value: unknown): boolean;
}

/** What is written. Undefined: nothing is known of it. */
export interface Change {
  readonly table: string;
  /** The row. */
  readonly key?: number;
  /** The row was there before, and is there behind it. */
  readonly stays?: true;
  /** What it has in a column behind it; undefined where it is not there then. */
  readonly now?: (column: string) => unknown;
  /** The row as the server gives it then. */
  readonly row?: () => HeldRow;
  /** What is counted, and when. */
  readonly counts?: { readonly at: bigint; readonly amount: bigint };
  /** What it had before; undefined where it was not there. Left out: nobody knows. */
  readonly was?: ((column: string) => unknown) | undefined;
}

const isRow = (value: unknown): value is Row =>
  typeof value === "object" && value !== null && "key" in value && "resource" in value;

/** Rows are told by their keys. */
const plain = (value: unknown): unknown => (isRow(value) ? value.key : value);

const isPlain = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "bigint" || typeof value === "number";

/** Whether two values are sure to differ, whatever they are compared by. */
function differs(a: unknown, b: unknown): boolean {
  const [one, other] = [plain(a), plain(b)];
  if (!isPlain(other)) return false;
  // What is not there equals nothing that is.
  if (one === null || one === undefined) return true;
  return typeof one === typeof other && one !== other;
}

/** Rows that have the value there. */
export function where(column: string, value: unknown): Only {
  return { column, fails: (one) => differs(one, value) };
}

/** Whether an answer may be another one behind the change. `rows`: the answer. */
export function isChanged(
  depends: Depends | undefined,
  change: Change | undefined,
  rows: readonly HeldRow[],
): boolean {
  if (depends === undefined || change === undefined) return true;
  const { table, others, keys, isRows } = depends;
  if (others?.includes(change.table)) return true;
  if (table !== change.table || (depends.isOfKeys && change.stays)) return false;
  const { key, now } = change;
  if (keys !== undefined) return key === undefined || keys.includes(key);
  if (now !== undefined && !isOut(depends, change)) return true;
  if ("was" in change) return !wasOut(depends, change);
  return !isRows || key === undefined || rows.some(([held]) => Number(held) === key);
}

function failsAny(depends: Depends | undefined, at: (column: string) => unknown): boolean {
  return (depends?.only ?? []).some(({ column, fails }) => fails(at(column)));
}

/** Whether the row that is changed is sure to be none of an answer behind it. */
export function isOut(depends: Depends | undefined, change: Change | undefined): boolean {
  if (change === undefined) return false;
  return change.now === undefined || failsAny(depends, change.now);
}

/** Whether it was sure to be none of it before. */
export function wasOut(depends: Depends | undefined, change: Change | undefined): boolean {
  if (change === undefined || !("was" in change)) return false;
  return change.was === undefined || failsAny(depends, change.was);
}

/** Which rows a statement gives whose answer is known behind a change of one of them. */
interface Given {
  /** Whether a row is one of them by what it has; undefined: that is not known. */
  isIn(change: Change): boolean | undefined;
  /** How many it gives at most. */
  readonly most: number;
  /** Whether they follow by their keys. */
  readonly isByKey: boolean;
}

/** What tells the answer of a statement behind a change, where it gives rows with all columns. */
export function rowsBehind({ isIn, most, isByKey }: Given): NonNullable<Depends["behind"]> {
  return (change, rows) => {
    const { key, row } = change;
    if (key === undefined) return undefined;
    const at = rows.findIndex(([held]) => Number(held) === key);
    const isCut = rows.length >= most;
    const now = row === undefined ? false : isIn(change);
    if (now === undefined) return undefined;
    // What was cut off, or stood elsewhere in the order, may come in its place.
    const others = rows.filter((_, i) => i !== at);
    if (!now || row === undefined) return at < 0 ? rows : isCut ? undefined : others;
    if (at >= 0) {
      return isByKey || (rows.length === 1 && !isCut) ? rows.with(at, row()) : undefined;
    }
    if (isCut || (!isByKey && rows.length > 0)) return undefined;
    return [...rows, row()].sort(([a], [b]) => Number(a) - Number(b));
  };
}

/** Whether a row has a value in a column; undefined: it is not known. */
function hasValue({ now }: Change, column: string, value: unknown): boolean | undefined {
  const own = now?.(column);
  if (differs(own, value)) return false;
  return isPlain(plain(value)) && plain(own) === plain(value) ? true : undefined;
}

/** What a query reaches: known once, whatever its arguments are. */
interface Reach {
  /** Other resources whose rows it reads. */
  readonly others: readonly string[];
  /** It reads nothing that stands in the rows that it finds. */
  readonly isOfKeys: boolean;
  /** Conditions on columns of the rows that it finds, once what is given is known. */
  readonly only: readonly ((args: readonly Value[]) => Only)[];
  /** It is asked for by the values of those columns alone. */
  readonly by?: readonly { readonly column: string; readonly value: Code }[];
  /** The argument that is the row which is not among them. */
  readonly without?: number;
}

/** The kinds of columns whose values are equal where they are the same. */
const ALIKE: readonly string[] = ["text", "reference"];

function resourceOf(type: Type): string | undefined {
  if (type.kind === "nullable") return resourceOf(type.of);
  return type.kind === "row" ? type.resource : undefined;
}

/** Tells of each resource whose rows code reads. `own`: the name of the row that is looked for. */
function readBy(code: Code, own: string, found: (resource: string, isOwn: boolean) => void): void {
  if (code.op === "rows") found(code.resource, false);
  if (code.op === "get" || code.op === "has") {
    const resource = resourceOf(code.of.type);
    if (resource !== undefined) found(resource, code.of.op === "name" && code.of.name === own);
  }
  for (const part of partsOf(code)) readBy(part, own, found);
}

function reachOf(query: Query, table: Table): Reach {
  const { as, order, columns } = query;
  const where = query.where.flatMap(conjuncts);
  const others = new Set<string>();
  let isOfKeys = columns !== undefined;
  for (const one of [...where, ...order.map(({ by }) => by), ...(columns ?? [])]) {
    readBy(one, as, (resource, isOwn) => {
      if (isOwn) isOfKeys = false;
      else others.add(resource);
    });
  }
  const only = where.flatMap((part) => onlyOf(part, as, table) ?? []);
  const without = where.flatMap((part) => withoutOf(part, as) ?? [])[0];
  const by = where.flatMap((part) => byOf(part, as, table) ?? []);
  const isBy = columns === undefined && by.length > 0 && by.length === where.length;
  return {
    others: [...others],
    isOfKeys,
    only,
    ...(isBy && { by }),
    ...(without !== undefined && { without }),
  };
}

/** A column beside what it is compared with; `fn`: as if the column stood first. */
interface Compared {
  readonly fn: string;
  readonly column: Column;
  readonly value: Code;
}

const FLIPPED: ReadonlyMap<string, string> = new Map([
  ["<", ">"],
  ["<=", ">="],
  [">", "<"],
  [">=", "<="],
]);

function comparedOf(part: Code, as: string, table: Table): Compared | undefined {
  if (part.op !== "call") return undefined;
  const [a, b] = part.args;
  if (a === undefined || b === undefined) return undefined;
  const column = table.column.get(fieldOfRow(a, as) ?? "");
  if (column !== undefined) return { fn: part.fn, column, value: b };
  const other = table.column.get(fieldOfRow(b, as) ?? "");
  const fn = FLIPPED.get(part.fn) ?? (part.fn === "==" ? part.fn : undefined);
  return other === undefined || fn === undefined ? undefined : { fn, column: other, value: a };
}

function byOf(part: Code, as: string, table: Table): NonNullable<Reach["by"]>[number] | undefined {
  const compared = comparedOf(part, as, table);
  if (compared === undefined || compared.fn !== "==") return undefined;
  const { column, value } = compared;
  const isAlike = ALIKE.includes(column.kind) && isGiven(value);
  return isAlike ? { column: column.field, value } : undefined;
}

function onlyOf(part: Code, as: string, table: Table): Reach["only"][number] | undefined {
  const by = byOf(part, as, table);
  if (by !== undefined) return (args) => where(by.column, givenValue(by.value, args));
  const compared = comparedOf(part, as, table);
  if (compared === undefined) return undefined;
  const { fn, value } = compared;
  const { field: column, kind } = compared.column;
  if (fn === "in" && kind === "text" && value.op === "list") {
    const words = value.items.map((one) => (one.op === "literal" ? one.value : undefined));
    if (!words.every((one) => typeof one === "string")) return undefined;
    return () => ({ column, fails: (one) => isPlain(one) && !words.includes(one as string) });
  }
  if (!FLIPPED.has(fn) || kind !== "integer" || value.op !== "name" || !isGiven(value)) {
    return undefined;
  }
  return (args) => ({ column, fails: (one) => isBeyond(fn, one, givenValue(value, args)) });
}

/** Whether a value is sure not to stand so to a bound. */
function isBeyond(fn: string, value: unknown, bound: unknown): boolean {
  if (typeof bound !== "bigint") return false;
  if (value === null || value === undefined) return true;
  if (typeof value !== "bigint") return false;
  if (value === bound) return fn === "<" || fn === ">";
  return value < bound ? fn.startsWith(">") : fn.startsWith("<");
}

/** The argument that is the row which a condition leaves out. */
function withoutOf(part: Code, as: string): number | undefined {
  if (part.op !== "call" || part.fn !== "!=") return undefined;
  const isOwn = (one: Code): boolean => one.op === "name" && one.name === as;
  const other = part.args.find((one) => !isOwn(one));
  const isRow = part.args.some(isOwn) && other?.op === "name" && isGiven(other);
  return isRow ? placeOf(other) : undefined;
}

/** What queries depend on, by what they reach. */
export class Dependence {
  readonly #tables: ReadonlyMap<string, Table>;
  readonly #reaches: (Reach | undefined)[] = [];

  /** `tables`: by the names of their resources. */
  constructor(tables: ReadonlyMap<string, Table>) {
    this.#tables = tables;
  }

  /** What a query is: see `Reach`. */
  reach(query: Query): Reach {
    const known = this.#reaches[query.id];
    if (known !== undefined) return known;
    const made = reachOf(query, this.#tables.get(query.resource) as Table);
    this.#reaches[query.id] = made;
    return made;
  }

  /** Of a run of the query; undefined: it reads what is not of this store. */
  of(query: Query, args: readonly Value[]): Depends | undefined {
    const { others, isOfKeys, only, without } = this.reach(query);
    const name = (resource: string): string | undefined => this.#tables.get(resource)?.name;
    const [table, ...names] = [query.resource, ...others].map(name);
    if (table === undefined || names.includes(undefined)) return undefined;
    const { keysAt } = query;
    // It may be none: then all rows are others.
    const left = without === undefined ? undefined : args[without];
    return {
      table,
      isOfKeys,
      others: names as readonly string[],
      ...(keysAt !== undefined && { keys: args[keysAt] as unknown as readonly number[] }),
      only: only.map((make) => make(args)),
      ...(isRow(left) && { without: left.key }),
    };
  }

  /** Rows by which those that a run of the query finds are looked for. */
  rowsOf(query: Query, args: readonly Value[]): readonly Row[] {
    const { by = [] } = this.reach(query);
    const values = by.map(({ value }) => givenValue(value, args));
    return values.filter(isRow);
  }

  /** What tells the rows of a run of the query behind a change; undefined: nothing does. */
  behind(query: Query, args: readonly Value[], most: number): Depends["behind"] {
    const { by } = this.reach(query);
    if (by === undefined) return undefined;
    const all = by.map(({ column, value }) => [column, givenValue(value, args)] as const);
    return rowsBehind({
      isIn: (change) => {
        const has = all.map(([column, value]) => hasValue(change, column, value));
        if (has.includes(false)) return false;
        return has.includes(undefined) ? undefined : true;
      },
      most,
      isByKey: query.order.length === 0,
    });
  }
}

/** The value of code that is given. */
function givenValue(code: Code, args: readonly Value[]): unknown {
  return code.op === "literal" ? code.value : args[placeOf(code)];
}
