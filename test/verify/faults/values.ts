/** Readers of single values, by the types and rules of the shop's document. */
import { Numeral, Refused } from "./wire.ts";

/** Reads a JSON value of a member; `name` is told when it is wrong. */
export type Reader = (value: unknown, name: string) => unknown;

const trim = (text: string): string => text.replaceAll(/^[\t-\r ]+|[\t-\r ]+$/g, "");

function wrong(name: string): never {
  throw new Refused("invalid", name);
}

/** Characters are code points. */
export const text =
  (min: number, max: number, isTrimmed = false): Reader =>
  (value, name) => {
    if (typeof value !== "string") return wrong(name);
    const read = isTrimmed ? trim(value) : value;
    const { length } = [...read];
    return length < min || length > max ? wrong(name) : read;
  };

export const matching =
  (pattern: RegExp): Reader =>
  (value, name) =>
    typeof value === "string" && pattern.test(value) ? value : wrong(name);

export const oneOf =
  (...all: readonly string[]): Reader =>
  (value, name) =>
    typeof value === "string" && all.includes(value) ? value : wrong(name);

/** Neither a fraction nor an exponent may be written. */
export const whole =
  (min: number, max: number): Reader =>
  (value, name) => {
    if (!(value instanceof Numeral) || !/^-?\d{1,38}$/.test(value.text)) return wrong(name);
    const number = Number(value.text);
    return number < min || number > max ? wrong(name) : number;
  };

/** Money, kept in hundredths. */
export const money =
  (min: number, max: number): Reader =>
  (value, name) => {
    if (!(value instanceof Numeral) || !/^-?\d{1,36}(\.\d{1,2})?$/.test(value.text)) {
      return wrong(name);
    }
    const hundredths = Math.round(Number(value.text) * 100);
    return hundredths < min || hundredths > max ? wrong(name) : hundredths;
  };

export const boolean: Reader = (value, name) => (typeof value === "boolean" ? value : wrong(name));

export const orNull =
  (inner: Reader): Reader =>
  (value, name) =>
    value === null ? null : inner(value, name);

export const different =
  (max: number): Reader =>
  (value, name) => {
    if (!Array.isArray(value)) return wrong(name);
    for (const [i, one] of value.entries()) if (typeof one !== "string") wrong(`${name}.${i}`);
    if (value.length > max || new Set(value).size < value.length) return wrong(name);
    return value;
  };

/** Whether a member must, may or may not be given. */
export interface Member {
  readonly given: "must" | "may" | "never";
  readonly read: Reader;
}

/** The members that are given, read in the order of the document; then what it does not name. */
export function membersOf(
  sent: Readonly<Record<string, unknown>>,
  members: Readonly<Record<string, Member>>,
): Readonly<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const [name, { given, read }] of Object.entries(members)) {
    if (!(name in sent)) {
      if (given === "must") wrong(name);
    } else if (given === "never") wrong(name);
    else found[name] = read(sent[name], name);
  }
  for (const name of Object.keys(sent)) if (!(name in members)) wrong(name);
  return found;
}

/** The text of a number as it stands in a query. */
export const inQuery =
  (inner: Reader): Reader =>
  (value, name) =>
    inner(new Numeral(String(value)), name);

/** Pairs of a query. Throws `Refused` for what is not percent-encoded. */
export function pairsOf(query: string): readonly (readonly [string, string])[] {
  if (/%(?![0-9a-fA-F]{2})/.test(query)) throw new Refused("malformed");
  return [...new URLSearchParams(query)];
}

/** Parameters of a query, read in the order of the document; none may stand twice. */
export function queryOf(
  query: string,
  readers: Readonly<Record<string, Reader>>,
): Readonly<Record<string, unknown>> {
  const pairs = pairsOf(query);
  const found: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(readers)) {
    const values = pairs.filter(([one]) => one === name).map(([, value]) => value);
    if (values.length > 1) wrong(name);
    if (values[0] !== undefined) found[name] = read(values[0], name);
  }
  return found;
}

/** Refuses parameters that the document does not name: behind all that it names. */
export function noOthers(query: string, readers: Readonly<Record<string, Reader>>): void {
  for (const [name] of pairsOf(query)) if (!(name in readers)) wrong(name);
}

/** A member that the document has and no client gives. */
export const never: Member = { given: "never", read: boolean };
