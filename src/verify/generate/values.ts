/** JSON texts of values for stated types: right ones, ones at a bound, and wrong ones. */
import type { Code } from "../../expr/index.ts";
import { type Rule, sentName, type TimestampWire, type ValueType } from "../../plan/index.ts";
import { constant } from "../../run/index.ts";
import { fileOf } from "./encoding.ts";
import { decimalText, focusText, heldText, insideText, linkedText } from "./held.ts";
import { keyText } from "./keys.ts";
import { comparedList, comparedText } from "./linked.ts";
import { chanceOf, type Making } from "./making.ts";
import type { Random } from "./random.ts";
import { address, isMatching, length, newText, type Of, ruleOf, text } from "./texts.ts";
import { wrongFor } from "./wrong.ts";

interface Bounds {
  readonly min: bigint | undefined;
  readonly max: bigint | undefined;
  readonly places: number;
}

function boundsOf(rules: readonly Rule[]): Bounds {
  const range = ruleOf(rules, "range");
  const value = (code: Code | undefined): bigint | undefined => {
    const found = code === undefined ? undefined : constant(code);
    return typeof found === "bigint" ? found : undefined;
  };
  const code = range?.min ?? range?.max;
  const places = code?.type.kind === "decimal" ? code.type.places : 0;
  return { min: value(range?.min), max: value(range?.max), places };
}

/** A number about the bounds, in units of the last place. */
function whole(making: Making, rules: readonly Rule[], places = 0): bigint {
  const { random } = making;
  const { min: low, max: high, places: own } = boundsOf(rules);
  const lift = 10n ** BigInt(Math.max(0, places - own));
  const [min, max] = [low && low * lift, high && high * lift];
  const base = min ?? (max === undefined ? 0n : max - 9n * lift);
  const top = max ?? base + 5n * lift;
  if (random.chance(making.wrong)) {
    const outside = [
      ...(min === undefined ? [] : [min - 1n]),
      ...(max === undefined ? [] : [max + 1n]),
    ];
    return random.pick(outside.length > 0 ? outside : [-1n, 2n ** 63n]);
  }
  const unit = 10n ** BigInt(places);
  const picks = [base, base + 1n, base + unit, base + BigInt(random.below(60)) * unit, top];
  return random.pick(picks.filter((one) => one <= top));
}

const MINUTE = 60_000_000n;
const DAY = 24n * 60n * MINUTE;

function instantText(micros: bigint): string {
  return `${new Date(Number(micros / 1000n)).toISOString().slice(0, 19)}Z`;
}

/** JSON text of a value. `name`: of the input or member that it is for. */
export function jsonText(
  making: Making,
  type: ValueType,
  rules: readonly Rule[],
  name?: string,
): string {
  const { random } = making;
  const odd = oddText(making, type, name);
  if (odd !== undefined) return odd;
  const size = sizeFor(making, name);
  if (size !== undefined) return ofType({ ...making, size }, type, rules, 0);
  const shown = name === undefined ? undefined : making.example?.get(name);
  if (shown !== undefined && SHOWN.has(type.type.kind) && random.chance(0.9)) {
    return random.chance(TWICE) ? withOneTwice(random, shown) : shown;
  }
  const linked =
    name === undefined ? undefined : (linkedText(making, name) ?? focusText(making, name));
  if (linked !== undefined && random.chance(0.9)) return linked;
  if (type.orNull && random.chance(0.2)) return "null";
  const address = name === undefined ? undefined : addressText(making, type, rules, name);
  if (address !== undefined && !random.chance(Math.max(0.1, wrongOf(making, name)))) return address;
  const events = name === undefined ? undefined : eventsText(making, type, rules, name);
  if (events !== undefined && random.chance(0.7)) return events;
  const isInside = type.type.kind === "string" && random.chance(0.15);
  const inside = isInside ? insideText(making) : undefined;
  const held = inside ?? (random.chance(0.25) ? heldText(making, type) : undefined);
  const own = { ...making, wrong: wrongOf(making, name), member: name };
  return held ?? ofType(own, type, rules, 0);
}

