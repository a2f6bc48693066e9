/** Makes JSON texts of values for stated types: right ones, ones at a bound, and wrong ones. */
import type { Code } from "../../src/expr/index.ts";
import { type Plan, type Rule, sentName, type ValueType } from "../../src/plan/index.ts";
import { literal } from "../reference/evaluate.ts";
import { instantText, isoDuration } from "../reference/times.ts";
import { decimalText } from "../reference/values.ts";
import type { World } from "../reference/world.ts";
import type { Random } from "./random.ts";

export interface Making {
  readonly plan: Plan;
  readonly random: Random;
  readonly world: World;
  readonly now: bigint;
  /** Whether rare answers are looked for: texts that the document names, far times. */
  readonly seeks?: boolean;
}

const WORDS = [
  "a",
  "tea",
  "Rent",
  "Zoë",
  "𝔘𝔫𝔦",
  "x%_y",
  "O'Hara",
  "",
  " ",
  "  pad ",
  "née-9",
  "Ǆ",
  "long word with spaces",
  "it",
  "null",
  "0",
  "A-1",
  "AAA",
  "TEA-100",
  "%25",
  "\\",
  '"q"',
  "é",
];
const WRONG = [
  "null",
  "true",
  "-1",
  "1.5",
  '"x"',
  '""',
  "[]",
  "{}",
  "[null]",
  "1e3",
  "0.001",
  "99999999999999999999999999999999999999",
  "100000000000000000000000000000000000000",
  '"2026-02-30"',
  '"2026-13-01T00:00:00Z"',
  "9007199254740993",
  "-0",
];

type Of<K extends Rule["kind"]> = Extract<Rule, { kind: K }>;

function rule<K extends Rule["kind"]>(rules: readonly Rule[], kind: K): Of<K> | undefined {
  return rules.find((one): one is Of<K> => one.kind === kind);
}

/** A length inside bounds, at one, or just outside. */
function length(random: Random, min: number, max: number | undefined): number {
  const most = Math.min(max ?? min + 6, 400);
  const choices = [min, min + 1, Math.min(min + 3, most), most];
  if (random.chance(0.06)) choices.push(most + 1);
  if (random.chance(0.06) && min > 0) choices.push(min - 1);
  return random.pick(choices);
}

function text(random: Random, rules: readonly Rule[]): string {
  const size = rule(rules, "characters");
  const pattern = rule(rules, "matches")?.pattern;
  if (pattern !== undefined && random.chance(0.85)) return matching(random, pattern);
  const word = random.pick(WORDS);
  if (size === undefined || random.chance(0.1)) return word;
  const wanted = length(random, size.min ?? 0, size.max);
  const points = [...(word === "" ? "ab" : word).repeat(wanted + 1)];
  return points.slice(0, wanted).join("");
}

/** One character or class of a pattern, and how often it stands there. */
const PIECE = /(?:\[([^\]]+)\]|\\(.)|([^\\[\](){}+*?.|^$]))(?:\{(\d+)(?:,(\d+))?\}|([+*]))?/y;

/** A text for patterns that are rows of characters and classes; other patterns get a word. */
function matching(random: Random, pattern: string): string {
  const found = /^\[([^\]]+)\](?:\{(\d+)(?:,(\d+))?\}|([+*]))?$/.exec(pattern);
  if (found === null) return piecewise(random, pattern) ?? random.pick(WORDS);
  const from = (found[1] ?? "").replace("A-Z", "ABXZ").replace("a-z", "abxz").replace("0-9", "019");
  const least = Number(found[2] ?? 1);
  const count = length(random, least, Number(found[3] ?? least));
  return Array.from({ length: count }, () => random.pick([...from])).join("");
}

function piecewise(random: Random, pattern: string): string | undefined {
  let made = "";
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < pattern.length) {
    const [piece, all, quoted, one, least, most, often] = PIECE.exec(pattern) ?? [];
    if (piece === undefined) return undefined;
    const from = all ?? quoted ?? one ?? "";
    const spread = from.replace("A-Z", "ABXZ").replace("a-z", "abxz").replace("0-9", "019");
    const min = least === undefined ? 1 : Number(least);
    const single = least === undefined && often === undefined;
    const count = single ? 1 : length(random, min, Number(most ?? (often ? min + 4 : min)));
    made += Array.from({ length: count }, () => random.pick([...spread])).join("");
  }
  return made;
}

