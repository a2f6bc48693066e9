/**
 * Values that have an order, as whole numbers of the units of their type, so that bounds of each
 * are kept and reckoned with exactly: a decimal in its last place, a timestamp and a duration in
 * microseconds, a date in days, a binary64 number in 2^-1074, of which each is a multiple.
 */
import {
  DURATION_MAX,
  daysOfDate,
  parseDuration,
  parseTimestamp,
  TIMESTAMP_MAX,
  TIMESTAMP_MIN,
} from "./calendar.ts";
import { DIGITS_MAX } from "./lexer.ts";
import type { Bound, Type } from "./types.ts";

export type Measured = Extract<
  Type,
  { readonly kind: "integer" | "decimal" | "number" | "timestamp" | "date" | "duration" }
>;

export interface Span {
  readonly least: bigint;
  readonly most: bigint;
}

const around = (most: bigint): Span => ({ least: -most, most });

/** One of binary64, in its units. */
export const ONE = 1n << 1074n;

/** A binary64 number in units. */
function unitsOfNumber(value: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, Math.abs(value));
  const whole = bits.getBigUint64(0);
  const exponent = whole >> 52n;
  const fraction = whole & ((1n << 52n) - 1n);
  const units = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n);
  return value < 0 ? -units : units;
}

const DIGITS = 10n ** BigInt(DIGITS_MAX) - 1n;
const SHARE = 10n ** 18n;

/** The least and the greatest value of each type. */
const ENDS: Readonly<Record<Measured["kind"], Span>> = {
  integer: around(DIGITS),
  decimal: around(DIGITS),
  number: around(unitsOfNumber(Number.MAX_VALUE)),
  timestamp: { least: TIMESTAMP_MIN, most: TIMESTAMP_MAX },
  date: {
    least: BigInt(daysOfDate("0001-01-01") ?? 0),
    most: BigInt(daysOfDate("9999-12-31") ?? 0),
  },
  duration: around(DURATION_MAX),
};

const micros = (text: string): bigint => parseTimestamp(text) ?? 0n;
const days = (text: string): bigint => BigInt(daysOfDate(text) ?? 0);

/**
 * What values that no client chooses are taken to keep to: what steps count and sum up from request
 * to request, the time, what the operator supplies.
 */
const SHARES: Readonly<Record<Measured["kind"], Span>> = {
  integer: around(SHARE),
  decimal: around(SHARE),
  number: around(SHARE * ONE),
  timestamp: { least: micros("1000-01-01T00:00:00Z"), most: micros("3000-01-01T00:00:00Z") },
  date: { least: days("1000-01-01"), most: days("3000-01-01") },
  duration: around(DURATION_MAX / 20n),
};

/** Whether its values have an order of which bounds are kept. */
export function isMeasured(type: Type): type is Measured {
  return Object.hasOwn(ENDS, type.kind);
}

/** The least and the greatest value of the type. */
export function endsOf({ kind }: Measured): Span {
  return ENDS[kind];
}

/** The bound, its open sides closed by what values that no client chooses keep to. */
export function sharedBound({ kind }: Measured, { least, most }: Bound): Span {
  const share = SHARES[kind];
  return {
    least: least ?? (most !== undefined && most < share.least ? ENDS[kind].least : share.least),
    most: most ?? (least !== undefined && least > share.most ? ENDS[kind].most : share.most),
  };
}

/** Whether the value may be past what values that no client chooses are taken to keep to. */
export function isWide(type: Type): boolean {
  if (type.kind === "nullable" || type.kind === "list" || type.kind === "map") {
    return isWide(type.of);
  }
  if (!isMeasured(type)) return false;
  const { least, most } = SHARES[type.kind];
  return (type.least ?? least) < least || (type.most ?? most) > most;
}

/** The type with these bounds and no others. */
export function bounded(type: Measured, { least, most, nonZero }: Bound): Measured {
  const plain =
    type.kind === "decimal" ? { kind: type.kind, places: type.places } : { kind: type.kind };
  return {
    ...plain,
    ...(least === undefined ? {} : { least }),
    ...(most === undefined ? {} : { most }),
    ...(nonZero ? { nonZero } : {}),
  };
}

/** A literal in units; undefined where the text is none of the type. */
export function unitsOf(type: Measured, text: string): bigint | undefined {
  switch (type.kind) {
    case "integer":
      return /^-?\d+$/.test(text) ? BigInt(text) : undefined;
    case "decimal":
      return decimalUnits(text, type.places);
    case "number":
      return Number.isFinite(Number(text)) ? unitsOfNumber(Number(text)) : undefined;
    case "timestamp":
      return parseTimestamp(text);
    case "duration":
      return parseDuration(text);
    case "date": {
      const found = daysOfDate(text);
      return found === undefined ? undefined : BigInt(found);
    }
  }
}

function decimalUnits(text: string, places: number): bigint | undefined {
  const [, sign = "", whole = "", part = ""] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text) ?? [];
  if (whole === "" || part.length > places) return undefined;
  return BigInt(`${sign}${whole}${part.padEnd(places, "0")}`);
}

/** A value that a client may choose: where it has no bound, it goes to the ends of its type. */
export function chosen(type: Type): Type {
  if (type.kind === "nullable" || type.kind === "map" || type.kind === "list") {
    return { ...type, of: chosen(type.of) };
  }
  if (!isMeasured(type)) return type;
  const ends = endsOf(type);
  return { ...type, least: type.least ?? ends.least, most: type.most ?? ends.most };
}
