import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { BaseType } from "../../../src/plan/index.ts";
import type { Value } from "../../../src/run/ports/index.ts";
import { namesOf } from "../../../src/run/read/names.ts";
import { scalarReader } from "../../../src/run/read/scalar.ts";
import { compileWriter } from "../../../src/run/show/scalar.ts";
import { parseJson } from "../../../src/run/wire/parse.ts";
import { Wrong } from "../../../src/run/wire/wrong.ts";
import { testSeed } from "../../random.ts";
import { field, plan, resource, stated, type } from "./plans.ts";

const seed = testSeed;
console.log(`seed ${seed}`);

const names = namesOf(
  plan({
    resources: [
      resource("Order", [field("id", { type: type({ kind: "id", prefix: "ord_" }) })], {
        key: "id",
      }),
      resource("Nameless", [field("x")]),
    ],
  }),
);

const read = (base: BaseType, json: string): Value | Wrong => {
  const parsed = parseJson(json);
  assert.ok(parsed.ok, json);
  const reader = scalarReader(base, names);
  assert.ok(reader);
  return reader.json(parsed.value);
};

const condition = (value: Value | Wrong): unknown =>
  value instanceof Wrong ? value.condition : value;

const nines = "9".repeat(38);
const time = (precision: "seconds" | "milliseconds" | "microseconds", wire = "rfc3339"): BaseType =>
  ({ kind: "timestamp", precision: stated(precision), wire }) as BaseType;

