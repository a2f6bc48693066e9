/** Reads one value of a stated type with its rules, from JSON or from text; tells what fails. */
import type { Plan, Refusal, Rule, ValueType } from "../../src/plan/index.ts";
import { meet } from "./coverage.ts";
import { evaluate, type Host, type Names } from "./evaluate.ts";
import { namelessGap } from "./fields.ts";
import { readFile } from "./files.ts";
import { isNumber, type Json, parse } from "./json.ts";
import { listed } from "./nested.ts";
import { fitsSchema, isTextSchema } from "./schemas.ts";
import { isEmail, isUri, schemeOf, trimmed } from "./texts.ts";
import { dayNumber, durationOf, FIRST, instantOf, isZoneName, LAST, LONGEST } from "./times.ts";
import { compare, DIGITS_MAX, equal, isList, isMap, type Value } from "./values.ts";

/** One failed input. */
export interface Failure {
  readonly condition: string;
  readonly field: string | null;
  /** The answer that a rule has of its own. */
  readonly refusal?: Refusal;
}

/** Thrown by a value that is not as it should be; caught where the member has a name. */
export class Bad extends Error {
  readonly condition: string;
  readonly refusal: Refusal | undefined;

  constructor(condition: string, refusal?: Refusal) {
    super(condition);
    this.condition = condition;
    this.refusal = refusal;
  }
}

export interface Reading {
  readonly plan: Plan;
  readonly names: Names;
  readonly host: Host;
  readonly failures: Failure[];
  /** Conditions stated to be ignored. */
  readonly ignored?: ReadonlySet<string>;
  /** `text`: from a path, query, header, cookie or form. */
  readonly form: "json" | "text";
}

/** Where a value stands: the dotted name, and the field that holds it (`Resource.field`). */
export interface Place {
  readonly name: string;
  readonly holder?: string;
  readonly merged?: boolean;
  /** No client gives it: Create says nothing of it. */
  readonly said?: boolean;
}

/** Rules that are judged on a value of the type; the others say how it is stored. */
const JUDGED = new Set([
  "characters",
  "items",
  "range",
  "matches",
  "scheme",
  "different items",
  "not empty",
  "at least one member",
  "holds",
  "gap",
]);
const OF_WHOLE = new Set(["items", "not empty", "at least one member", "holds"]);

/** Whether a value of the type is merged, not replaced, where an update merges. */
export function isMerging({ type }: ValueType): boolean {
  return ["map", "structure", "json"].includes(type.kind);
}

/** The first rule about the whole that a merged value breaks. */
export function brokenRule(
  { plan, names, host }: Omit<Reading, "failures" | "form">,
  rules: readonly Rule[],
  value: Value,
  type: ValueType,
): Bad | undefined {
  for (const rule of rules) {
    if (!OF_WHOLE.has(rule.kind)) continue;
    try {
      judge({ plan, names, host, failures: [], form: "json" }, rule, value, type);
    } catch (thrown) {
      if (thrown instanceof Bad) return thrown;
      throw thrown;
    }
  }
  return undefined;
}

const TEXT_RULES = new Set(["trimmed", "empty becomes null", "empty means absent"]);

/**
 * The value of what was sent (undefined: nothing), by rules from left to right. Undefined: absent.
 * Throws `Bad`.
 */
export function readValue(
  reading: Reading,
  given: { readonly type: ValueType; readonly rules: readonly Rule[]; readonly sent: Json },
  place: Place,
): Value {
  const { type, rules } = given;
  let sent = given.sent;
  let value: Value;
  let typed = false;
  const isCollection = type.type.kind === "list" || type.type.kind === "map";
  const settle = (): void => {
    if (typed) return;
    value = readType(reading, type, sent, place);
    typed = true;
  };
  for (const rule of rules) {
    if (sent === undefined || sent === null) break;
    meet("rule", rule.kind);
    if (TEXT_RULES.has(rule.kind)) {
      const takes = type.type.kind === "map" && (type.type.of.orNull || place.merged === true);
      // On a map the rule is about its texts alone.
      const isWhole = type.type.kind === "map" && typeof sent === "string";
      const changed = isWhole ? sent : changeText(rule.kind, typed ? value : sent, takes);
      if (typed && changed !== null && changed !== undefined) value = changed;
      else sent = changed;
      continue;
    }
    if (!JUDGED.has(rule.kind)) continue;
    // A rule that is not shown may change what is sent before its type is read.
    if (rule.kind === "gap" && !typed && isOpenText(type.type.kind, sent)) {
      judge(reading, rule, sent, type);
    }
    // What is merged is judged where the whole value is known.
    if (place.merged === true && isMerging(type) && OF_WHOLE.has(rule.kind)) continue;
    if (rule.kind === "not empty" && !typed && sent === "" && !isCollection) throw new Bad("empty");
    settle();
    judge(reading, rule, value, type);
  }
  if (sent === undefined) return absentMeans(reading, rules);
  if (sent === null) {
    const takesNull = type.type.kind === "schema" && fitsSchema(reading.plan, type.type.name, null);
    if (type.orNull || type.type.kind === "json" || takesNull) {
      meet("read", "null");
      return null;
    }
    if (type.type.kind === "schema") return wrong();
    throw new Bad("null");
  }
  settle();
  return value;
}

