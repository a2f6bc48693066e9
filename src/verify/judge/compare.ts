/** What an answer has otherwise than the model expects, and what it tells of texts and times. */
import { parseTimestamp } from "../../expr/index.ts";
import type { ItemId } from "../../plan/index.ts";
import {
  isJsonNumber,
  isJsonObject,
  type Json,
  parseJson,
  type Response,
} from "../../run/index.ts";
import { type Answer, fieldOf } from "../world/message.ts";
import { bindingsIn } from "../world/texts.ts";

export type Where = readonly (string | number)[];

/** One thing that is otherwise. Values are JSON texts; undefined: there is nothing. */
export interface Difference {
  readonly in: "status" | "header" | "body";
  /** The name of a header, or members and items down to a value of the body. */
  readonly where: Where;
  readonly expected: string | undefined;
  readonly observed: string | undefined;
  /** Where both are times: what they may be. */
  readonly times?: readonly Times[];
  /** The one item that states it, where that is known. */
  readonly item?: ItemId;
}

/** Two times that are apart, in microseconds. */
export interface Times {
  readonly expected: bigint;
  readonly observed: bigint;
  /** What the form in which they are written leaves off. */
  readonly step: bigint;
}

export interface Compared {
  readonly differences: readonly Difference[];
  /** What marks in the expected answer are. */
  readonly known: ReadonlyMap<string, string>;
}

/** What may be any: the value at these places, or the order of a list. */
export interface Loose {
  readonly values: ReadonlySet<string>;
  readonly orders: ReadonlySet<string>;
}

export const TIGHT: Loose = { values: new Set(), orders: new Set() };

/** A place as a key of a set. */
export const keyOf = (where: Where): string => JSON.stringify(where);

/** The value as JSON text, members in the order of their names. */
export function textOf(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(",")}]`;
  if (isJsonObject(value)) {
    const members = [...value].sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([name, one]) => `${JSON.stringify(name)}:${textOf(one)}`).join(",")}}`;
  }
  return isJsonNumber(value) ? value.numberText : JSON.stringify(value);
}

/** Compares an answer with what is expected of it. */
export function compare(expected: Response, answer: Answer, loose: Loose = TIGHT): Compared {
  const comparison = new Comparison(loose);
  comparison.status(expected.status, answer.status);
  comparison.headers(expected, answer);
  comparison.body(expected, answer);
  return { differences: comparison.differences, known: comparison.known };
}

/** Seconds left in a window: how many there are hangs on the moment. */
const SECONDS = /;t=\d+/g;
const MICROS_OF_UNITS = [1_000_000n, 1_000n];

class Comparison {
  readonly differences: Difference[] = [];
  readonly known = new Map<string, string>();
  readonly #loose: Loose;

  constructor(loose: Loose) {
    this.#loose = loose;
  }