/** Texts that stand in expressions of a plan. */
const namedTexts = new WeakMap<Plan, readonly string[]>();

function textsNamed(plan: Plan): readonly string[] {
  const known = namedTexts.get(plan);
  if (known !== undefined) return known;
  const found = new Set<string>();
  JSON.stringify(plan, (_, node: unknown) => {
    const { op, value } = (node ?? {}) as { op?: unknown; value?: unknown };
    if (op === "literal" && typeof value === "string") found.add(value);
    return node;
  });
  const all = [...found];
  namedTexts.set(plan, all);
  return all;
}

function bounds(rules: readonly Rule[]): {
  min: bigint | undefined;
  max: bigint | undefined;
  code?: Code;
} {
  const range = rule(rules, "range");
  const value = (code: Code | undefined): bigint | undefined => {
    if (code?.op !== "literal") return undefined;
    const found = literal(code.value, code.type);
    return typeof found === "bigint" ? found : undefined;
  };
  return { min: value(range?.min), max: value(range?.max), code: range?.min ?? range?.max };
}

function integer(random: Random, rules: readonly Rule[], scale = 1n): bigint {
  const { min, max } = bounds(rules);
  if (min !== undefined && max !== undefined && max - min < 64n && random.chance(0.5)) {
    return min + BigInt(random.below(Number(max - min) + 1));
  }
  const base = min ?? (max === undefined ? 0n : max - 9n * scale);
  const picks = [
    base,
    base + 1n,
    base + 2n,
    base + BigInt(random.below(60)) * scale,
    max ?? base + 5n,
  ];
  if (random.chance(0.08)) picks.push(base - 1n, (max ?? base) + 1n, 2n ** 63n, 9007199254740993n);
  return random.pick(picks);
}

function decimal(random: Random, rules: readonly Rule[], places: number): string {
  const { min, max, code } = bounds(rules);
  const own = code?.type.kind === "decimal" ? code.type.places : 0;
  const lift = 10n ** BigInt(Math.max(0, places - own));
  const base = (min ?? 0n) * lift;
  const picks = [base, base + 1n, base + BigInt(random.below(5000)), 2500n, 10n ** BigInt(places)];
  if (max !== undefined) picks.push(max * lift, max * lift - 1n);
  if (random.chance(0.06)) picks.push(base - 1n, (max ?? base) * lift + 1n, 10n ** 37n);
  return decimalText(random.pick(picks), places);
}

/** Key texts of rows of a resource that are there; now and then of one that is not. */
export function keyText({ plan, random, world }: Making, resource: string, by?: string): string {
  const name = by ?? plan.resources.find((one) => one.name === resource)?.key ?? "";
  const keys = (world.rows.get(resource) ?? []).map((row) => String(row.values.get(name)));
  const type = plan.resources
    .find((one) => one.name === resource)
    ?.fields.find((one) => one.name === name)?.type.type;
  const prefix = type?.kind === "id" ? (type.prefix ?? "") : "";
  if (keys.length === 0 || random.chance(0.06)) return `${prefix}nobody`;
  return random.chance(0.5) ? (keys.at(-1) as string) : random.pick(keys);
}

/** JSON text of a value; `wrong`: the chance of something that may not fit. */
export function jsonText(
  making: Making,
  type: ValueType,
  rules: readonly Rule[],
  wrong = 0.05,
): string {
  const { random } = making;
  if (random.chance(wrong)) return random.pick(WRONG);
  if (type.orNull && random.chance(0.25)) return "null";
  return ofType(making, type, rules);
}

/** Parts inside parts, of which a list may hold more of them. */
let nested = 0;
const NESTED_MAX = 2;

