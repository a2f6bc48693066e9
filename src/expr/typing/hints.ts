/** Says what to do about operands that no form takes; knows the types of both sides alone. */

import { containsType, withoutNull } from "../relations.ts";
import { render } from "../render.ts";
import type { Code, Type } from "../types.ts";

const TEXT_SHOWN = 60;

/** The text of an operand, or `x` where it is too long to be read in a hint. */
function brief(code: Code): string {
  const text = render(code);
  return text.length > TEXT_SHOWN ? "x" : text;
}

/** The text of an operand before a dot. */
function called(code: Code): string {
  const text = brief(code);
  return code.op === "call" && /\s/.test(text) && !text.endsWith(")") ? `(${text})` : text;
}

type Rule = (fn: string, a: Code, b: Code) => string | undefined;

/** What to write instead, or undefined where nothing better than the forms can be said. */
export function operandHint(fn: string, left: Code, right: Code): string | undefined {
  for (const rule of RULES) {
    const hint = rule(fn, left, right) ?? rule(fn, right, left);
    if (hint !== undefined) return hint;
  }
  return undefined;
}

function hasMembers({ kind }: Type): boolean {
  return kind === "object" || kind === "row";
}

function isLiteral(code: Code): boolean {
  return code.op === "literal";
}

function zeros(type: Type): string {
  return type.kind === "decimal" && type.places > 0 ? `.${"0".repeat(type.places)}` : "";
}

const RULES: readonly Rule[] = [
  function containsInList(fn, a, b) {
    if (fn !== "contains" || a.type.kind !== "list") return undefined;
    return `write \`${brief(b)} in ${brief(a)}\``;
  },
  function secrets(fn, a, b) {
    const both = a.type.kind === "secret" && b.type.kind === "secret";
    return both && /^[=!]=$/.test(fn)
      ? `compare what they hash to: \`sha256(${brief(a)}) ${fn} sha256(${brief(b)})\``
      : undefined;
  },
  function secret(_fn, a) {
    return containsType(a.type, (type) => type.kind === "secret")
      ? "a secret can only be stored, compared with null, or given to `sha256`, `password_matches`"
      : undefined;
  },
  function textAsJson(_fn, a, b) {
    if (withoutNull(b.type).kind !== "json") return undefined;
    return /^(timestamp|date|duration|zone)$/.test(withoutNull(a.type).kind)
      ? `say in which form it is sent: \`string(${brief(a)})\``
      : undefined;
  },
  function membersAsJson(_fn, a, b) {
    if (withoutNull(b.type).kind !== "json" || !containsType(a.type, hasMembers)) return undefined;
    return a.type.kind === "list"
      ? `say which members of each are sent: \`${brief(a)}.map(x, {"name": x.name})\``
      : `say which of its members are sent: \`{"name": ${brief(a)}.name}\``;
  },
  function decimalDivision(fn, a) {
    if (fn !== "/" || a.type.kind !== "decimal") return undefined;
    return 'state the rounding: `divide(a, b, places, "half_even")`';
  },
  function durations(fn, a, b) {
    const both = a.type.kind === "duration" && b.type.kind === "duration";
    if (!both || !/^[/*%]$/.test(fn)) return undefined;
    return `take a number of each, such as \`${called(a)}.getHours()\` (whole hours)`;
  },
  function decimalWithInteger(_fn, a, b) {
    if (a.type.kind !== "decimal" || b.type.kind !== "integer") return undefined;
    if (isLiteral(b)) return `write the literal with places: \`${brief(b)}${zeros(a.type)}\``;
    return `make a decimal of the integer: \`${brief(b)} * 1${zeros(a.type)}\``;
  },
  function decimalPlaces(_fn, a, b) {
    if (a.type.kind !== "decimal" || b.type.kind !== "decimal") return undefined;
    const [fewer, more] = a.type.places < b.type.places ? [a, b] : [b, a];
    if (fewer.type.kind !== "decimal" || more.type.kind !== "decimal") return undefined;
    const rounded = `round_half_even(${brief(more)}, ${fewer.type.places})`;
    return `both sides need the same places: \`${rounded}\``;
  },
  function numberWithLiteral(_fn, a, b) {
    const exact = b.type.kind === "integer" || b.type.kind === "decimal";
    if (a.type.kind !== "number" || !exact) return undefined;
    if (isLiteral(b)) return `write the literal with an exponent: \`${brief(b)}e0\``;
    return `make a number of it: \`number(${brief(b)})\``;
  },
  function momentMoved(fn, a, b) {
    const isMoved = a.type.kind === "timestamp" && /^[+-]$/.test(fn);
    const isScaled = a.type.kind === "duration" && fn === "*";
    if ((!isMoved && !isScaled) || b.type.kind !== "integer") return undefined;
    return `make a duration of it: \`days(${brief(b)})\`, or \`hours\`, \`minutes\`, \`seconds\``;
  },
  function datesApart(fn, a, b) {
    if (fn !== "-" || a.type.kind !== "date" || b.type.kind !== "date") return undefined;
    return `count the days: \`days_between(${brief(b)}, ${brief(a)})\``;
  },
  function mapsJoined(fn, a, b) {
    if (fn !== "+" || a.type.kind !== "map" || b.type.kind !== "map") return undefined;
    return `write \`merge(${brief(a)}, ${brief(b)})\``;
  },
  function dateMoved(fn, a, b) {
    if (a.type.kind !== "date" || !/^[+-]$/.test(fn)) return undefined;
    return b.type.kind === "duration" || b.type.kind === "integer"
      ? `move a date by days: \`add_days(${brief(a)}, 1)\``
      : undefined;
  },
  function textWithOther(fn, a, b) {
    const open = /^(integer|decimal|number|boolean|timestamp|date|duration)$/;
    if (fn !== "+" || a.type.kind !== "string" || !open.test(b.type.kind)) return undefined;
    return `make it a text: \`string(${brief(b)})\``;
  },
  function textWithTime(_fn, a, b) {
    const makes = /^(timestamp|date|duration)$/.test(b.type.kind);
    if (a.type.kind !== "string" || !makes) return undefined;
    return `make it a ${b.type.kind}: \`${b.type.kind}(${brief(a)})\``;
  },
  function textWithInteger(_fn, a, b) {
    if (a.type.kind !== "string" || b.type.kind !== "integer") return undefined;
    return `make it an integer: \`int(${brief(a)})\``;
  },
  function timestampAndDate(_fn, a, b) {
    if (a.type.kind !== "timestamp" || b.type.kind !== "date") return undefined;
    return `take the date in a zone: \`date_of(${brief(a)}, zone)\``;
  },
  function rowWithValue(_fn, a, b) {
    const plain = /^(string|integer|decimal|boolean)$/.test(withoutNull(b.type).kind);
    if (withoutNull(a.type).kind !== "row" || !plain) return undefined;
    return `compare a member of the row, such as \`${brief(a)}.id\``;
  },
];
