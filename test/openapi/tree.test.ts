/** JSON and YAML files to nodes: values as other readers have them, places, and hostile files. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { MapNode, type Node, readTree } from "../../src/openapi/tree/index.ts";
import { unreadable } from "./described.ts";

function plain(node: Node | undefined): unknown {
  if (node === undefined) return undefined;
  if (node.kind === "scalar") return node.value;
  if (node.kind === "list") return node.items.map(plain);
  return Object.fromEntries(node.keys.map((key, index) => [key, plain(node.values[index])]));
}

const seed = Number(process.env["SEED"] ?? 20261123);

test("a JSON text has the values that JSON.parse gives, and each node the text of its place", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.integer({ min: 0, max: 4 }), (text, indent) => {
      const shown = JSON.stringify([JSON.parse(text)], null, indent);
      const root = readTree(0, shown);
      assert.deepEqual(plain(root), JSON.parse(shown));
      const left: Node[] = [root];
      for (let node = left.pop(); node !== undefined; node = left.pop()) {
        assert.deepEqual(JSON.parse(shown.slice(node.start, node.end)), plain(node));
        if (node.kind === "map") left.push(...node.values);
        if (node.kind === "list") left.push(...node.items);
      }
    }),
    { seed, numRuns: 300 },
  );
});

test("a YAML text has the values of its core schema, with merged members and aliases", () => {
  const root = readTree(
    0,
    [
      "base: &base {a: 1, b: two}",
      "own:",
      "  <<: *base",
      "  b: three",
      'plain: [yes, 012, 0o17, 0x1F, 1_000, ~, "~", 2001-01-01, 1e3, .5]',
      "again: *base",
      "text: |",
      "  line",
      "empty:",
    ].join("\n"),
  );
  assert.deepEqual(plain(root), {
    base: { a: 1, b: "two" },
    own: { a: 1, b: "three" },
    plain: ["yes", 12, 15, 31, "1_000", null, "~", "2001-01-01", 1000, 0.5],
    again: { a: 1, b: "two" },
    text: "line\n",
    empty: null,
  });
  assert.ok(root instanceof MapNode);
  assert.equal(root.keyPlace("own").start, "base: &base {a: 1, b: two}\n".length);
});

const cases: readonly [what: string, text: string, code: string, line: number][] = [
  ["JSON that ends too early", '{\n"openapi": "3.1.0",\n', "unreadable", 3],
  ["a comma that nothing follows", '{\n"openapi": "3.1.0",\n}', "unreadable", 3],
  ["a name twice in JSON", '{"openapi": "3.1.0",\n"a": 1,\n"a": 2}', "member-twice", 3],
  ["a name twice in YAML", "openapi: 3.1.0\na: 1\na: 2\n", "member-twice", 3],
  ["a tab for indentation", "openapi: 3.1.0\npaths:\n\t/a: {}\n", "unreadable", 3],
  ["deep JSON", `{"openapi": "3.1.0", "a": ${"[".repeat(100_000)}`, "nested-too-deep", 1],
  ["deep YAML", `openapi: 3.1.0\na: ${"[".repeat(100_000)}`, "unreadable", 2],
  ["two documents", "openapi: 3.1.0\n---\na: 1\n", "several-documents", 1],
  ["an unknown tag", "openapi: 3.1.0\na: !!python/object x\n", "yaml-tag", 2],
  ["an alias of nothing", "openapi: 3.1.0\na: *b\n", "yaml-alias", 2],
  ["an alias inside its anchor", "openapi: 3.1.0\na: &b [*b]\n", "yaml-alias", 2],
  ["infinity", "openapi: 3.1.0\na: .inf\n", "yaml-number", 2],
  ["a list as a name", "openapi: 3.1.0\n? [a]\n: 1\n", "yaml-key", 2],
  ["an empty file", "", "no-description", 1],
  ["another file", "name: x\n", "no-description", 1],
  ["a version that is not there", "openapi: 4.0.0\n", "other-version", 1],
];

for (const [what, text, code, line] of cases) {
  test(`refused with its line: ${what}`, () => {
    const found = unreadable(text);
    assert.deepEqual({ code: found.code, line: found.line }, { code, line }, found.message);
  });
}

test("aliases that nest each other too deep are refused", () => {
  const lines = ["openapi: 3.1.0", "a0: &a0 [1]"];
  for (let level = 1; level < 300; level += 1) lines.push(`a${level}: &a${level} [*a${level - 1}]`);
  assert.equal(unreadable(lines.join("\n")).code, "nested-too-deep");
});

test("aliases that explode are refused before they are followed", () => {
  const lines = ["openapi: 3.1.0", "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]"];
  for (let level = 1; level < 40; level += 1) {
    const one = `*a${level - 1}`;
    lines.push(`a${level}: &a${level} [${Array.from({ length: 9 }, () => one).join(", ")}]`);
  }
  assert.equal(unreadable(lines.join("\n")).code, "yaml-aliases");
});