/** Whether `trimmed`, or a rule about empty texts, would change it. */
function isOpenText(kind: string, sent: Value): boolean {
  if (isMap(sent)) return kind === "map" && [...sent.values()].some((one) => one === "");
  if (typeof sent !== "string") return false;
  if (sent === "") return ["string", "secret", "email", "uri"].includes(kind);
  return ["string", "email", "uri"].includes(kind) && trimmed(sent) !== sent;
}

function absentMeans(reading: Reading, rules: readonly Rule[]): Value {
  const rule = rules.find((one) => one.kind === "absent means");
  if (rule?.kind !== "absent means") return undefined;
  meet("rule", "absent means");
  return evaluate(rule.value.code, reading.names, reading.host);
}

function changeText(kind: string, sent: Value, takes: boolean): Value {
  if (kind === "empty becomes null" && isMap(sent)) {
    const nulled = [...sent].map(([name, one]) => [name, one === "" ? null : one] as const);
    return new Map(takes ? nulled : nulled.filter(([name]) => sent.get(name) !== ""));
  }
  if (typeof sent !== "string") return sent;
  if (kind === "trimmed") return trimmed(sent);
  if (sent !== "") return sent;
  return kind === "empty becomes null" ? null : undefined;
}

function isEmpty(value: Value): boolean {
  return (
    value === "" || (isList(value) && value.length === 0) || (isMap(value) && value.size === 0)
  );
}

/** Judges a rule on a value that is there and of its type. */
function judge(reading: Reading, rule: Rule, value: Value, type: ValueType): void {
  const count = isList(value) ? value.length : isMap(value) ? value.size : 0;
  const text = typeof value === "string" ? value : "";
  switch (rule.kind) {
    case "characters":
      return inside([...text].length, rule, ["too short", "too long"]);
    case "items":
      return inside(count, rule, ["too few items", "too many items"]);
    case "range":
      return range(reading, rule, value, type);
    case "matches":
      if (!new RegExp(`^(?:${rule.pattern})$`, "u").test(text)) throw new Bad("not matching");
      return;
    case "scheme":
      if (!rule.schemes.some((one) => one.toLowerCase() === schemeOf(text))) {
        throw new Bad("not matching");
      }
      return;
    case "different items":
      if (
        (value as Value[]).some((a, i) => (value as Value[]).some((b, j) => j < i && equal(a, b)))
      ) {
        throw new Bad("repeated item");
      }
      return;
    case "not empty":
      if (isEmpty(value)) throw new Bad("empty");
      return;
    case "at least one member":
      if (count === 0) throw new Bad("no member given");
      return;
    case "holds": {
      const named = reading.host.named(type, value);
      // What names a row that is not there fails for that alone.
      if (named === undefined) return;
      const names = new Map([...reading.names, ["value", named] as const]);
      if (evaluate(rule.condition.code, names, reading.host) === true) return;
      throw new Bad("refused", rule.otherwise);
    }
    case "gap": {
      const gap = reading.plan.gaps.find((one) => one.id === rule.gap);
      if (gap?.blocking === true && !answersQuestion(gap.id)) {
        throw new Bad("refused", { is: "gap", gap: rule.gap });
      }
      return;
    }
    default:
  }
}

/** A gap beside rules that answers another question of the field than what a client may give. */
function answersQuestion(id: string): boolean {
  return /gap (order of items|starts|how it is kept|when it is deleted)$/.test(id);
}

function inside(
  count: number,
  { min = 0, max = Number.POSITIVE_INFINITY }: { readonly min?: number; readonly max?: number },
  [below, above]: readonly [string, string],
): void {
  if (count < min) throw new Bad(below);
  if (count > max) throw new Bad(above);
}

type Range = Extract<Rule, { kind: "range" }>;

