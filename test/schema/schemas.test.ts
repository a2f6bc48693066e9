/** Schemas of one document: references, gaps, texts for values, and what a stranger may send. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeSchemas, readJson, Schemas, type Tree } from "../../src/schema/index.ts";
import { readPattern } from "../../src/schema/pattern.ts";

function tree(text: string): Tree {
  const read = readJson(text);
  assert.ok(read.ok, text);
  return read.value;
}

const bundle = (all: Readonly<Record<string, unknown>>) =>
  Object.entries(all).map(([name, one]) => ({ name, text: JSON.stringify(one) }));

const problemsOf = (all: Readonly<Record<string, unknown>>): string[] =>
  judgeSchemas(bundle(all).map(({ name, text }) => ({ name, read: readJson(text) }))).map(
    ({ schema, kind, message }) => `${schema}: ${kind}: ${message}`,
  );

test("schemas refer to one another by names with any characters, and in circles", () => {
  const all = {
    "a/b ~c": { type: "object", properties: { next: { $ref: "#/$defs/%C3%A9" } } },
    é: { anyOf: [{ type: "null" }, { $ref: "#/$defs/a~1b%20~0c" }] },
    inner: { $ref: "#/$defs/a~1b%20~0c/properties/next/" },
    far: { $ref: "#here" },
    anchored: { properties: { a: { $anchor: "here", type: "integer" } } },
  };
  assert.deepEqual(problemsOf({ ...all, inner: true }), []);
  assert.match(problemsOf(all).join(), /inner: reference: No schema stands at/);
  const schemas = new Schemas(bundle(all));
  assert.equal(schemas.judge("a/b ~c", tree('{"next": {"next": {"next": null}}}')), "valid");
  assert.equal(schemas.judge("a/b ~c", tree('{"next": {"next": {"next": 1}}}')), "invalid");
  assert.equal(schemas.judge("far", tree("1.0")), "valid");
  assert.equal(schemas.judge("far", tree("1.5")), "invalid");
});

test("what comes back to itself on the same value is told, wherever it begins", () => {
  const circle = { a: { allOf: [{ $ref: "#/$defs/b" }] }, b: { not: { $ref: "#/$defs/a" } } };
  assert.equal(problemsOf(circle).length, 1);
  assert.equal(problemsOf({ a: { items: { $ref: "#/$defs/a" } } }).length, 0);
  const chain: Record<string, unknown> = { last: true };
  for (let i = 0; i < 5_000; i++) {
    chain[`s${i}`] = { $ref: `#/$defs/${i === 0 ? "last" : `s${i - 1}`}` };
  }
  assert.equal(problemsOf(chain).length, 1);
  assert.match(problemsOf(chain)[0] ?? "", /More than 200 schemas/);
});

test("a schema that is not shown is a gap for the values that come to it, for no others", () => {
  const schemas = new Schemas([
    ...bundle({ a: { properties: { odd: { $ref: "#/$defs/odd" } } } }),
    { name: "odd", gap: "the gap" },
  ]);
  assert.equal(schemas.judge("a", tree('{"even": 1}')), "valid");
  assert.deepEqual(schemas.judge("a", tree('{"odd": 1}')), { gap: "the gap" });
  assert.deepEqual(schemas.judge("odd", tree("1")), { gap: "the gap" });
});

test("names of the prototype are names like any", () => {
  const schemas = new Schemas(
    bundle({
      a: JSON.parse('{"properties": {"__proto__": {"type": "string"}}, "required": ["toString"]}'),
    }),
  );
  assert.equal(schemas.judge("a", tree("{}")), "invalid");
  assert.equal(schemas.judge("a", tree('{"toString": 1}')), "valid");
  assert.equal(schemas.judge("a", tree('{"toString": 1, "__proto__": 1}')), "invalid");
});

test("a value costs time linear in its size, and no stack", () => {
  const ref = { $ref: "#/$defs/a" };
  const two = (word: string) => ({
    properties: { c: ref },
    unevaluatedProperties: false,
    required: [word],
  });
  const schemas = new Schemas(
    bundle({ a: { oneOf: [two("x"), two("y")] }, list: { items: { $ref: "#/$defs/list" } } }),
  );
  const nested = `${'{"c":'.repeat(63)}{}${"}".repeat(63)}`;
  const started = performance.now();
  assert.equal(schemas.judge("a", tree(nested)), "invalid");
  assert.equal(schemas.judge("list", tree(`${"[".repeat(64)}${"]".repeat(64)}`)), "valid");
  const many = JSON.stringify(Array.from({ length: 20_000 }, (_, i) => ({ i })));
  const unique = new Schemas(bundle({ a: { uniqueItems: true } }));
  assert.equal(unique.judge("a", tree(many)), "valid");
  const pattern = new Schemas(bundle({ a: { pattern: "^(a+)+$" } }));
  assert.equal(pattern.judge("a", `${"a".repeat(100_000)}b`), "invalid");
  assert.ok(performance.now() - started < 10_000);
});

test("past 1,000 schemas within one another a value is of no right type, and nothing throws", () => {
  const all: Record<string, unknown> = {};
  for (let i = 0; i < 30; i++) all[`s${i}`] = { not: { $ref: `#/$defs/s${i + 1}` } };
  all["s30"] = { items: { $ref: "#/$defs/s0" } };
  const schemas = new Schemas(bundle(all));
  const deep = (levels: number) => tree(`${"[".repeat(levels)}${"]".repeat(levels)}`);
  assert.equal(schemas.judge("s0", deep(10)), "valid");
  assert.equal(schemas.judge("s0", deep(64)), "invalid");
});

test("texts stand for values by the type that the schema states", () => {
  const schemas = new Schemas(
    bundle({
      text: { $ref: "#/$defs/word", minLength: 1 },
      word: { type: "string" },
      whole: { type: "integer" },
      texts: { type: "array", items: { $ref: "#/$defs/word" } },
      either: { type: ["string", "null"] },
      lists: { type: "array", items: { type: "array", items: { type: "string" } } },
      object: { type: "object", properties: { a: { $ref: "#/$defs/whole" }, b: true } },
      same: { anyOf: [{ $ref: "#/$defs/word" }, { type: "string", enum: [""] }] },
      other: { anyOf: [{ type: "string" }, { type: "integer" }] },
      tree: { type: "object", properties: { next: { $ref: "#/$defs/tree" } } },
      any: true,
    }),
  );
  const object = schemas.textForm("object");
  assert.ok(object?.is === "object");
  assert.deepEqual(object.member("a"), { is: "json" });
  assert.equal(object.member("b"), undefined);
  assert.deepEqual(object.member("c"), { is: "text" });
  assert.deepEqual(schemas.textForm("same"), { is: "text" });
  assert.equal(schemas.saysTexts("object"), false);
  assert.equal(schemas.saysTexts("tree"), true);
  const wide: Record<string, unknown> = { s0: { type: "string" } };
  for (let i = 1; i < 150; i++) {
    const before = { $ref: `#/$defs/s${i - 1}` };
    wide[`s${i}`] = { anyOf: [before, before, { $ref: `#/$defs/s${i}` }] };
  }
  assert.deepEqual(new Schemas(bundle(wide)).textForm("s149"), { is: "text" });
  assert.deepEqual(schemas.textForm("text"), { is: "text" });
  assert.deepEqual(schemas.textForm("whole"), { is: "json" });
  assert.deepEqual(schemas.textForm("texts"), { is: "list", of: { is: "text" } });
  for (const name of ["either", "lists", "other", "any"]) {
    assert.equal(schemas.textForm(name), undefined, name);
  }
});

test("JSON that is none is told at its place", () => {
  const at = (text: string): [number, string] => {
    const read = readJson(text);
    return read.ok ? [-1, ""] : [read.span.start, read.message];
  };
  assert.deepEqual(at('{"a": 1,\n "a": 2}'), [10, "the member `a` stands here again"]);
  assert.deepEqual(at('{"a": [1, 2,]}'), [
    12,
    "another value behind the comma was expected here, not `]`",
  ]);
  assert.deepEqual(at("{'a': 1}"), [1, "here is no value, name or mark of JSON"]);
  assert.deepEqual(at('{"a" 1}'), [5, "`:` was expected here, not `1`"]);
  assert.deepEqual(at("{} 1"), [3, "nothing more was expected here, not `1`"]);
  assert.deepEqual(at(" "), [1, "a value was expected here, not the end"]);
  assert.deepEqual(at("[01]"), [2, "`,` or `]` was expected here, not `1`"]);
  assert.equal(at('"\\ud800"')[1], "this text holds half of a surrogate pair");
  assert.equal(at('"\\x"')[1], "this text has an escape that JSON does not have");
  assert.equal(at("[".repeat(100_000))[0], 200);
});

test("patterns of ECMA-262 mean in RE2 what they mean there", () => {
  const cases: readonly (readonly [pattern: string, taken: string, refused: string])[] = [
    ["^\\s$", "\ufeff", "\u200b"],
    ["^[\\S]$", "\u200b", "\u3000"],
    ["^.$", "𝄞", "\u2028"],
    ["^\\u{1d11e}\\uD834\\uDD1E\\x41\\cA$", "𝄞𝄞A\u0001", "𝄞𝄞A"],
    ["^[\\b\\-[a]+$", "\b-[a", "b"],
    ["^[\\w-.]+$", "a-.", "a b"],
    ["^\\p{Letter}\\p{Script=Greek}\\P{Lu}$", "aαb", "aab"],
    ["^(?<year>\\d{4})/\\/$", "2026//", "٢٠٢٦//"],
    ["^[^]$", "\n", ""],
    ["a$", "ba", "a\n"],
    ["^[]|b$", "b", "a"],
    ["^[a-z]{1,2048}$", "a".repeat(2_048), "a".repeat(2_049)],
    ["^\\u0041.{1500,}\\{\\d{2}$", `A${"𝄞".repeat(1_500)}{12`, `A${"𝄞".repeat(1_499)}{12`],
  ];
  for (const [pattern, taken, refused] of cases) {
    const read = readPattern(pattern);
    assert.ok(read.ok, pattern);
    assert.ok(read.test(taken), `${pattern} takes`);
    assert.ok(!read.test(refused), `${pattern} refuses`);
  }
  for (const pattern of [
    "(a)\\1",
    "(?=a)",
    "(?<!a)",
    "(?i)a",
    "\\A",
    "a{1001}",
    "^a{1001}\\p{Odd}$",
    "[a",
    "(",
    "\\k<a>",
  ]) {
    assert.ok(!readPattern(pattern).ok, pattern);
  }
});