/** The JSON text of a list with one item once more; of anything else as it is. */
function withOneTwice(random: Random, json: string): string {
  const value: unknown = JSON.parse(json);
  if (!Array.isArray(value) || value.length === 0) return json;
  return JSON.stringify([...value, random.pick(value)]);
}

/** Kinds of values that may be as an example has them: others name rows, or stand there once. */
const SHOWN = new Set<string>([
  ...["boolean", "integer", "decimal", "number", "duration", "one of"],
  ...["list", "map", "structure", "json"],
]);

/** The chance that the value of that name is wrong. */
function wrongOf({ hints, wrong }: Making, name: string | undefined): number {
  const isOdd = name !== undefined && hints?.names.has(name) === true && hints.isTame !== true;
  return isOdd ? Math.max(wrong, hints.odd ?? HINTED_WRONG) : wrong;
}

const HINTED_WRONG = 0.3;
/** The chance that a value is one that the clause speaks of. */
const HINTED = 0.4;

const NUMBERS = new Set(["integer", "decimal", "number"]);
const NO_TEXTS = new Set([...NUMBERS, "boolean", "reference", "list", "map", "structure"]);

/** Whether a JSON text of a number or a text may be of the type. */
function fits({ type: { kind } }: ValueType, json: string): boolean {
  if (json === "null") return true;
  return json.startsWith('"') ? !NO_TEXTS.has(kind) : NUMBERS.has(kind);
}

/** A length that the clause speaks of which requests are about. */
function sizeFor({ random, hints }: Making, name: string | undefined): number | undefined {
  if (name === undefined || hints?.names.has(name) !== true || !random.chance(0.4))
    return undefined;
  const sizes = hints.values.map(Number).filter((one) => Number.isInteger(one) && one >= 0);
  const fit = sizes.filter((one) => one <= ITEMS_MOST);
  return fit.length === 0 ? undefined : random.pick(fit);
}

/** JSON text of a value that is wrong on purpose, or near the clause that requests are about. */
function oddText(making: Making, type: ValueType, name: string | undefined): string | undefined {
  const { random, hints, wrong } = making;
  const isHinted = name !== undefined && hints?.names.has(name) === true;
  const own = isHinted ? hints.values.filter((one) => fits(type, one)) : [];
  const fit = hints?.isTame === true && !type.orNull ? own.filter((one) => one !== "null") : own;
  if (isHinted && fit.length > 0 && random.chance(hints.often ?? HINTED)) return random.pick(fit);
  const isOdd = isHinted && hints.isTame !== true;
  const chance = isOdd ? Math.max(wrong, (hints.odd ?? 0) / 3, 0.1) : wrong;
  return random.chance(chance) ? wrongFor(random, type) : undefined;
}

/** JSON text of a list of all events, where a list of them chooses receivers. */
function eventsText(
  { addresses, plan, random }: Making,
  { type }: ValueType,
  rules: readonly Rule[],
  name: string,
): string | undefined {
  if (type.kind !== "list" || addresses?.chosenBy.has(name) !== true) return undefined;
  const isOfEvents = ["event name", "string"].includes(type.of.type.kind);
  const names = plan.events.map((one) => one.name);
  const first = random.below(names.length);
  const all = [...names.slice(first), ...names.slice(0, first)];
  const most = ruleOf(rules, "items")?.max ?? all.length;
  return isOfEvents ? JSON.stringify(all.slice(0, most)) : undefined;
}

/** JSON text of an address of the receiver here, where the rules let one in. */
function addressText(
  { addresses }: Making,
  { type }: ValueType,
  rules: readonly Rule[],
  name: string,
): string | undefined {
  if (addresses?.fields.has(name) !== true) return undefined;
  if (type.kind !== "uri" && type.kind !== "string") return undefined;
  const address = addresses.next();
  const schemes = ruleOf(rules, "scheme")?.schemes;
  const isIn = schemes?.some((one) => address.startsWith(`${one}:`)) ?? true;
  const most = ruleOf(rules, "characters")?.max;
  const fits = most === undefined || address.length <= most;
  return isIn && fits && isMatching(rules, address) ? JSON.stringify(address) : undefined;
}

const DEPTH_MAX = 3;

