/**
 * The rules of a field or an input, compiled: judged left to right, the first that fails speaks.
 * What changes a text (trimmed, emptiness) acts before its type is read, for an empty text is no
 * email yet, unless a rule to its left judges the typed value. Null and absent pass every other
 * rule.
 */
import { RE2JS } from "re2js";
import type { Code } from "../../expr/index.ts";
import {
  type BaseType,
  codePoints,
  type ItemId,
  isDoneBy,
  type Rule,
  type RuleBy,
  ruleKinds,
  schemeOf,
  trimmed,
  type ValueType,
} from "../../plan/index.ts";
import { normalNumber } from "../evaluate/index.ts";
import type { Value } from "../ports/index.ts";
import type { Json } from "../wire/json.ts";
import { EMPTY, TOO_LARGE, TOO_SMALL, Wrong } from "../wire/wrong.ts";
import { compileRule, constant } from "./expression.ts";
import type { FailureCollector, Surroundings } from "./failure-collector.ts";
import type { Names } from "./names.ts";

/** Undefined: the value counts as absent. */
type Before = (raw: Json) => Json | undefined | Wrong;
type Judge = (value: Value, sink: FailureCollector) => Wrong | undefined;
/** The value itself or what it becomes; undefined: it counts as absent. */
type After = (value: Value, sink: FailureCollector) => Value | Wrong;

interface CompiledRules {
  readonly before: readonly Before[];
  readonly after: readonly After[];
  /** What absence means, where that is stated. */
  readonly whenAbsent?: (around: Surroundings) => Value;
}

/** Compiles the rules that a reader of inputs judges; those of storing are left to the steps. */
export function compileRules(
  rules: readonly Rule[],
  type: ValueType,
  names: Names,
  merged = false,
): CompiledRules {
  const before: Before[] = [];
  const after: After[] = [];
  let whenAbsent: CompiledRules["whenAbsent"];
  for (const rule of rules) {
    if (!isDoneBy(rule, "reading")) continue;
    const change = beforeOf(rule, type, { merged, names });
    const judge = judgeOf(rule, type, names);
    const isFirst = change !== undefined && after.length === 0;
    if (isFirst) before.push(change);
    // What is not shown is met before the type where it may come before that, and behind it.
    if (judge && (!isFirst || rule.kind === "gap")) after.push(told(judge, rule.id, names));
    else if (change && !isFirst) after.push((value) => change(value as Json));
    if (rule.kind === "absent means") {
      const value = compileRule(rule.value.code);
      if (value) whenAbsent = (around) => value(undefined, around);
    }
  }
  return { before, after, whenAbsent };
}

function told(judge: Judge, item: ItemId, { trace }: Names): After {
  if (trace === undefined) return (value, sink) => judge(value, sink) ?? value;
  return (value, sink) => {
    const wrong = judge(value, sink);
    trace(item, wrong === undefined ? "held" : "failed");
    return wrong ?? value;
  };
}

function isEmpty(raw: Value): boolean {
  if (raw === "") return true;
  return Array.isArray(raw) ? raw.length === 0 : raw instanceof Map && raw.size === 0;
}

/** What a rule does to a value whose type is not read yet. */
function beforeOf(
  rule: RuleBy<"reading">,
  { type }: ValueType,
  { merged, names }: { readonly merged: boolean; readonly names: Names },
): Before | undefined {
  switch (rule.kind) {
    case "trimmed":
      return (raw) => (typeof raw === "string" ? trimmed(raw) : raw);
    case "empty becomes null":
      if (type.kind === "map") return type.of.orNull || merged ? emptiesNull : withoutEmpty;
      return (raw) => (raw === "" ? null : raw);
    case "empty means absent":
      return (raw) => (raw === "" ? undefined : raw);
    case "not empty":
      // Whether a list or map is one at all is for its type to say.
      if (type.kind === "list" || type.kind === "map") return undefined;
      return (raw) => (raw === "" ? EMPTY : raw);
    case "gap": {
      if (!names.blocking.has(rule.gap)) return undefined;
      const refused = new Wrong("refused", { is: "gap", gap: rule.gap });
      return (raw) => (mayChange(raw, type.kind) ? refused : raw);
    }
    case "absent means":
    case "at least one member":
    case "characters":
    case "different items":
    case "holds":
    case "items":
    case "matches":
    case "range":
    case "scheme":
      return undefined;
  }
}

/** Whether one of the rules that change what is sent may make something else of it. */
function mayChange(raw: Json, kind: BaseType["kind"]): boolean {
  const may = (rule: "trimmed" | "empty becomes null"): boolean => {
    const types: readonly BaseType["kind"][] = ruleKinds[rule].types;
    return types.includes(kind);
  };
  if (raw instanceof Map) return may("empty becomes null") && [...raw.values()].includes("");
  if (typeof raw !== "string" || kind === "map") return false;
  if (raw === "") return may("empty becomes null");
  return may("trimmed") && trimmed(raw) !== raw;
}