function range(reading: Reading, rule: Range, value: Value, type: ValueType): void {
  const bound = (code: Range["min"]): Value => {
    if (code === undefined) return undefined;
    const found = evaluate(code, reading.names, reading.host);
    if (type.type.kind !== "decimal") return type.type.kind === "number" ? Number(found) : found;
    const places = code.type.kind === "decimal" ? code.type.places : 0;
    return (found as bigint) * 10n ** BigInt(type.type.places - places);
  };
  const [min, max] = [bound(rule.min), bound(rule.max)];
  if (min !== undefined && compare(value, min) < 0) throw new Bad("too small");
  if (max !== undefined && compare(value, max) > 0) throw new Bad("too large");
}

const wrong = (): never => {
  throw new Bad("wrong type");
};

function oneOf(sent: Json, values: readonly string[]): Value {
  if (typeof sent !== "string") return wrong();
  if (!values.includes(sent)) throw new Bad("not one of");
  return sent;
}

/** A value of the type, of what is there and not null. */
function readType(reading: Reading, { type }: ValueType, sent: Json, place: Place): Value {
  meet(
    reading.form === "json" ? "read" : "read as text",
    "wire" in type ? `${type.kind} as ${type.wire}` : type.kind,
  );
  switch (type.kind) {
    case "list": {
      const given = reading.form === "text" ? listed(sent) : sent;
      const items = reading.form === "text" && typeof given === "string" ? [given] : given;
      if (!isList(items)) return wrong();
      return readEach(
        reading,
        items.map((item, i) => [String(i), item]),
        type.of,
        { ...place, merged: false },
      ).map(([, value]) => value);
    }
    case "map":
      if (!isMap(sent)) return wrong();
      return new Map(readEach(reading, [...sent], type.of, place));
    case "structure":
      return readPart(reading, type.name, sent, place);
    case "one of":
      return oneOf(sent, type.values);
    case "event name":
      return oneOf(
        sent,
        reading.plan.events.map((one) => one.name),
      );
    case "error name":
      return oneOf(
        sent,
        reading.plan.errors.map((one) => one.name),
      );
    case "state": {
      const own = reading.plan.machines.filter(
        (one) => `${one.resource}.${one.field}` === place.holder,
      );
      const from = own.length > 0 ? own : reading.plan.machines;
      return oneOf(
        sent,
        from.flatMap((one) => one.states.map((state) => state.name)),
      );
    }
    case "reference": {
      const resource = reading.plan.resources.find((one) => one.name === type.resource);
      const key = resource?.fields.find((one) => one.name === resource.key);
      const gap = resource && key === undefined ? namelessGap(resource) : undefined;
      if (gap !== undefined) throw new Bad("refused", { is: "gap", gap });
      if (key === undefined) return wrong();
      return readType(reading, key.type, sent, place);
    }
    default:
      return readScalar(reading, type, sent);
  }
}

function readEach(
  reading: Reading,
  items: readonly (readonly [string, Json])[],
  type: ValueType,
  place: Place,
): [string, Value][] {
  const values: [string, Value][] = [];
  // A member that is not known makes no item wrong: the list's own rules are still judged.
  let told = false;
  for (const [key, sent] of items) {
    const inner = {
      name: place.name === "" ? key : `${place.name}.${key}`,
      ...(place.merged === undefined ? {} : { merged: place.merged }),
      ...(place.said === undefined ? {} : { said: place.said }),
    };
    if (place.merged === true && sent === null) {
      values.push([key, null]);
      continue;
    }
    try {
      values.push([key, readValue(reading, { type, rules: [], sent }, inner)]);
    } catch (thrown) {
      tell(reading, thrown, inner.name);
      told ||= !(thrown instanceof Bad) || reading.ignored?.has(thrown.condition) !== true;
    }
  }
  if (told) throw new Told();
  return values;
}

/** What was wrong inside has been told already. */
export class Told extends Error {}

/** Notes a failure under a name; anything else goes on. */
export function tell(reading: Reading, thrown: unknown, field: string | null): void {
  if (thrown instanceof Told) return;
  if (!(thrown instanceof Bad)) throw thrown;
  const { condition, refusal } = thrown;
  reading.failures.push({ condition, field, ...(refusal === undefined ? {} : { refusal }) });
}

type Members = (
  reading: Reading,
  sent: Json,
  place: Place & { readonly name: string },
  part: Plan["partTypes"][number],
  mode: "new" | "changed" | "said",
) => Value;

let membersReader: Members | undefined;

/** Gives the reader of objects, which itself reads values. */
export function readPartsWith(reader: Members): void {
  membersReader = reader;
}