const TABLE: readonly (readonly [BaseType, Readonly<Record<string, unknown>>])[] = [
  [
    type("integer").type,
    {
      "1": 1n,
      "-0": 0n,
      "1.0": "wrong type",
      "1e2": "wrong type",
      "1.5": "wrong type",
      "9007199254740993": 9007199254740993n,
      [nines]: BigInt(nines),
      [`1${nines}`]: "wrong type",
      [`-1${nines}`]: "wrong type",
      '"1"': "wrong type",
      true: "wrong type",
      "[]": "wrong type",
    },
  ],
  [
    { kind: "integer", wire: "string" },
    {
      '"12"': 12n,
      '"-3"': -3n,
      '"012"': "wrong type",
      '"+1"': "wrong type",
      '"1.0"': "wrong type",
      '"-0"': "wrong type",
      "12": "wrong type",
      '""': "wrong type",
      [`"1${"0".repeat(38)}"`]: "wrong type",
    },
  ],
  [
    type("decimal").type,
    {
      "1.10": 110n,
      "1": 100n,
      "-0.01": -1n,
      "1.001": "wrong type",
      "1.100": "wrong type",
      "11e-1": "wrong type",
      [`${"9".repeat(36)}.99`]: BigInt(nines),
      [`1${"0".repeat(36)}`]: "wrong type",
      [`-1${"0".repeat(36)}`]: "wrong type",
      "0.00": 0n,
      '"1.10"': "wrong type",
    },
  ],
  [
    { kind: "decimal", places: 3, wire: "string" },
    {
      '"0.125"': 125n,
      '"1"': "wrong type",
      '"1.000"': 1000n,
      '"-0.000"': "wrong type",
      '"1."': "wrong type",
      '".5"': "wrong type",
      '"1e1"': "wrong type",
      '"0.1250"': "wrong type",
      '"0.1251"': "wrong type",
    },
  ],
  [type("number").type, { "0.1": 0.1, "-0": 0, "1e400": "wrong type", "-1e400": "wrong type" }],
  [type("boolean").type, { true: true, false: false, '"true"': "wrong type", "1": "wrong type" }],
  [type("string").type, { '"é\\u0000"': "é\0", "1": "wrong type", "{}": "wrong type" }],
  [
    type("date").type,
    {
      '"2024-02-29"': "2024-02-29",
      '"2023-02-29"': "wrong type",
      '"2024-2-9"': "wrong type",
      '"0000-01-01"': "wrong type",
      '"2024-01-01T00:00:00Z"': "wrong type",
    },
  ],
  [
    time("milliseconds"),
    {
      '"1970-01-01T00:00:01.5Z"': 1_500_000n,
      '"1970-01-01T01:00:00+01:00"': 0n,
      '"1970-01-01t00:00:00z"': 0n,
      '"1970-01-01T00:00:00"': "wrong type",
      '"1970-01-01 00:00:00Z"': "wrong type",
      '"2016-12-31T23:59:60Z"': "wrong type",
      '"1970-01-01T00:00:00.0001Z"': "wrong type",
      '"1970-01-01T00:00:00.1000Z"': "wrong type",
      '"1970-01-01T24:00:00Z"': "wrong type",
      '"10000-01-01T00:00:00Z"': "wrong type",
    },
  ],
  [
    time("seconds", "unix seconds"),
    {
      "1": 1_000_000n,
      "1.0": "wrong type",
      '"1"': "wrong type",
      "1000000000000000": "wrong type",
      "-1000000000000000": "wrong type",
    },
  ],
  [time("milliseconds", "unix milliseconds"), { "1500": 1_500_000n, "1500.5": "wrong type" }],
  [
    type("duration").type,
    {
      '"PT1H30M"': 5_400_000_000n,
      '"P1DT0.5S"': 86_400_500_000n,
      '"P2W"': 1_209_600_000_000n,
      '"-PT1S"': -1_000_000n,
      '"PT0.0000001S"': "wrong type",
      '"P1Y"': "wrong type",
      '"P1M"': "wrong type",
      '"P"': "wrong type",
      '"PT"': "wrong type",
      '"P1DT"': "wrong type",
      '"1h"': "wrong type",
      '"P99999999999D"': "wrong type",
      '"-P99999999999D"': "wrong type",
    },
  ],
  [
    type("email").type,
    {
      '"a.b+c@example.org"': "a.b+c@example.org",
      '"a@b"': "a@b",
      '"a..b@c.d"': "wrong type",
      '".a@c.d"': "wrong type",
      '"a@-b.c"': "wrong type",
      '"a@b..c"': "wrong type",
      '"a b@c.d"': "wrong type",
      '"\\"a\\"@c.d"': "wrong type",
      '"a@[127.0.0.1]"': "wrong type",
      '"é@c.d"': "wrong type",
      '"a@b@c"': "wrong type",
      [`"${"a".repeat(65)}@b.c"`]: "wrong type",
    },
  ],
  [
    type("uri").type,
    {
      '"https://a.example/b?c=d#e"': "https://a.example/b?c=d#e",
      '"urn:x:y"': "urn:x:y",
      '"mailto:a@b.c"': "mailto:a@b.c",
      '"//a.example/b"': "wrong type",
      '"/b"': "wrong type",
      '"http://a b"': "wrong type",
      '"http://[::1]:80/"': "http://[::1]:80/",
      '"http://[::1::2]/"': "wrong type",
      '"http://[1:2:3:4:5:6:1.2.3.4]"': "http://[1:2:3:4:5:6:1.2.3.4]",
      '"http://a:x/"': "wrong type",
      '"http://a/%2"': "wrong type",
      '"http://a/é"': "wrong type",
      '"1http://a"': "wrong type",
      '"a:b#c#d"': "wrong type",
    },
  ],
  [
    type("uuid").type,
    {
      '"F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"': "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
      '"f81d4fae7dec11d0a76500a0c91e6bf6"': "wrong type",
    },
  ],
  [
    type("time zone").type,
    {
      '"Europe/Paris"': "Europe/Paris",
      '"UTC"': "UTC",
      '"+01:00"': "wrong type",
      '"Europe/Nowhere"': "wrong type",
      '""': "wrong type",
    },
  ],
  [
    { kind: "one of", values: ["EUR", "USD"] },
    { '"EUR"': "EUR", '"eur"': "not one of", "1": "wrong type" },
  ],
  [
    { kind: "id", prefix: "ord_" },
    { '"ord_1"': "ord_1", '"ord_"': "wrong type" },
  ],
  [
    { kind: "reference", resource: "Order" },
    { '"ord_7"': "ord_7", '"x"': "wrong type" },
  ],
  [
    { kind: "reference", resource: "Nameless" },
    { '"x"': "wrong type", "1": "wrong type" },
  ],
];