function ofType(making: Making, { type }: ValueType, rules: readonly Rule[]): string {
  const { plan, random, now } = making;
  switch (type.kind) {
    case "boolean":
      return random.pick(["true", "false"]);
    case "integer": {
      const value = integer(random, rules);
      return type.wire === "string" ? `"${value}"` : String(value);
    }
    case "decimal": {
      const value = decimal(random, rules, type.places);
      return type.wire === "string" ? `"${value}"` : value;
    }
    case "number":
      return random.pick(["0", "1.5", "10.5", "-0.0", "1e-7", "3", "1e2", "10.500000001"]);
    case "timestamp": {
      const hours = making.seeks === true ? random.pick([0, 0, random.below(48), -24, 720]) : 0;
      const at = now + BigInt(3600 * hours + random.below(7200) - 600) * 1_000_000n;
      if (type.wire === "unix seconds") return String(at / 1_000_000n);
      if (type.wire === "unix milliseconds") return String(at / 1000n);
      return JSON.stringify(
        random.pick([
          instantText(at, 0),
          instantText(at, 0),
          instantText(at, 0).replace("Z", "+02:00"),
          "2026-01-01T00:00:60Z",
          "0001-01-01T00:00:00Z",
        ]),
      );
    }
    case "date":
      return JSON.stringify(
        random.pick([
          instantText(now, 0).slice(0, 10),
          "2024-02-29",
          "2026-01-31",
          "1900-01-01",
          "9999-12-31",
        ]),
      );
    case "duration":
      return JSON.stringify(
        random.pick(["PT1H", "P1DT2H", "PT0.5S", isoDuration(0n), "PT3H", "PT3H0.000001S"]),
      );
    case "time zone":
      return JSON.stringify(random.pick(["UTC", "Europe/Berlin", "Nowhere/Else"]));
    case "email":
      return JSON.stringify(random.pick(["a@b.example", "Ann@b.example", "x@localhost", "no"]));
    case "uri":
      return JSON.stringify(
        random.pick(["https://a.example/x", "http://a.example", "HTTPS://a.example", "a b"]),
      );
    case "uuid":
      return JSON.stringify("0e37df36-f698-11e6-8dd4-cb9ced3df976");
    case "one of":
      return JSON.stringify(random.pick(type.values));
    case "state":
      return JSON.stringify(random.pick(plan.machines.flatMap((one) => one.states)).name);
    case "event name":
      return JSON.stringify(random.pick(plan.events).name);
    case "error name":
      return JSON.stringify(random.pick(plan.errors).name);
    case "id":
      return JSON.stringify(`${type.prefix ?? ""}made`);
    case "reference": {
      const key = keyText(making, type.resource);
      return /^\d+$/.test(key) ? key : JSON.stringify(key);
    }
    case "list": {
      const size = rule(rules, "items");
      const most = nested > NESTED_MAX ? (size?.min ?? 0) : (size?.max ?? 3);
      const count = Math.min(length(random, size?.min ?? 0, most), 12);
      return `[${Array.from({ length: count }, () => jsonText(making, type.of, [], 0.03)).join(",")}]`;
    }
    case "map":
      return `{"a":${jsonText(making, type.of, [])}}`;
    case "structure": {
      const part = plan.partTypes.find((one) => one.name === type.name);
      nested++;
      const made = objectText(
        random,
        (part?.fields ?? []).map((field) => [
          sentName(field),
          field.create.is === "no" ? 0.02 : field.create.is === "required" ? 0.98 : 0.5,
          () => jsonText(making, field.type, field.rules, 0.03),
        ]),
      );
      nested--;
      return made;
    }
    case "json":
      return random.pick([
        '{"a":1.50,"b":null}',
        "[]",
        '"x"',
        "12345678901234567890.10",
        '{"a":null}',
        '{"b":{"c":1}}',
      ]);
    default: {
      const known = making.seeks === true && random.chance(0.2) ? textsNamed(plan) : [];
      return JSON.stringify(known.length > 0 ? random.pick(known) : text(random, rules));
    }
  }
}

/** An object of members, each with its chance of being there. */
export function objectText(
  random: Random,
  members: readonly (readonly [name: string, chance: number, value: () => string])[],
): string {
  const parts = members.flatMap(([name, chance, value]) =>
    random.chance(chance) ? [`${JSON.stringify(name)}:${value()}`] : [],
  );
  if (random.chance(0.02)) parts.push('"unheard":1');
  if (random.chance(0.01) && parts[0] !== undefined) parts.push(parts[0]);
  return `{${parts.join(random.pick([",", ", "]))}}`;
}
