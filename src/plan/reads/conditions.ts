/** Sorts the parts of a condition on rows by what a store can make of each. */
import { type Code, conjuncts, freeNames, rowChain } from "../../expr/index.ts";
import type { Resource } from "../types/index.ts";
import { readInLower, unlowered } from "./lowered.ts";
import { fieldOfRow } from "./one-row.ts";

/**
 * What an index does for one part of a condition: `equal` begins an index, and what follows in it
 * stays in order; `among` begins one that gives no order; `range` ends one; `behind`: it
 * compares what the reference `field` leads to; `searched`: rows are gone through; `computed`: the
 * store cannot judge it, and every row is read.
 */
type Use = "equal" | "among" | "range" | "behind" | "searched" | "computed";

/** A part of a condition. `isSure` false: a request can bring about that it does not count. */
export interface Part {
  readonly use: Use;
  readonly field: string | undefined;
  readonly code: Code;
  readonly isSure: boolean;
}

const ORDER = ["<", "<=", ">", ">="];
const TESTS = ["contains", "startsWith", "endsWith"];
/** Kinds of fields that no index orders: they are kept as JSON. */
const UNORDERED = ["list", "map", "structure", "json", "schema"];

/** Whether an index can have the field. */
export function isIndexable(resource: Resource, name: string): boolean {
  const field = unlowered(name) ?? name;
  const kind = resource.fields.find((one) => one.name === field)?.type.type.kind;
  return kind !== undefined && !UNORDERED.includes(kind);
}

const reads = (code: Code, as: string): boolean => freeNames(code).has(as);

/** The field of `as` with which a path of references begins. */
function pathField(code: Code, as: string): string | undefined {
  const own = fieldOfRow(code, as);
  if (own !== undefined && own !== "") return own;
  const path = readInLower(code) ?? code;
  return path.op === "get" && path.of.type.kind === "row" ? pathField(path.of, as) : undefined;
}

/** Whether a store can judge the code about a row by itself. */
function isLowered(code: Code, as: string): boolean {
  if (!reads(code, as) && code.op !== "rows") return true;
  switch (code.op) {
    case "name":
      return true;
    case "get":
    case "has":
      return isLowered(code.of, as) && (code.of.op === "name" || code.of.type.kind === "row");
    case "call": {
      const known = ["&&", "||", "!", "==", "!=", "?:", "in", "lower", ...ORDER, ...TESTS];
      const isCount = code.fn === "size" && code.args[0] !== undefined && isChain(code.args[0]);
      return isCount || (known.includes(code.fn) && code.args.every((one) => isLowered(one, as)));
    }
    case "each":
      return ["exists", "all", "exists_one"].includes(code.macro) && isChain(code.over);
    case "literal":
    case "list":
    case "map":
    case "index":
    case "rows":
    case "absent":
    case "gap":
      return false;
  }
}

const isChain = (code: Code): boolean => rowChain(code, "#row") !== undefined;

interface Compared {
  readonly field: Code;
  readonly other: Code;
}

/** The sides of a comparison of something of the row with something else. */
function compared(args: readonly Code[], as: string): Compared | undefined {
  const [a, b] = args;
  if (a === undefined || b === undefined) return undefined;
  if (reads(a, as) && !reads(b, as)) return { field: a, other: b };
  return reads(b, as) && !reads(a, as) ? { field: b, other: a } : undefined;
}

function useOf(code: Code, resource: Resource, as: string): Pick<Part, "use" | "field"> {
  const searched = {
    use: isLowered(code, as) ? "searched" : "computed",
    field: undefined,
  } as const;
  if (code.op !== "call") return searched;
  const sides = compared(code.args, as);
  if (sides === undefined) return searched;
  const own = fieldOfRow(sides.field, as);
  if (code.fn === "in" && sides.field === code.args[1]) return { ...searched, use: "searched" };
  if (own === "") return { use: code.fn === "==" ? "equal" : "searched", field: "" };
  const field = pathField(sides.field, as);
  if (field === undefined || !isIndexable(resource, field)) return searched;
  if (code.fn === "==" || code.fn === "password_matches") {
    return { use: own === undefined ? "behind" : "equal", field };
  }
  if (own === undefined) return searched;
  if (code.fn === "in") return { use: "among", field };
  return ORDER.includes(code.fn) ? { use: "range", field } : searched;
}

/** The secret's comparison is an equality where it is kept so that equal ones look alike. */
function isOneByOne(code: Code, resource: Resource, as: string): boolean {
  if (code.op !== "call" || code.fn !== "password_matches" || code.args[0] === undefined) {
    return false;
  }
  const field = resource.fields.find(({ name }) => name === fieldOfRow(code.args[0] as Code, as));
  const rule = field?.rules.find((one) => one.kind === "kept as");
  return rule?.kind !== "kept as" || !["sha256", "plain"].includes(rule.hash.kind);
}

/** The parts of a condition over `as`; what does not read the row is decided before. */
export function partsOfCondition(condition: Code, resource: Resource, as: string): readonly Part[] {
  return conjuncts(condition).flatMap((code): Part[] => {
    if (!reads(code, as)) return [];
    const choices = choicesOf(code);
    const own = choices.filter((one) => reads(one, as));
    const isSure = own.length === choices.length;
    const [only] = own;
    if (own.length === 1 && only !== undefined && only !== code) {
      return partsOfCondition(only, resource, as).map((part) => ({ ...part, isSure: false }));
    }
    if (isOneByOne(code, resource, as))
      return [{ use: "computed", field: undefined, code, isSure }];
    return [{ ...useOf(code, resource, as), code, isSure }];
  });
}

function choicesOf(code: Code): readonly Code[] {
  return code.op === "call" && code.fn === "||" ? code.args.flatMap(choicesOf) : [code];
}