for (const [base, cases] of TABLE) {
  test(`reads ${base.kind}${"wire" in base ? ` as ${base.wire}` : ""}`, () => {
    for (const [json, expected] of Object.entries(cases)) {
      assert.deepEqual(condition(read(base, json)), expected, json);
    }
  });
}

test("reads the text forms of paths, queries and headers", () => {
  const text = (base: BaseType, value: string): unknown =>
    condition(scalarReader(base, names)?.text(value));
  assert.equal(text(type("integer").type, "20"), 20n);
  assert.equal(text(type("integer").type, "1e2"), "wrong type");
  assert.equal(text(type("integer").type, "020"), "wrong type");
  assert.equal(text(type("boolean").type, "TRUE"), "wrong type");
  assert.equal(text(type("number").type, "0x10"), "wrong type");
  assert.equal(text(type("number").type, ""), "wrong type");
  assert.equal(text(time("seconds", "unix seconds"), "17"), 17_000_000n);
});

test("what is written is read back as the same value", () => {
  const digits = fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n });
  const micros = fc.bigInt({ min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n });
  const exact = (base: BaseType, values: fc.Arbitrary<Value>): void => {
    const whole = type(base);
    const property = fc.property(values, (value) => {
      assert.deepEqual(condition(read(base, compileWriter(whole)(value))), value);
    });
    fc.assert(property, { seed, numRuns: 400 });
  };
  for (const wire of ["number", "string"] as const) {
    exact({ kind: "integer", wire }, digits);
    for (const places of [0, 2, 38]) exact({ kind: "decimal", places, wire }, digits);
  }
  exact(time("microseconds"), micros);
  for (const wire of ["rfc3339", "unix seconds", "unix milliseconds"]) {
    exact(
      time("seconds", wire),
      micros.map((value) => value - (value % 1_000_000n)),
    );
  }
  exact(type("duration").type, fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }));
  exact(
    type("number").type,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
  );
});

test("timestamps are written as the platform writes them, whatever was written before", () => {
  const day = 86_400_000;
  const instant = fc.oneof(
    fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }),
    fc
      .integer({ min: -3, max: 3 })
      .chain((days) => fc.integer({ min: -2, max: 2 }).map((ms) => days * day + ms)),
  );
  const base = time("milliseconds");
  fc.assert(
    fc.property(fc.array(instant, { minLength: 1, maxLength: 8 }), (instants) => {
      for (const ms of instants) {
        const text = compileWriter(type(base))(BigInt(ms) * 1000n);
        assert.equal(text, JSON.stringify(new Date(ms).toISOString()));
      }
    }),
    { seed, numRuns: 400 },
  );
});

test("writes wire forms", () => {
  const write = (base: BaseType, value: Value): string => compileWriter(type(base))(value);
  assert.equal(write(time("seconds"), 1_999_999n), '"1970-01-01T00:00:01Z"');
  assert.equal(write(time("milliseconds"), -1n), '"1969-12-31T23:59:59.999Z"');
  assert.equal(write(time("microseconds"), 1n), '"1970-01-01T00:00:00.000001Z"');
  assert.equal(write(time("seconds", "unix seconds"), -1n), "-1");
  assert.equal(write(time("milliseconds", "unix milliseconds"), 1_500_999n), "1500");
  assert.equal(write(type("decimal").type, -5n), "-0.05");
  assert.equal(write(type("duration").type, 0n), '"PT0S"');
  assert.equal(write(type("duration").type, 86_400_500_000n), '"PT86400.5S"');
  assert.equal(compileWriter(type("string", { orNull: true }))(null), "null");
  const list = type({ kind: "list", of: type("integer") });
  assert.equal(compileWriter(list)([1n, 2n]), "[1,2]");
  const map = type({ kind: "map", of: type("string") });
  assert.equal(compileWriter(map)(new Map([["__proto__", "x"]])), '{"__proto__":"x"}');
});