  status(expected: number, observed: number): void {
    if (expected === observed || this.#loose.values.has(keyOf(["status"]))) return;
    this.differences.push({
      in: "status",
      where: ["status"],
      expected: String(expected),
      observed: String(observed),
    });
  }

  headers(expected: Response, answer: Answer): void {
    for (const [name, value] of joined(expected.headers)) {
      const observed = fieldOf(answer.headers, name);
      const isLoose = this.#loose.values.has(keyOf(["header", name]));
      if (observed !== undefined && (isLoose || this.#isHeader(name, value, observed))) continue;
      this.differences.push({ in: "header", where: [name], expected: value, observed });
    }
  }

  #isHeader(name: string, expected: string, observed: string): boolean {
    switch (name.toLowerCase()) {
      case "content-type":
        return bare(expected) === bare(observed);
      case "allow":
        return words(expected).every((one) => {
          // What a host adds to the methods of a document is not stated.
          return one === "HEAD" || one === "OPTIONS" || words(observed).includes(one);
        });
      case "www-authenticate":
        return expected.split(" ")[0]?.toLowerCase() === observed.split(" ")[0]?.toLowerCase();
      case "ratelimit":
        return this.#bind(expected.replaceAll(SECONDS, ""), observed.replaceAll(SECONDS, ""));
      case "retry-after":
        return Math.abs(Number(expected) - Number(observed)) <= 1;
      default:
        return this.#bind(expected, observed);
    }
  }

  #bind(expected: string, observed: string): boolean {
    const found = bindingsIn(expected, observed);
    if (found === undefined) return false;
    for (const [mark, text] of found) {
      const before = this.known.get(mark);
      if (before !== undefined && before !== text) return false;
      this.known.set(mark, text);
    }
    return true;
  }

  body(expected: Response, answer: Answer): void {
    // No content is no body (RFC 9110 section 6.4).
    const [wanted, observed] = [expected.body || undefined, answer.body || undefined];
    if (wanted === undefined || observed === undefined) {
      if (wanted !== observed) this.#differ([], wanted, observed);
      return;
    }
    const [mine, theirs] = [parseJson(wanted), parseJson(observed)];
    if (mine.ok && theirs.ok) this.#values(mine.value, theirs.value, []);
    else if (!this.#bind(wanted, observed)) this.#differ([], wanted, observed);
  }

  #differ(where: Where, expected: string | undefined, observed: string | undefined): void {
    if (this.#loose.values.has(keyOf(where))) return;
    this.differences.push({ in: "body", where, expected, observed });
  }

  #values(expected: Json, observed: Json, where: Where): void {
    if (this.#loose.values.has(keyOf(where))) return;
    if (Array.isArray(expected) && Array.isArray(observed)) {
      this.#lists(expected, observed, where);
    } else if (isJsonObject(expected) && isJsonObject(observed)) {
      for (const name of new Set([...expected.keys(), ...observed.keys()])) {
        const [mine, theirs] = [expected.get(name), observed.get(name)];
        const inner = [...where, name];
        if (mine !== undefined && theirs !== undefined) this.#values(mine, theirs, inner);
        else this.#differ(inner, shown(mine), shown(theirs));
      }
    } else this.#scalars(expected, observed, where);
  }

  #lists(expected: readonly Json[], given: readonly Json[], where: Where): void {
    const observed = this.#loose.orders.has(keyOf(where)) ? inOrderOf(expected, given) : given;
    for (let i = 0; i < Math.max(expected.length, observed.length); i++) {
      const [mine, theirs] = [expected[i], observed[i]];
      const inner = [...where, i];
      if (mine !== undefined && theirs !== undefined) this.#values(mine, theirs, inner);
      else this.#differ(inner, shown(mine), shown(theirs));
    }
  }

  #scalars(expected: Json, observed: Json, where: Where): void {
    if (typeof expected === "string" && typeof observed === "string") {
      if (this.#bind(expected, observed)) return;
      const [mine, theirs] = [parseTimestamp(expected), parseTimestamp(observed)];
      const isTime = mine !== undefined && theirs !== undefined;
      const digits = /\.(\d+)/.exec(expected)?.[1]?.length ?? 0;
      const step = 10n ** BigInt(6 - Math.min(6, digits));
      const times = isTime ? [{ expected: mine, observed: theirs, step }] : [];
      this.#differTimes(where, JSON.stringify(expected), JSON.stringify(observed), times);
      return;
    }
    const [mine, theirs] = [textOf(expected), textOf(observed)];
    if (mine === theirs) return;
    if (!isJsonNumber(expected) || !isJsonNumber(observed)) {
      this.#differ(where, mine, theirs);
    } else if (Number(mine) !== Number(theirs) || exact(mine) !== exact(theirs)) {
      const isWhole = /^-?\d{9,}$/.test(mine) && /^-?\d{9,}$/.test(theirs);
      const [a, b] = isWhole ? [BigInt(mine), BigInt(theirs)] : [0n, 0n];
      const times = (isWhole ? MICROS_OF_UNITS : []).map((step) => ({
        expected: a * step,
        observed: b * step,
        step,
      }));
      this.#differTimes(where, mine, theirs, times);
    }
  }

  #differTimes(where: Where, expected: string, observed: string, times: readonly Times[]): void {
    const both = times.length === 0 ? {} : { times };
    this.differences.push({ in: "body", where, expected, observed, ...both });
  }
}

/** Lines of one name as one (RFC 9110 section 5.3). */
function joined(headers: Response["headers"]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of headers) {
    const before = found.get(name);
    found.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return found;
}

/** Digits and power of ten of a number, alike for all ways to write it. */
function exact(text: string): string {
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+(?=\d)/, "");
  const size = digits.replace(/0+$/, "");
  if (size === "") return "0";
  return `${sign}${size}e${Number(power) - fraction.length + digits.length - size.length}`;
}

const shown = (value: Json | undefined): string | undefined =>
  value === undefined ? undefined : textOf(value);
const bare = (type: string): string => (type.split(";")[0] ?? "").trim().toLowerCase();
const words = (list: string): readonly string[] => list.split(",").map((one) => one.trim());

/** The observed items, those that are expected in the order in which they are. */
function inOrderOf(expected: readonly Json[], observed: readonly Json[]): readonly Json[] {
  const left = observed.map((one) => ({ one, text: textOf(one) }));
  const found = expected.map((mine) => {
    const text = textOf(mine);
    const at = left.findIndex((each) => each.text === text);
    return at < 0 ? undefined : left.splice(at, 1)[0]?.one;
  });
  const rest = left.map(({ one }) => one);
  const all = found.map((one) => one ?? rest.shift());
  return [...all.filter((one) => one !== undefined), ...rest];
}
