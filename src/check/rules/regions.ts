/** Decides boolean expressions by cases: what their atoms can be, region by region. */
import type { Code, Literal, Type } from "../../expr/index.ts";
import { rankOf } from "./order.ts";

/** One thing that guards ask about, and the regions in which their answers differ. */
export interface Variable {
  readonly key: string;
  readonly regions: readonly Region[];
  /** Whether each region can really occur, and whatever the other variables are. */
  readonly sure: boolean;
  readonly title: string;
}

/** A literal, the space between two literals, null, a truth value, or an order of two sides. */
export type Region =
  | { readonly is: "point"; readonly value: Literal; readonly rank?: number }
  | { readonly is: "between"; readonly rank: number }
  | { readonly is: "other" }
  | { readonly is: "null" }
  | { readonly is: "order"; readonly sign: -1 | 0 | 1 };

const ORDERED = new Set(["<", "<=", ">", ">="]);
const COMPARED = new Set([...ORDERED, "==", "!="]);

/** The path that code reads, such as `it.total`; undefined where it is no path. */
export function pathOf(code: Code): string | undefined {
  if (code.op === "name") return code.name;
  if (code.op !== "get") return undefined;
  const of = pathOf(code.of);
  return of === undefined ? undefined : `${of}.${code.member}`;
}

interface Atom {
  readonly path: string;
  readonly type: Type;
  readonly literals: readonly Literal[];
}

/** An atom that compares a path with literals; its operator seen from the path's side. */
export function atomOf(code: Code): (Atom & { readonly fn: string }) | undefined {
  if (code.op !== "call") return undefined;
  const [a, b] = code.args;
  if (a === undefined || b === undefined) return undefined;
  if (code.fn === "in" && b.op === "list" && b.items.every((item) => item.op === "literal")) {
    const path = pathOf(a);
    return path === undefined
      ? undefined
      : {
          path,
          type: a.type,
          fn: "in",
          literals: b.items.map((item) => (item.op === "literal" ? item.value : null)),
        };
  }
  if (!COMPARED.has(code.fn)) return undefined;
  const left = pathOf(a);
  if (left !== undefined && b.op === "literal") {
    return { path: left, type: a.type, fn: code.fn, literals: [b.value] };
  }
  const right = pathOf(b);
  if (right === undefined || a.op !== "literal") return undefined;
  return { path: right, type: b.type, fn: turned(code.fn), literals: [a.value] };
}

/** The operator with its sides changed. */
export function turned(fn: string): string {
  return fn.startsWith("<") ? fn.replace("<", ">") : fn.startsWith(">") ? fn.replace(">", "<") : fn;
}

/** The rank of 1. */
const UNIT = rankOf("integer", "1") ?? 1n;

function lines(type: Type, values: readonly Literal[]): Region[] | undefined {
  const ranks = values.map((value) => ({ value, rank: rankOf(type.kind, value) }));
  if (ranks.some((one) => one.rank === undefined)) return undefined;
  const sorted = ranks
    .map((one) => ({ value: one.value, rank: one.rank as bigint }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1));
  const regions: Region[] = [{ is: "between", rank: 0 }];
  sorted.forEach((one, i) => {
    regions.push({ is: "point", value: one.value, rank: 2 * i + 1 });
    const next = sorted[i + 1];
    const none = type.kind === "integer" && next !== undefined && next.rank - one.rank === UNIT;
    if (!none) regions.push({ is: "between", rank: 2 * i + 2 });
  });
  return regions;
}

/** The regions of a path whose literals are known. */
export function regionsOf(type: Type, literals: ReadonlySet<Literal>): Region[] | undefined {
  const bare = type.kind === "nullable" ? type.of : type;
  const nothing: Region[] = type.kind === "nullable" ? [{ is: "null" }] : [];
  const values = [...literals].filter((value) => value !== null);
  const point = (value: Literal): Region => ({ is: "point", value });
  if (bare.kind === "boolean") return [point(true), point(false), ...nothing];
  if (bare.kind === "string" && bare.oneOf !== undefined) {
    return [...bare.oneOf.map(point), ...nothing];
  }
  if (rankOf(bare.kind, values[0] ?? null) !== undefined) {
    const found = lines(bare, values);
    return found === undefined ? undefined : [...found, ...nothing];
  }
  return [...values.map(point), { is: "other" }, ...nothing];
}

/** Whether an operator holds for a path in a region. */
export function holdsIn(
  region: Region,
  fn: string,
  literals: readonly Literal[],
  ranks: ReadonlyMap<Literal, number>,
): boolean {
  const [first = null] = literals;
  const same = (value: Literal) =>
    region.is === "null" ? value === null : region.is === "point" && region.value === value;
  if (fn === "in" || fn === "==") return literals.some(same);
  if (fn === "!=") return !same(first);
  if (region.is !== "point" && region.is !== "between") return false;
  const rank = region.rank ?? 0;
  const bound = ranks.get(first) ?? 0;
  return (fn.endsWith("=") && rank === bound) || (fn[0] === "<" ? rank < bound : rank > bound);
}