function ofType(making: Making, value: ValueType, rules: readonly Rule[], depth: number): string {
  const { plan, random, now } = making;
  const { type } = value;
  switch (type.kind) {
    case "boolean":
      return random.pick(["true", "false"]);
    case "integer": {
      const number = whole(making, rules);
      return type.wire === "string" ? `"${number}"` : String(number);
    }
    case "decimal": {
      const number = decimalText(whole(making, rules, type.places), type.places);
      return type.wire === "string" ? `"${number}"` : number;
    }
    case "number":
      return random.pick(["0", "1.5", "10.5", "3", "1e2", String(whole(making, rules))]);
    case "timestamp":
      return timeText(making, type.wire);
    case "date":
      return JSON.stringify(
        random.pick([
          ...[-DAY, 0n, DAY].map((by) => instantText(now + by).slice(0, 10)),
          ...["2024-02-29", "1900-01-01", "9999-12-31"],
        ]),
      );
    case "duration":
      return JSON.stringify(random.pick(["PT1H", "P1DT2H", "PT0.5S", "PT3H"]));
    case "time zone":
      return JSON.stringify(random.pick(["UTC", "Europe/Berlin", "Asia/Kathmandu"]));
    case "email":
      return JSON.stringify(`${newText(making)}@mail.example`);
    case "uri":
      return JSON.stringify(random.chance(0.9) ? address(making, rules) : "a b");
    case "uuid":
      return JSON.stringify("0e37df36-f698-41e6-8dd4-cb9ced3df976");
    case "one of":
      return nameText(random, type.values);
    case "state":
      return nameText(random, namesOf(plan.machines.flatMap((one) => one.states)));
    case "event name":
      return nameText(random, namesOf(plan.events));
    case "error name":
      return nameText(random, namesOf(plan.errors));
    case "id":
      return JSON.stringify(`${type.prefix ?? ""}${newText(making)}`);
    case "reference":
      return keyText(making, type.resource);
    case "list":
      return listText(making, type.of, ruleOf(rules, "items"), depth);
    case "map":
      return mapText(making, type.of, depth);
    case "structure":
      return partText(making, type.name, depth);
    case "json":
      return random.pick(['{"a":1.50,"b":null}', "[]", '"x"', "12345678901234567890.10"]);
    case "file":
      return JSON.stringify(random.chance(making.wrong) ? "no file" : fileOf(newText(making)));
    case "schema":
    case "string":
    case "secret":
      return comparedText(making) ?? JSON.stringify(text(making, rules));
  }
}

/** An entry or two; mostly of texts that stand inside of rows. */
function mapText(making: Making, of: ValueType, depth: number): string {
  const { random } = making;
  const inside = (): string | undefined => (random.chance(0.5) ? insideText(making) : undefined);
  const entries = Array.from({ length: 1 + random.below(2) }, (_, i): Member => {
    const name = inside() ?? JSON.stringify("ab"[i]);
    const own = of.type.kind === "string" ? inside() : undefined;
    return [JSON.parse(name), 1, () => own ?? ofType(making, of, [], depth + 1)];
  });
  return objectText(random, [...new Map(entries.map((one) => [one[0], one])).values()]);
}

const namesOf = (all: readonly { readonly name: string }[]): readonly string[] =>
  all.map(({ name }) => name);

/** One of some names as JSON; where a document shows none, a text that is none of them. */
function nameText(random: Random, names: readonly string[]): string {
  return names.length === 0 ? '"x"' : JSON.stringify(random.pick(names));
}

function timeText({ random, now, soon }: Making, wire: TimestampWire): string {
  const isSoon = soon !== undefined && random.chance(0.7);
  const at = isSoon
    ? soon
    : now + BigInt(random.pick([-90, 1, 5, 60, 60 * 24, 60 * 24 * 40])) * MINUTE;
  if (wire === "unix seconds") return String(at / 1_000_000n);
  if (wire === "unix milliseconds") return String(at / 1000n);
  return JSON.stringify(instantText(at));
}

/** The chance that a part of a list stands there twice: parts may have to differ. */
const TWICE = 0.06;

/** Items of a list that is sent: more only about the bound that is stated. */
const ITEMS_MAX = 12;
const ITEMS_MOST = 1_000;
/** The chance that a list is as long as that. */
const LONG = 0.3;

