/** One read of a plan's rows, and why its work grows with them, told by the indexes there are. */
import type { Code } from "../../expr/index.ts";
import type { ItemId, OrderKey, Resource } from "../types/index.ts";
import { isIndexable, type Part, partsOfCondition } from "./conditions.ts";
import { fieldOfRow, namesOneRow } from "./one-row.ts";

/** A condition on rows; `as` is what it calls the row. `isSure`: it counts in each request. */
export interface Condition {
  readonly as: string;
  readonly isSure: boolean;
  readonly code: Code;
}

/**
 * What a read needs of the rows that fulfil its conditions: `one` (or to know whether there is
 * one), a `page` in an order, their `count`, `all` of them.
 */
export type Need = "one" | "page" | "count" | "all";

export interface Read {
  /** Where it stands: items from the outermost to the innermost. */
  readonly at: readonly ItemId[];
  readonly resource: string;
  readonly need: Need;
  readonly where: readonly Condition[];
  /** Over `it`. */
  readonly order: readonly OrderKey[];
}

/** Why the work of a read grows with the rows that are kept. */
export type Growth =
  /** All rows that fulfil the conditions are read; `isNarrowed`: there is one. */
  | { readonly is: "all read" | "all counted"; readonly isNarrowed: boolean }
  /** No index answers this part of the condition: rows are gone through. */
  | { readonly is: "searched"; readonly part: Code }
  /** The store cannot judge this part of the condition: every row is read for it. */
  | { readonly is: "computed"; readonly part: Code }
  /** No index begins with the fields that are compared, or finds that part, and is in the order. */
  | {
      readonly is: "sorted";
      readonly equal: readonly string[];
      readonly part: Code | undefined;
      readonly order: readonly Code[];
    }
  /** The page begins where the request says, or is as long as it says. */
  | { readonly is: "far page" | "long page" }
  /** The page is looked for in all of the list. */
  | { readonly is: "page after" };

/** Stands for the order of equal rows, which each index ends with. */
const TIES = "#key";

/** Indexes of one resource: their fields, in order. */
export type Indexes = readonly (readonly string[])[];

/** At most so many parts that may not count are judged in each combination. */
const UNSURE_MAX = 4;

/** The combinations of parts that a request can bring about. */
function variantsOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const unsure = parts.filter((one) => !one.isSure);
  if (unsure.length > UNSURE_MAX) return [parts.filter((one) => one.isSure), parts];
  const found: Part[][] = [];
  for (let taken = 0; taken < 1 << unsure.length; taken++) {
    found.push(parts.filter((one) => one.isSure || (taken >> unsure.indexOf(one)) & 1));
  }
  return found;
}

/** The indexes that are made of wishes: none that is the beginning of another. */
export function madeOf(wishes: Indexes): Indexes {
  const begun = new Set(
    wishes.flatMap((one) => one.slice(1).map((_, i) => JSON.stringify(one.slice(0, i + 1)))),
  );
  const texts = new Map(wishes.map((one) => [JSON.stringify(one), one]));
  const made = [...texts].flatMap(([text, one]) => (begun.has(text) ? [] : [one]));
  return [[], ...made].map((one) => [...one, TIES]);
}

/** Whether an index begins with these fields, in any order, and goes on with those. */
function isThere(indexes: Indexes, first: ReadonlySet<string>, then: readonly string[]): boolean {
  return indexes.some(
    (index) =>
      index.slice(0, first.size).every((one) => first.has(one)) &&
      index.length >= first.size + then.length &&
      then.every((one, i) => index[first.size + i] === one),
  );
}

/** The fields of an order that an index can have; undefined: none can. */
function orderedBy(order: readonly OrderKey[], resource: Resource): readonly string[] | undefined {
  const down = order[0]?.descending;
  const names: string[] = [];
  for (const { by, descending } of order) {
    const name = fieldOfRow(by.code, "it");
    if (name === undefined || name === "" || descending !== down) return undefined;
    if (!isIndexable(resource, name) || by.code.type.kind === "nullable") return undefined;
    names.push(name);
    if (namesOneRow(resource, new Set([name]), [])) return names;
  }
  return [...names, TIES];
}

const named = (parts: readonly Part[], ...uses: Part["use"][]): readonly Part[] =>
  parts.filter(({ use }) => uses.includes(use));

function judgeVariant(
  read: Read,
  parts: readonly Part[],
  resource: Resource,
  indexes: Indexes,
): Growth | undefined {
  const [computed] = named(parts, "computed");
  if (computed !== undefined) return { is: "computed", part: computed.code };
  const equal = new Set(named(parts, "equal").map((one) => one.field ?? ""));
  const codes = parts.map(({ code }) => code);
  if (namesOneRow(resource, equal, codes)) return undefined;
  const isNarrowed = parts.length > 0;
  if (read.need === "all") return { is: "all read", isNarrowed };
  if (read.need === "count") return { is: "all counted", isNarrowed };
  // Rows that are alike in a reference are alike in what it leads to.
  const counted = parts.filter((one) => one.use !== "behind" || !equal.has(one.field ?? ""));
  const [searched] = named(counted, "searched", "behind");
  if (searched !== undefined) return { is: "searched", part: searched.code };
  const order = read.need === "page" ? orderedBy(read.order, resource) : [];
  const sorted = (part?: Part): Growth => ({
    is: "sorted",
    equal: [...equal],
    part: part?.code,
    order: read.order.map(({ by }) => by.code),
  });
  if (order === undefined) return sorted();
  const rest = order.filter((one) => !equal.has(one));
  return byIndex(counted, { equal, rest, indexes }, sorted);
}

interface Sought {
  readonly equal: ReadonlySet<string>;
  readonly rest: readonly string[];
  readonly indexes: Indexes;
}

/** Whether one index answers all parts, and the order behind them. */
function byIndex(
  parts: readonly Part[],
  { equal, rest, indexes }: Sought,
  sorted: (part?: Part) => Growth,
): Growth | undefined {
  const among = named(parts, "among");
  const ranges = named(parts, "range");
  const all = new Set([...equal, ...among.map((one) => one.field ?? "")]);
  const fields = new Set(ranges.map((one) => one.field ?? ""));
  if (rest.length > 0 && among.length > 0) return sorted(among[0]);
  const apart = ranges.find(({ field }) => field !== (rest[0] ?? ranges[0]?.field));
  if (apart !== undefined) return { is: "searched", part: apart.code };
  const then = rest.length > 0 ? rest : [...fields];
  const last = parts.at(-1);
  if (last === undefined && then.length === 0) return undefined;
  if (isThere(indexes, all, then)) return undefined;
  return rest.length > 0 || last === undefined ? sorted() : { is: "searched", part: last.code };
}

/** Why the work of a read grows with the rows; undefined: it does not. */
export function growthOf(read: Read, resource: Resource, indexes: Indexes): Growth | undefined {
  const parts = read.where.flatMap(({ as, code, isSure }) =>
    partsOfCondition(code, resource, as).map((one) => ({ ...one, isSure: one.isSure && isSure })),
  );
  for (const variant of variantsOf(parts)) {
    const growth = judgeVariant(read, variant, resource, indexes);
    if (growth !== undefined) return growth;
  }
  return undefined;
}
