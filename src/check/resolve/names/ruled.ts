/** What the rules of an input or of a body's member say of its value: bounds and lengths. */
import {
  type Bound,
  boundOf,
  type Code,
  chosen,
  isMeasured,
  narrowed,
  type Type,
  writtenBound,
} from "../../../expr/index.ts";
import type { Rule } from "../../../plan/index.ts";
import type { Match } from "../../../spec/index.ts";
import { textOf } from "./resolver.ts";

/** From the least of one to the most of the other. */
function between(min: Bound | undefined, max: Bound | undefined): Bound {
  return {
    ...(min?.least === undefined ? {} : { least: min.least }),
    ...(max?.most === undefined ? {} : { most: max.most }),
  };
}

const ofCode = (code: Code | undefined): Bound | undefined => code && boundOf(code);

/** The type of a value that keeps the rules, and that a client chooses otherwise. */
export function ruledType(type: Type, rules: readonly Rule[]): Type {
  if (type.kind === "nullable") return { kind: "nullable", of: ruledType(type.of, rules) };
  let made: Type = type;
  for (const rule of rules) {
    if (rule.kind === "range") made = narrowed(made, between(ofCode(rule.min), ofCode(rule.max)));
    if (made.kind !== "list") continue;
    if (rule.kind === "items" && rule.min !== undefined)
      made = { ...made, least: BigInt(rule.min) };
    if (rule.kind === "not empty") made = { ...made, least: 1n };
  }
  // What is not shown may be the range.
  return rules.some((rule) => rule.kind === "gap") ? made : chosen(made);
}

const RANGES: ReadonlySet<string> = new Set(["range", "least", "most"]);

/** The rules of a cell as they are written, where they are not resolved yet. */
interface Written {
  readonly rules: readonly Match[];
  /** Some of the rules are not shown. */
  readonly isOpen: boolean;
}

/** The bound that the rules set as they are written; undefined where one cannot be read. */
function rangeOf(type: Type, rules: readonly Match[]): Bound | undefined {
  if (!isMeasured(type)) return {};
  let found: Type = type;
  for (const rule of rules) {
    if (!RANGES.has(rule.form)) continue;
    const texts = ["min", "max"].map((slot) => textOf(rule, slot));
    const [min, max] = texts.map((text) => (text === "" ? {} : writtenBound(text, type)));
    if (min === undefined || max === undefined) return undefined;
    found = narrowed(found, between(min, max));
  }
  return isMeasured(found) ? found : {};
}

/** As `ruledType`, by the rules as they are written. */
export function writtenType(type: Type, written: Written): Type {
  if (type.kind === "nullable") return { kind: "nullable", of: writtenType(type.of, written) };
  const { rules } = written;
  const range = rangeOf(type, rules);
  let made = narrowed(type, range ?? {});
  for (const rule of rules) {
    if (made.kind !== "list") continue;
    const number = (slot: string): bigint | undefined => {
      const text = textOf(rule, slot);
      return /^-?\d+$/.test(text) ? BigInt(text) : undefined;
    };
    const least = rule.form === "not empty" ? 1n : (number("min") ?? number("n"));
    if (/^(items|not empty)/.test(rule.form) && least !== undefined) made = { ...made, least };
  }
  return written.isOpen || range === undefined ? made : chosen(made);
}

/**
 * The type of a value that is kept, which a client chose by these rules: within the greatest that
 * they allow, either way, since steps may have changed it.
 */
export function keptType(type: Type, written: Written): Type {
  if (type.kind === "nullable") return { kind: "nullable", of: keptType(type.of, written) };
  const range = rangeOf(type, written.rules);
  if (written.isOpen || range === undefined) return type;
  const { least, most } = range;
  if (/^(timestamp|date)$/.test(type.kind)) return chosen(narrowed(type, range));
  if (least === undefined || most === undefined) return chosen(type);
  const size = -least > most ? -least : most;
  return narrowed(type, { least: -size, most: size });
}