function readPart(reading: Reading, name: string, sent: Json, place: Place): Value {
  const part = reading.plan.partTypes.find((one) => one.name === name);
  if (part === undefined || membersReader === undefined) return wrong();
  return membersReader(
    reading,
    sent,
    place,
    part,
    place.merged ? "changed" : place.said ? "said" : "new",
  );
}

type Base = ValueType["type"];

function readScalar(reading: Reading, type: Base, sent: Json): Value {
  if (type.kind === "json") {
    if (reading.form === "json") return sent;
    const parsed = typeof sent === "string" ? parse(sent) : undefined;
    return parsed === undefined || parsed.repeated.length > 0 ? wrong() : parsed.tree;
  }
  if (type.kind === "schema") {
    const form = isTextSchema(reading.plan, type.name) ? "json" : reading.form;
    const value = readScalar({ ...reading, form }, { kind: "json" }, sent) as Json;
    return fitsSchema(reading.plan, type.name, value) ? value : wrong();
  }
  if (type.kind === "boolean") {
    if (typeof sent === "boolean") return sent;
    const known = reading.form === "text" && (sent === "true" || sent === "false");
    return known ? sent === "true" : wrong();
  }
  if (isNumeric(type)) {
    if (reading.form === "json") return isNumber(sent) ? numeric(type, sent.digits) : wrong();
    return typeof sent === "string" ? numeric(type, sent) : wrong();
  }
  return typeof sent === "string" ? readText(type, sent) : wrong();
}

function isNumeric(type: Base): boolean {
  if (type.kind === "number") return true;
  if (type.kind === "integer" || type.kind === "decimal") return type.wire === "number";
  return type.kind === "timestamp" && type.wire !== "rfc3339";
}

function tooMany(digits: number): void {
  if (digits > DIGITS_MAX) throw new Bad("wrong type");
}

function integerOf(text: string): bigint {
  if (!/^-?(0|[1-9]\d*)$/.test(text)) return wrong();
  tooMany(text.replace("-", "").length);
  return BigInt(text);
}

function decimalOf(text: string, places: number): bigint {
  const found = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/.exec(text);
  const [, sign = "", whole = "", fraction = ""] = found ?? wrong();
  if (fraction.length > places) return wrong();
  tooMany((whole === "0" ? 0 : whole.length) + places);
  const size = BigInt(whole + fraction.padEnd(places, "0"));
  return sign === "-" ? -size : size;
}

function numeric(type: Base, text: string): Value {
  switch (type.kind) {
    case "integer":
      return integerOf(text);
    case "decimal":
      return decimalOf(text, type.places);
    case "timestamp": {
      const micros = integerOf(text) * (type.wire === "unix seconds" ? 1_000_000n : 1000n);
      if (micros > LAST) throw new Bad("wrong type");
      if (micros < FIRST) throw new Bad("wrong type");
      return micros;
    }
    default: {
      if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return wrong();
      const value = Number(text);
      if (!Number.isFinite(value)) throw new Bad("wrong type");
      return value === 0 ? 0 : value;
    }
  }
}

const DIGITS = { seconds: 0, milliseconds: 3, microseconds: 6 };

function readText(type: Base, sent: string): Value {
  switch (type.kind) {
    case "integer":
      return sent === "-0" ? wrong() : integerOf(sent);
    case "decimal": {
      const exact = type.places === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${type.places}}$`);
      if (!exact.test(sent) || /^-[0.]+$/.test(sent)) return wrong();
      return decimalOf(sent, type.places);
    }
    case "timestamp": {
      if (type.precision.is === "gap") throw new Bad("refused", type.precision);
      return (
        instantOf(sent, type.precision.is === "stated" ? DIGITS[type.precision.value] : 6) ??
        wrong()
      );
    }
    case "date":
      return dayNumber(sent) === undefined ? wrong() : sent;
    case "duration": {
      const found = durationOf(sent) ?? wrong();
      if (found > LONGEST) throw new Bad("wrong type");
      if (found < -LONGEST) throw new Bad("wrong type");
      return found;
    }
    case "time zone":
      return isZoneName(sent) ? sent : wrong();
    case "email":
      return isEmail(sent) ? sent : wrong();
    case "uri":
      return isUri(sent) ? sent : wrong();
    case "uuid":
      return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(sent)
        ? sent.toLowerCase()
        : wrong();
    case "file":
      return readFile(sent) ?? wrong();
    case "id": {
      const prefix = type.prefix ?? "";
      return sent.startsWith(prefix) && sent.length > prefix.length ? sent : wrong();
    }
    default:
      return sent;
  }
}