function listText(
  making: Making,
  of: ValueType,
  size: Of<"items"> | undefined,
  depth: number,
): string {
  const most = depth > DEPTH_MAX ? (size?.min ?? 0) : (size?.max ?? 3);
  const least = size?.min ?? 0;
  const isOfKeys = of.type.kind === "string" && most >= 2 && making.size === undefined;
  const isCompared = isOfKeys && making.random.chance(KEYS - making.wrong);
  const compared = isCompared ? comparedList(making, most) : undefined;
  if (compared !== undefined) return compared;
  const isShort = of.type.kind === "structure" && making.random.chance(SHORT - making.wrong);
  const wanted = length(making, least, isShort ? Math.min(Math.max(least, 1), most) : most);
  // One thing that is wrong tells more than many together.
  const isOdd = making.hints?.odd !== undefined || wanted > most;
  const wrong = isOdd && depth === 0 ? 0 : making.wrong;
  // One item too many is no less than that.
  const isAsked = making.size !== undefined || wanted > most || making.random.chance(LONG);
  const isLong = depth === 0 && wanted <= ITEMS_MOST && isAsked;
  const count = isLong ? wanted : Math.min(wanted, ITEMS_MAX);
  const within = { wrong, size: undefined, only: onlyOf(making, of), parts: count };
  const inner = { ...making, ...within };
  const items: string[] = [];
  for (let i = 0; i < count; i++) {
    const chance = of.type.kind === "structure" ? Math.max(making.wrong, TWICE) : making.wrong;
    const isTwice = i > 0 && making.random.chance(chance);
    items.push(isTwice ? making.random.pick(items) : ofType(inner, of, [], depth + 1));
  }
  return `[${items.join(",")}]`;
}

/** The chance that a list of parts has one at most, unless more are wanted: all must be right. */
const SHORT = 0.5;

/** The chance that a list of texts is one of what its items are compared with. */
const KEYS = 0.6;

/** The chance that parts of a list have one member alone of those that may be left out. */
const ONE_OF_ALL = 0.5;

/** The chance that a part, or one of a list, lacks a member that it must have. */
const LACKING = 0.02;

/** A member that all parts of a list have alone, of those that may be left out. */
function onlyOf({ plan, random }: Making, { type }: ValueType): string | undefined {
  if (type.kind !== "structure" || !random.chance(ONE_OF_ALL)) return undefined;
  const part = plan.partTypes.find((one) => one.name === type.name);
  const free = (part?.fields ?? []).filter(({ create }) => create.is === "optional");
  return free.length < 2 ? undefined : random.pick(free).name;
}

function partText(making: Making, name: string, depth: number): string {
  const { only } = making;
  const part = making.plan.partTypes.find((one) => one.name === name);
  const members = (part?.fields ?? []).map((field): Member => {
    const chosen = only === undefined ? 0.5 : Number(only === field.name);
    const needed = 1 - LACKING / (making.parts ?? 1);
    const usual = field.create.is === "no" ? 0 : field.create.is === "required" ? needed : chosen;
    const chance = chanceOf(making, field.name, usual);
    const give = (): string => {
      const odd = oddText(making, field.type, field.name);
      if (odd !== undefined) return odd;
      if (field.type.orNull && making.random.chance(0.2)) return "null";
      const isText = field.type.type.kind === "string" && making.random.chance(0.3);
      const inside = isText ? insideText(making) : undefined;
      const own = {
        wrong: wrongOf(making, field.name),
        only: undefined,
        parts: undefined,
        member: field.name,
      };
      const within = { ...making, ...own };
      return inside ?? ofType(within, field.type, field.rules, depth + 1);
    };
    return [sentName(field), depth > DEPTH_MAX && chance < 0.9 ? 0 : chance, give];
  });
  return objectText(making.random, members);
}

/** A member of an object: its name, the chance that it is there, its value. */
export type Member = readonly [name: string, chance: number, value: () => string];

/** An object of members, each with its chance of being there. */
export function objectText(random: Random, members: readonly Member[]): string {
  const parts = members.flatMap(([name, chance, value]) =>
    random.chance(chance) ? [`${JSON.stringify(name)}:${value()}`] : [],
  );
  return `{${parts.join(",")}}`;
}
