/** Values as an object of OpenAPI lets them stand; what it does not stands apart, beside them. */
import { isObject, type Json, type JsonObject, laidOver } from "../../schemas/json.ts";

/** Where an object holds what may not stand in it as it is. */
export const KEPT = "x-lacuna-kept";

/** What of a value can stand in its place. */
interface Fitted {
  /** Undefined: nothing of it. */
  readonly value?: Json;
  /** Nothing of it was left out, or what was stands apart within it. */
  readonly isWhole: boolean;
}

export type Fit = (value: Json) => Fitted;

const NOT: Fitted = { isWhole: false };

/** What a value of the kind is told by. */
export function judged(fits: (value: Json) => boolean): Fit {
  return (value) => (fits(value) ? { value, isWhole: true } : NOT);
}

export const text = judged((value) => typeof value === "string");
export const flag = judged((value) => typeof value === "boolean");
export const any = judged(() => true);
export const schema = judged((value) => typeof value === "boolean" || isObject(value));

/** One of these texts. */
export const word = (...words: readonly string[]): Fit =>
  judged((value) => typeof value === "string" && words.includes(value));

/** Whether every item fits, whole; then the list may stand, else nothing of it. */
export function every(fit: Fit, least = 0): Fit {
  return (value) => {
    if (!Array.isArray(value) || value.length < least) return NOT;
    const all = (value as readonly Json[]).map(fit);
    if (!all.every(({ isWhole }) => isWhole)) return NOT;
    return { value: all.map((one) => one.value ?? null), isWhole: true };
  };
}

/** A list of which the items stand that fit. */
export function list(fit: Fit): Fit {
  return (value) => {
    if (!Array.isArray(value)) return NOT;
    const all = (value as readonly Json[]).map(fit);
    const found = all.flatMap((one) => (one.value === undefined ? [] : [one.value]));
    // Where none fits there is no list: an empty one would say that there are none.
    if (found.length === 0 && all.length > 0) return NOT;
    return { value: found, isWhole: all.every(({ isWhole }) => isWhole) };
  };
}

/** An object of any names, of which the members stand that fit. */
export function map(fit: Fit, names = /^/): Fit {
  return (value) => {
    if (!isObject(value)) return NOT;
    let isWhole = true;
    const found: [string, Json][] = [];
    for (const [name, one] of Object.entries(value)) {
      if (one === undefined) continue;
      const fitted = names.test(name) ? fit(one) : NOT;
      if (fitted.value !== undefined) found.push([name, fitted.value]);
      isWhole &&= fitted.isWhole;
    }
    if (found.length === 0 && Object.keys(value).length > 0) return NOT;
    return { value: Object.fromEntries(found), isWhole };
  };
}

type Members = Readonly<Record<string, Fit>>;

/** What an object of OpenAPI is made of. */
export interface Rule {
  /** Its members, which can depend on one another. */
  readonly members: Members | ((value: JsonObject) => Members);
  /** Other names, with what stands there. */
  readonly others?: readonly [names: RegExp, fit: Fit];
  /** Without one of each of these it is none. */
  readonly needs?: readonly (readonly string[])[];
  /** Of each of these it has one at most: the first. */
  readonly either?: readonly (readonly string[])[];
  /** A reference may stand for it. */
  readonly refers?: boolean;
  /** What it has whether it is said or not. */
  readonly always?: (value: JsonObject) => JsonObject;
}

/** An object with extensions: what does not fit stands under `x-lacuna-kept` in it. */
export function object(rule: Rule): Fit {
  const { needs = [], either = [], others } = rule;
  const names = others?.[0];
  return (value) => {
    if (!isObject(value)) return NOT;
    if (rule.refers && value["$ref"] !== undefined)
      return text(value["$ref"]).value ? all(value) : NOT;
    const members = typeof rule.members === "function" ? rule.members(value) : rule.members;
    const own: Record<string, Json> = {};
    const kept: Record<string, Json> = {};
    for (const [name, one] of Object.entries(value)) {
      if (one === undefined) continue;
      if (name.startsWith("x-")) {
        own[name] = one;
        continue;
      }
      const fit = Object.hasOwn(members, name)
        ? members[name]
        : names?.test(name)
          ? others?.[1]
          : undefined;
      const fitted = fit?.(one) ?? NOT;
      if (fitted.value !== undefined) own[name] = fitted.value;
      if (!fitted.isWhole) kept[name] = one;
    }
    for (const group of either) {
      for (const name of group.filter((one) => own[one] !== undefined).slice(1)) {
        kept[name] = value[name] ?? null;
        delete own[name];
      }
    }
    const has = (name: string): boolean => own[name] !== undefined;
    for (const [name, one] of Object.entries(rule.always?.(value) ?? {})) {
      if (one !== undefined && !has(name)) own[name] = one;
    }
    if (!needs.every((group) => group.some(has))) return NOT;
    return all(Object.keys(kept).length === 0 ? own : laidOver(own, { [KEPT]: kept }));
  };
}

const all = (value: Json): Fitted => ({ value, isWhole: true });
