/** Numbers of JSON as exact decimals, against arithmetic of whole numbers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { compare, decimalOf, isMultiple, isWhole, normal } from "../../src/schema/decimal.ts";
import { identity } from "../../src/schema/equal.ts";
import { randomFrom, testSeed } from "../random.ts";

/** Decimals are compared as whole numbers of this many places. */
const PLACES = 30;

const random = randomFrom(testSeed);
const upTo = (count: number): number => Math.floor(random() * count);
const digits = (count: number): string =>
  Array.from({ length: count }, () => "0123456789"[upTo(10)]).join("");

function someNumber(): { readonly text: string; readonly scaled: bigint } {
  const whole = digits(1 + upTo(20)).replace(/^0+(?=.)/, "");
  const fraction = digits(upTo(10));
  const exponent = upTo(20) - 10;
  const sign = random() < 0.4 ? "-" : "";
  const power = random() < 0.5 ? "" : `e${exponent < 0 || random() < 0.5 ? "" : "+"}${exponent}`;
  const text = `${sign}${whole}${fraction === "" ? "" : `.${fraction}`}${power}`;
  const by = PLACES - fraction.length + (power === "" ? 0 : exponent);
  return { text, scaled: BigInt(`${sign}${whole}${fraction}`) * 10n ** BigInt(by) };
}

const signOf = (value: bigint | number): number => (value < 0 ? -1 : value > 0 ? 1 : 0);

test(`order, equality, fractions and multiples of random numbers (SEED=${testSeed})`, () => {
  for (let i = 0; i < 4_000; i++) {
    const [a, b] = [someNumber(), someNumber()];
    const [x, y] = [decimalOf(a.text), decimalOf(b.text)];
    const told = `${a.text} ${b.text}`;
    assert.equal(signOf(compare(x, y)), signOf(a.scaled - b.scaled), told);
    assert.equal(normal(x) === normal(y), a.scaled === b.scaled, told);
    assert.equal(isWhole(x), a.scaled % 10n ** BigInt(PLACES) === 0n, told);
    if (b.scaled > 0n) assert.equal(isMultiple(x, y), a.scaled % b.scaled === 0n, told);
    const small = decimalOf(String(1 + upTo(9)));
    const by = BigInt(small.digits) * 10n ** BigInt(PLACES);
    assert.equal(isMultiple(x, small), a.scaled % by === 0n, `${a.text} ${small.digits}`);
  }
});

test("numbers that are equal have one identity, however they are written", () => {
  const all = ["10", "1e1", "10.0", "100e-1", "1.0E+01", "0.1e2"];
  assert.equal(new Set(all.map((numberText) => identity({ numberText }))).size, 1);
  const zeros = ["0", "-0", "0.0", "0e9", "-0.00E-3"];
  assert.equal(new Set(zeros.map((numberText) => identity({ numberText }))).size, 1);
  const others = ["9007199254740992", "9007199254740993", "1e400", "1e401", "1e-400", "-1e400"];
  assert.equal(new Set(others.map((numberText) => identity({ numberText }))).size, others.length);
});

test("a number of any length and exponent takes time linear in its text", () => {
  const started = performance.now();
  const long = decimalOf("9".repeat(1_000_000));
  const small = decimalOf("0.0003");
  assert.ok(isMultiple(long, decimalOf("3")));
  assert.ok(!isMultiple(long, decimalOf("7e5")));
  assert.ok(isMultiple(decimalOf(`3e${"9".repeat(100_000)}`), small));
  assert.ok(compare(decimalOf(`1e${"9".repeat(100_000)}`), long) > 0);
  assert.ok(compare(decimalOf(`-1e${"9".repeat(100_000)}`), long) < 0);
  assert.ok(performance.now() - started < 5_000);
});
