/** Takes typed code apart and puts it together again; knows nothing of rows, stores or requests. */
import type { Code, Type } from "./types.ts";

export const BOOLEAN: Type = { kind: "boolean" };

/** A literal truth value. */
export function truth(value: boolean): Code {
  return { op: "literal", type: BOOLEAN, value };
}

/** A call of an operator that gives a boolean. */
export function callOf(fn: string, ...args: Code[]): Code {
  return { op: "call", type: BOOLEAN, fn, args };
}

/** A plain name. */
export function nameOf(name: string, type: Type): Code {
  return { op: "name", type, name };
}

/** The parts of a piece of code, in the order of writing. */
export function partsOf(code: Code): readonly Code[] {
  switch (code.op) {
    case "list":
      return code.items;
    case "map":
      return code.entries.flatMap((entry) => [entry.key, entry.value]);
    case "get":
    case "has":
      return [code.of];
    case "index":
      return [code.of, code.at];
    case "call":
      return code.args;
    case "each":
      return code.value === undefined ? [code.over, code.body] : [code.over, code.body, code.value];
    case "gap":
    case "absent":
    case "literal":
    case "name":
    case "rows":
      return [];
  }
}

/** Every piece of code in it, itself first. */
export function* everyPart(code: Code): Generator<Code> {
  yield code;
  for (const part of partsOf(code)) yield* everyPart(part);
}

/** The same code with other parts, given in the order of `partsOf`. */
export function withParts(code: Code, parts: readonly Code[]): Code {
  const at = (index: number): Code => parts[index] as Code;
  switch (code.op) {
    case "list":
      return { ...code, items: parts };
    case "map":
      return {
        ...code,
        entries: code.entries.map((_, i) => ({ key: at(2 * i), value: at(2 * i + 1) })),
      };
    case "get":
    case "has":
      return { ...code, of: at(0) };
    case "index":
      return { ...code, of: at(0), at: at(1) };
    case "call":
      return { ...code, args: parts };
    case "each":
      return code.value === undefined
        ? { ...code, over: at(0), body: at(1) }
        : { ...code, over: at(0), body: at(1), value: at(2) };
    case "gap":
    case "absent":
    case "literal":
    case "name":
    case "rows":
      return code;
  }
}

/** Names that stand free in the code. */
export function freeNames(code: Code, found: Set<string> = new Set()): Set<string> {
  if (code.op === "name") found.add(code.name);
  if (code.op === "each") {
    freeNames(code.over, found);
    for (const inner of [code.body, code.value]) {
      if (inner === undefined) continue;
      for (const name of freeNames(inner)) if (name !== code.as) found.add(name);
    }
    return found;
  }
  for (const part of partsOf(code)) freeNames(part, found);
  return found;
}

/** Whether a collection stands anywhere in the code. */
export function readsRows(code: Code): boolean {
  return code.op === "rows" || partsOf(code).some(readsRows);
}

/** The code with a free name replaced. `to` must not be bound inside it. */
export function rename(code: Code, from: string, to: string): Code {
  if (code.op === "name") return code.name === from ? { ...code, name: to } : code;
  if (code.op === "each" && code.as === from) {
    return { ...code, over: rename(code.over, from, to) };
  }
  const parts = partsOf(code);
  return parts.length === 0
    ? code
    : withParts(
        code,
        parts.map((part) => rename(part, from, to)),
      );
}

/** The conditions of a conjunction, flattened. */
export function conjuncts(code: Code): readonly Code[] {
  return code.op === "call" && code.fn === "&&" ? code.args.flatMap(conjuncts) : [code];
}

/** The rows that a collection, or a chain of filters over one, goes through. */
interface RowChain {
  readonly resource: string;
  /** Conditions over the row variable asked for. */
  readonly where: readonly Code[];
}

/** Reads a chain of filters as conditions over `as`; undefined for any other list. */
export function rowChain(code: Code, as: string): RowChain | undefined {
  if (code.op === "rows") return { resource: code.resource, where: [] };
  if (code.op !== "each" || code.macro !== "filter") return undefined;
  const below = rowChain(code.over, as);
  if (below === undefined) return undefined;
  const own = conjuncts(rename(code.body, code.as, as));
  return { resource: below.resource, where: [...below.where, ...own] };
}
