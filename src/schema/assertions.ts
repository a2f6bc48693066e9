/** Keywords that look at one value alone. */
import { charactersIn } from "./characters.ts";
import { compare, type Decimal, decimalOf, isMultiple, isWhole } from "./decimal.ts";
import { identity } from "./equal.ts";
import { readPattern } from "./pattern.ts";
import type { Run } from "./run.ts";
import { isList, isNumber, isObject, type Tree, typeOf } from "./tree.ts";

type Build = (keyword: Tree) => Run;

const isSmall = (text: string): boolean => text.length <= 15 && !/[eE]/.test(text);

/** Numbers of up to 15 digits keep their order as binary64. */
function bound(holds: (order: number) => boolean): Build {
  return (keyword) => {
    const text = isNumber(keyword) ? keyword.numberText : "0";
    const limit = decimalOf(text);
    const small = isSmall(text) ? Number(text) : undefined;
    return (value) => {
      if (!isNumber(value)) return true;
      const given = value.numberText;
      if (small !== undefined && isSmall(given)) return holds(Number(given) - small);
      return holds(compare(decimalOf(given), limit));
    };
  };
}

function multipleOf(keyword: Tree): Run {
  const by: Decimal = decimalOf(isNumber(keyword) ? keyword.numberText : "1");
  return (value) => !isNumber(value) || isMultiple(decimalOf(value.numberText), by);
}

/** Numbers count members, items and characters; a text of digits beyond 2^53 bounds nothing. */
export const countOf = (keyword: Tree | undefined): number | undefined =>
  isNumber(keyword) ? Number(keyword.numberText) : undefined;

function size(of: (value: Tree) => number | undefined, holds: (a: number, b: number) => boolean) {
  return (keyword: Tree): Run => {
    const limit = countOf(keyword) ?? 0;
    return (value) => {
      const own = of(value);
      return own === undefined || holds(own, limit);
    };
  };
}

const charactersOf = (value: Tree): number | undefined =>
  typeof value === "string" ? charactersIn(value) : undefined;
const itemsOf = (value: Tree): number | undefined => (isList(value) ? value.length : undefined);
const membersOf = (value: Tree): number | undefined => (isObject(value) ? value.size : undefined);
const atMost = (a: number, b: number): boolean => a <= b;
const atLeast = (a: number, b: number): boolean => a >= b;

function type(keyword: Tree): Run {
  const names = new Set<Tree>(isList(keyword) ? keyword : [keyword]);
  const takesWhole = names.has("integer") && !names.has("number");
  return (value) => {
    const own = typeOf(value);
    if (own !== "number" || !takesWhole) return names.has(own);
    const { numberText } = value as { numberText: string };
    return /^-?[0-9]+$/.test(numberText) || isWhole(decimalOf(numberText));
  };
}

function among(keyword: Tree): Run {
  const values = isList(keyword) ? keyword : [];
  const known = new Set(values.map(identity));
  const types = new Set(values.map(typeOf));
  return (value) => types.has(typeOf(value)) && known.has(identity(value));
}

function pattern(keyword: Tree): Run {
  const read = readPattern(typeof keyword === "string" ? keyword : "");
  return (value) => typeof value !== "string" || !read.ok || read.test(value);
}

function uniqueItems(keyword: Tree): Run {
  if (keyword !== true) return () => true;
  return (value) => {
    if (!isList(value)) return true;
    const seen = new Set<string>();
    return value.every((item) => seen.size < seen.add(identity(item)).size);
  };
}

function required(keyword: Tree): Run {
  const names = (isList(keyword) ? keyword : []) as readonly string[];
  return (value) => !isObject(value) || names.every((name) => value.has(name));
}

function dependentRequired(keyword: Tree): Run {
  const all = isObject(keyword) ? [...keyword] : [];
  const needs = all.map(([name, names]) => [name, required(names)] as const);
  return (value, call, marks) =>
    !isObject(value) ||
    needs.every(([name, holds]) => !value.has(name) || holds(value, call, marks));
}

/** In the order in which they are judged: the cheap ones first. */
export const assertions: readonly (readonly [string, Build])[] = [
  ["type", type],
  ["const", (keyword) => among([keyword])],
  ["enum", among],
  ["maximum", bound((order) => order <= 0)],
  ["exclusiveMaximum", bound((order) => order < 0)],
  ["minimum", bound((order) => order >= 0)],
  ["exclusiveMinimum", bound((order) => order > 0)],
  ["multipleOf", multipleOf],
  ["maxLength", size(charactersOf, atMost)],
  ["minLength", size(charactersOf, atLeast)],
  ["maxItems", size(itemsOf, atMost)],
  ["minItems", size(itemsOf, atLeast)],
  ["maxProperties", size(membersOf, atMost)],
  ["minProperties", size(membersOf, atLeast)],
  ["required", required],
  ["dependentRequired", dependentRequired],
  ["pattern", pattern],
  ["uniqueItems", uniqueItems],
];
