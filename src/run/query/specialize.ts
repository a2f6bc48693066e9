/**
 * Splits code over a row into what depends on the row (left for a store) and what does not: values
 * become parameters, conditions are decided first and cut what they decide. Knows no store.
 */
import {
  type Code,
  freeNames,
  nameOf,
  partsOf,
  readsRows,
  truth,
  withParts,
} from "../../expr/index.ts";
import type { Activation } from "../context/activation.ts";
import type { Value } from "../ports/index.ts";

export type Evaluated = (activation: Activation) => Value;

/** Compiles code that does not depend on the row; supplied by `expression`. */
export type CompileOuter = (code: Code) => Evaluated;

/** The parameters of one query, in order. */
export interface Parameters {
  readonly values: Evaluated[];
  readonly texts: Map<string, number>;
}

/**
 * One piece of code. `decide` evaluates its outer conditions, adds a digit for each to `trail` and
 * tells what is known; `build` makes what is left, reading the same digits.
 */
export interface Specialized {
  decide(activation: Activation, trail: Decisions): boolean | undefined;
  build(trail: Decisions, used: Set<number>): Code;
}

/** Decisions in the order in which they were made. */
export interface Decisions {
  digits: string;
  at: number;
}

interface Making {
  readonly compile: CompileOuter;
  readonly parameters: Parameters;
}

function decided(test: Evaluated): Specialized {
  return {
    decide: (activation, trail) => {
      const value = test(activation) === true;
      trail.digits += value ? "1" : "0";
      return value;
    },
    build: (trail) => truth(trail.digits[trail.at++] === "1"),
  };
}

function fixed(code: Code): Specialized {
  const value = code.op === "literal" && typeof code.value === "boolean" ? code.value : undefined;
  return { decide: () => value, build: () => code };
}

function parameter(code: Code, making: Making): Specialized {
  const { values, texts } = making.parameters;
  const text = JSON.stringify(code);
  let place = texts.get(text);
  if (place === undefined) {
    place = values.push(making.compile(code)) - 1;
    texts.set(text, place);
  }
  const at = place;
  const name = nameOf(`$${at}`, code.type);
  return {
    decide: () => undefined,
    build: (_, used) => {
      used.add(at);
      return name;
    },
  };
}

const isTruth = (code: Code, value: boolean): boolean =>
  code.op === "literal" && code.value === value;

/** `&&` and `||`: a deciding part ends it, a neutral one goes. */
function logic(code: Code & { op: "call" }, parts: readonly Specialized[]): Specialized {
  const deciding = code.fn === "||";
  return {
    decide: (activation, trail) => {
      let open = false;
      for (const part of parts) {
        const found = part.decide(activation, trail);
        if (found === deciding) return deciding;
        open ||= found === undefined;
      }
      return open ? undefined : !deciding;
    },
    build: (trail, used) => {
      const left: Code[] = [];
      for (const part of parts) {
        const built = part.build(trail, used);
        if (isTruth(built, deciding)) return built;
        if (!isTruth(built, !deciding)) left.push(built);
      }
      const [only] = left;
      if (only === undefined) return truth(!deciding);
      return left.length === 1 ? only : { ...code, args: left };
    },
  };
}

function negation(code: Code & { op: "call" }, part: Specialized): Specialized {
  return {
    decide: (activation, trail) => {
      const found = part.decide(activation, trail);
      return found === undefined ? undefined : !found;
    },
    build: (trail, used) => {
      const built = part.build(trail, used);
      return built.op === "literal" ? truth(built.value === false) : { ...code, args: [built] };
    },
  };
}

function choice(code: Code & { op: "call" }, parts: readonly Specialized[]): Specialized {
  const [test, yes, no] = parts as [Specialized, Specialized, Specialized];
  return {
    decide: (activation, trail) => {
      const found = test.decide(activation, trail);
      if (found !== undefined) return (found ? yes : no).decide(activation, trail);
      yes.decide(activation, trail);
      no.decide(activation, trail);
      return undefined;
    },
    build: (trail, used) => {
      const built = test.build(trail, used);
      if (built.op === "literal") return (built.value === true ? yes : no).build(trail, used);
      return { ...code, args: [built, yes.build(trail, used), no.build(trail, used)] };
    },
  };
}

function whole(code: Code, parts: readonly Specialized[]): Specialized {
  return {
    decide: (activation, trail) => {
      for (const part of parts) part.decide(activation, trail);
      return undefined;
    },
    build: (trail, used) =>
      withParts(
        code,
        parts.map((part) => part.build(trail, used)),
      ),
  };
}

/** Makes the specialize form of code in which the names `bound` are rows of the query. */
export function specialize(code: Code, bound: ReadonlySet<string>, making: Making): Specialized {
  const free = [...freeNames(code)];
  if (!free.some((name) => bound.has(name)) && code.op !== "rows") {
    const isCondition = code.type.kind === "boolean";
    if (code.op === "literal" && (isCondition || code.value === null)) return fixed(code);
    const inner = bound.size > 1;
    // Inside a macro over rows a decision would be taken though no row may reach it.
    if (isCondition && !inner) return decided(making.compile(code));
    if (isCondition || !isChain(code)) return parameter(code, making);
  }
  const inside = code.op === "each" ? new Set(bound).add(code.as) : bound;
  const parts = partsOf(code).map((part, i) =>
    specialize(part, code.op === "each" && i > 0 ? inside : bound, making),
  );
  if (code.op === "call" && (code.fn === "&&" || code.fn === "||")) return logic(code, parts);
  if (code.op === "call" && code.fn === "!") return negation(code, parts[0] as Specialized);
  if (code.op === "call" && code.fn === "?:") return choice(code, parts);
  return whole(code, parts);
}

/** A collection or filters over one: kept as code, so that a store can join it. */
function isChain(code: Code): boolean {
  return code.op === "each" && code.macro === "filter" && readsRows(code.over);
}
