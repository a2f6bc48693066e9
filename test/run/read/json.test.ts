import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Json } from "../../../src/run/wire/json.ts";
import { DEPTH_MAX, isJsonNumber, isJsonObject } from "../../../src/run/wire/json.ts";
import { parseJson } from "../../../src/run/wire/parse.ts";
import { writeJson } from "../../../src/run/wire/write.ts";
import { testSeed } from "../../random.ts";

const seed = testSeed;
console.log(`seed ${seed}`);

/** The tree as JSON.parse would give it: numbers rounded, objects without prototype. */
function plain(tree: Json): unknown {
  if (isJsonObject(tree)) {
    const entries = [...tree].map(([name, value]) => [name, plain(value)] as const);
    const object: Record<string, unknown> = Object.create(null);
    for (const [name, value] of entries) object[name] = value;
    return object;
  }
  if (Array.isArray(tree)) return tree.map(plain);
  return isJsonNumber(tree) ? Number(tree.numberText) : tree;
}

test("reads what JSON.parse reads, and writes it back byte for byte", () => {
  const property = fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
    const text = JSON.stringify(value);
    if (!text.isWellFormed() || /\\ud[89a-f]/i.test(text)) return;
    const parsed = parseJson(text);
    assert.ok(parsed.ok, text);
    const again = JSON.parse(text, (_, one) =>
      one && typeof one === "object" && !Array.isArray(one)
        ? Object.assign(Object.create(null), one)
        : one,
    );
    if (!text.includes("__proto__")) assert.deepEqual(plain(parsed.value), again);
    assert.equal(writeJson(parsed.value), text);
  });
  fc.assert(property, { seed, numRuns: 3000 });
});

test("lists of numbers are read as each number alone, whatever stands between them", () => {
  const number = fc.constantFrom(..."0 7 42 999 1000 00 01 007 -1 1.5 1e3 12345 x".split(" "), "");
  const comma = fc.constantFrom(",", ",", ",", ",", " ,", ", ", "\n,\t");
  const property = fc.property(fc.array(fc.tuple(number, comma), { maxLength: 6 }), (pairs) => {
    const text = `[${pairs.flat().join("")}1]`;
    const parsed = parseJson(text);
    const alone = pairs.map(([one]) => parseJson(one));
    assert.equal(parsed.ok, !alone.some(({ ok }) => !ok), text);
    if (parsed.ok) assert.equal(writeJson(parsed.value), text.replaceAll(/\s/g, ""));
  });
  fc.assert(property, { seed, numRuns: 3000 });
});

test("long lists keep their items, their order and the places in them", () => {
  for (const count of [4_095, 4_096, 4_097, 8_192, 8_193, 20_000]) {
    for (const item of ["7", '"a"', "[1]", "1.5"]) {
      const items = Array.from({ length: count }, (_, i) => (i % 1_000 === 0 ? `${i}` : item));
      const text = `[${items.join()},{"a":1,"a":2}]`;
      const parsed = parseJson(text);
      assert.ok(parsed.ok);
      assert.equal(writeJson(parsed.value), text.replace(',"a":2', ""));
      assert.deepEqual(
        parsed.repeated.map(({ path }) => path),
        [`${count}.a`],
      );
    }
  }
});

test("agrees with JSON.parse on whether a text is JSON", () => {
  const piece = fc.constantFrom(
    ...'{}[]:,"\\ \t\n0123456789-+.eE'.split(""),
    ...'true false null "a" \\u0041 \\n 1e5 -0 \u0001 é ☃ \ufeff nul [1] {"a":1}'.split(" "),
  );
  const property = fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
    const text = pieces.join("");
    let expected = true;
    try {
      JSON.parse(text);
    } catch {
      expected = false;
    }
    const parsed = parseJson(text);
    assert.equal(parsed.ok, expected, JSON.stringify(text));
    const bytes = parseJson(new TextEncoder().encode(text));
    assert.equal(bytes.ok, expected, JSON.stringify(text));
  });
  fc.assert(property, { seed, numRuns: 20_000 });
});

test("keeps every digit and every member name", () => {
  for (const text of ["12345678901234567890123456789012345678.10", "1e999", "-0.0", "1E+2"]) {
    const parsed = parseJson(`[${text}]`);
    assert.ok(parsed.ok);
    assert.equal(writeJson(parsed.value), `[${text}]`);
  }
  const parsed = parseJson('{"__proto__":{"x":1},"constructor":2}');
  assert.ok(parsed.ok && isJsonObject(parsed.value));
  assert.deepEqual([...parsed.value.keys()], ["__proto__", "constructor"]);
  assert.equal(({} as { x?: number }).x, undefined);
});

test("lists repeated members with path and place, and keeps the first", () => {
  const parsed = parseJson('{"a":[{"b":1,"b":2}],"\\u0061":3}');
  assert.ok(parsed.ok);
  assert.deepEqual(parsed.repeated, [
    { path: "a.0.b", at: 13 },
    { path: "a", at: 21 },
  ]);
  assert.equal(writeJson(parsed.value), '{"a":[{"b":1}]}');
});

test("refuses deep text, bad bytes, lone surrogates and text after the value", () => {
  const deep = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
  assert.equal(parseJson(deep(DEPTH_MAX)).ok, true);
  assert.deepEqual(parseJson(deep(DEPTH_MAX + 1)), {
    ok: false,
    at: DEPTH_MAX,
    message: `the text nests deeper than ${DEPTH_MAX}`,
  });
  assert.equal(parseJson("[".repeat(5_000_000)).ok, false);
  assert.equal(parseJson(new Uint8Array([0x22, 0xc0, 0xaf, 0x22])).ok, false);
  assert.equal(parseJson(new Uint8Array([0xef, 0xbb, 0xbf, 0x31])).ok, false);
  assert.equal(parseJson('"\\ud83d"').ok, false);
  assert.equal(parseJson('"\ud83d"').ok, false);
  assert.equal(parseJson('"\\ud83d\\ude00"').ok, true);
  assert.deepEqual(parseJson("{} x"), {
    ok: false,
    at: 3,
    message: "there is more text after the value",
  });
});
