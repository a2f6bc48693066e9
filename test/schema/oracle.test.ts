/**
 * Random schemas and values: verdicts are those of `ajv`, where both can judge. It has faults of
 * its own in `unevaluated...` and `maxContains`: the suite of the standard holds those.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { judgeSchemas, readJson, Schemas } from "../../src/schema/index.ts";
import { randomFrom, testSeed } from "../random.ts";

const random = randomFrom(testSeed);
const upTo = (count: number): number => Math.floor(random() * count);
const one = <T>(all: readonly T[]): T => all[upTo(all.length)] as T;
const some = <T>(make: () => T): T[] => Array.from({ length: 1 + upTo(3) }, make);

const NAMES = ["a", "b", "ab", "é", "c d"];
const TYPES = ["null", "boolean", "object", "array", "number", "string", "integer"];
const PATTERNS = ["^a", "b$", "^[a-c]+$", "\\d", "^\\S*$", "^.{1,2}$", "é|\\u0061b"];

function value(depth: number): unknown {
  const kind = upTo(depth > 0 ? 8 : 6);
  if (kind === 0) return null;
  if (kind === 1) return random() < 0.5;
  if (kind === 2) return upTo(7) - 3;
  if (kind === 3) return (upTo(40) - 20) / 4;
  if (kind < 6) return one(["", "a", "ab", "abc", "b1", "é", "𝄞", "a b"]);
  if (kind === 6) return Array.from({ length: upTo(4) }, () => value(depth - 1));
  return Object.fromEntries(some(() => [one(NAMES), value(depth - 1)]));
}

type Make = (depth: number) => Record<string, unknown>;

const named = (depth: number, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(some(() => [one(names), schema(depth)]));

const makes: readonly Make[] = [
  () => ({ type: random() < 0.6 ? one(TYPES) : [...new Set(some(() => one(TYPES)))] }),
  () => ({ enum: some(() => value(1)) }),
  () => ({ const: value(1) }),
  () => ({ maximum: upTo(5) - 2, [one(["minimum", "exclusiveMinimum"])]: upTo(5) - 4 }),
  () => ({ multipleOf: one([1, 2, 0.5, 0.25]) }),
  () => ({ minLength: upTo(3), maxLength: upTo(4) }),
  () => ({ pattern: one(PATTERNS) }),
  () => ({ minItems: upTo(3), uniqueItems: random() < 0.5 }),
  () => ({ maxProperties: upTo(3), required: [...new Set(some(() => one(NAMES)))] }),
  () => ({ dependentRequired: { [one(NAMES)]: [one(NAMES)] } }),
  (depth) => ({ properties: named(depth, NAMES) }),
  (depth) => ({ patternProperties: named(depth, PATTERNS) }),
  (depth) => ({ additionalProperties: schema(depth) }),
  (depth) => ({ propertyNames: schema(depth) }),
  (depth) => ({ prefixItems: some(() => schema(depth)), items: schema(depth) }),
  (depth) => ({ items: schema(depth) }),
  () => ({ contains: { type: one(TYPES) }, minContains: 1 + upTo(2) }),
  (depth) => ({ allOf: some(() => schema(depth)) }),
  (depth) => ({ anyOf: some(() => schema(depth)) }),
  (depth) => ({ oneOf: some(() => schema(depth)) }),
  (depth) => ({ not: schema(depth) }),
  (depth) => ({ if: schema(depth), then: schema(depth), else: schema(depth) }),
  (depth) => ({ dependentSchemas: named(depth, NAMES) }),
  () => ({ properties: { [one(NAMES)]: { $ref: `#/$defs/${one(["A", "B"])}` } } }),
];
/** Keywords that hold no other schema. */
const LEAVES = 10;

function schema(depth: number): unknown {
  if (random() < 0.08) return random() < 0.7;
  const kinds = depth > 0 ? makes : makes.slice(0, LEAVES);
  return Object.assign({}, ...some(() => one(kinds)(depth - 1)));
}

test(`verdicts are those of ajv (SEED=${testSeed})`, () => {
  const judged = { valid: 0, invalid: 0 };
  for (let i = 0; i < 150; i++) {
    const all = { A: schema(3), B: schema(2) };
    const texts = Object.entries(all).map(([name, one]) => ({ name, text: JSON.stringify(one) }));
    const problems = judgeSchemas(texts.map(({ name, text }) => ({ name, read: readJson(text) })));
    assert.deepEqual(problems, []);
    const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });
    const oracle = ajv.compile({ $ref: "#/$defs/A", $defs: all });
    const schemas = new Schemas(texts);
    for (let j = 0; j < 12; j++) {
      const text = JSON.stringify(value(3));
      const read = readJson(text);
      assert.ok(read.ok);
      const verdict = schemas.judge("A", read.value);
      const wanted = oracle(JSON.parse(text)) ? "valid" : "invalid";
      assert.equal(verdict, wanted, `${text} by ${JSON.stringify(all)}`);
      judged[wanted]++;
    }
  }
  assert.ok(judged.valid > 200 && judged.invalid > 200, JSON.stringify(judged));
});