/** A map without its empty texts: a value that may not be null is left out. */
function withoutEmpty(raw: Json): Json {
  return raw instanceof Map ? new Map([...raw].filter(([, one]) => one !== "")) : raw;
}

/** A map whose empty texts are null: where it is merged, null takes a member away. */
function emptiesNull(raw: Json): Json {
  if (!(raw instanceof Map)) return raw;
  return new Map([...raw].map(([name, one]) => [name, one === "" ? null : one]));
}

function judgeOf(rule: RuleBy<"reading">, type: ValueType, names: Names): Judge | undefined {
  switch (rule.kind) {
    case "not empty":
      return (value) => (isEmpty(value) ? EMPTY : undefined);
    case "characters":
      return sizes(rule, (value) => codePoints(value as string), "too short", "too long");
    case "items":
      return sizes(rule, itemCount, "too few items", "too many items");
    case "range":
      return range(bound(rule.min, type), bound(rule.max, type));
    case "matches":
      return matches(rule.pattern);
    case "scheme":
      return oneOfSchemes(rule.schemes);
    case "different items":
      return differentItems;
    case "at least one member":
      return (value) => (itemCount(value) === 0 ? NO_MEMBER : undefined);
    case "holds": {
      const holds = compileRule(rule.condition.code);
      const refused = new Wrong("refused", rule.otherwise);
      if (holds) {
        return (value, { around }) => (holds(value, around) === true ? undefined : refused);
      }
      const { code } = rule.condition;
      return (value, sink) => {
        sink.later(refused, { code, name: "value", value, failsWhen: false });
        return undefined;
      };
    }
    case "gap": {
      const refused = new Wrong("refused", { is: "gap", gap: rule.gap });
      return names.blocking.has(rule.gap) ? () => refused : undefined;
    }
    case "absent means":
    case "empty becomes null":
    case "empty means absent":
    case "trimmed":
      return undefined;
  }
}

const NO_MEMBER = new Wrong("no member given");
const NOT_MATCHING = new Wrong("not matching");
const REPEATED_ITEM = new Wrong("repeated item");

function itemCount(value: Value): number {
  return Array.isArray(value) ? value.length : (value as ReadonlyMap<string, Value>).size;
}

function sizes(
  rule: { readonly min?: number; readonly max?: number },
  size: (value: Value) => number,
  below: "too short" | "too few items",
  above: "too long" | "too many items",
): Judge {
  const [min, max] = [rule.min ?? 0, rule.max ?? Number.POSITIVE_INFINITY];
  const [tooFew, tooMany] = [new Wrong(below), new Wrong(above)];
  return (value) => {
    const count = size(value);
    return count < min ? tooFew : count > max ? tooMany : undefined;
  };
}

/** A bound as a value of the type: a decimal with fewer places is widened exactly. */
function bound(code: Code | undefined, type: ValueType): Value {
  if (!code) return undefined;
  const value = constant(code);
  if (type.type.kind !== "decimal" || typeof value !== "bigint") return value;
  const places = code.type.kind === "decimal" ? code.type.places : 0;
  return value * 10n ** BigInt(Math.max(0, type.type.places - places));
}

/** Integers, decimals, times and durations as bigint, numbers, and dates as text all compare. */
function range(min: Value, max: Value): Judge {
  return (value) => {
    if (min !== undefined && (value as bigint) < (min as bigint)) return TOO_SMALL;
    return max !== undefined && (value as bigint) > (max as bigint) ? TOO_LARGE : undefined;
  };
}

/** Whether a text as a whole matches a pattern in RE2 syntax, in time linear in the text. */
export function wholeMatcher(pattern: string): (text: string) => boolean {
  const compiled = RE2JS.compile(pattern);
  return (text) => compiled.matches(text);
}

function matches(pattern: string): Judge {
  const isMatching = wholeMatcher(pattern);
  return (value) => (isMatching(value as string) ? undefined : NOT_MATCHING);
}

function oneOfSchemes(schemes: readonly string[]): Judge {
  const known = new Set(schemes.map((scheme) => scheme.toLowerCase()));
  return (value) => (known.has(schemeOf(value as string)) ? undefined : NOT_MATCHING);
}

const differentItems: Judge = (value) => {
  const items = value as readonly Value[];
  return new Set(items.map(identity)).size < items.length ? REPEATED_ITEM : undefined;
};

/** A text that two values share exactly when they are equal. */
function identity(value: Value): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(identity).join()}]`;
  if (value instanceof Map) {
    const members = [...value].map(([name, one]) => `${JSON.stringify(name)}:${identity(one)}`);
    return `{${members.sort().join()}}`;
  }
  if (typeof value !== "object" || value === null) return `${typeof value} ${value}`;
  return `number ${normalNumber((value as { numberText: string }).numberText)}`;
}
