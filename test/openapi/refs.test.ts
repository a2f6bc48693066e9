/** References: followed within a file and below its folder, each that leads nowhere told once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { described } from "./described.ts";

const head = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\n";
const withSchema = (ref: string): string =>
  `${head}paths:\n  /a:\n    get:\n      parameters:\n        - $ref: '${ref}'\n      responses: {}\n`;

test("a parameter is found in the file, behind escapes, and in files below its folder", () => {
  const own = `${withSchema("#/components/parameters/a~1b%20c")}components:
  parameters:
    a/b c: {$ref: 'more/common.yaml#/limit'}
`;
  const found = described(own, {
    "more/common.yaml": "limit: {$ref: '../other.json#/p'}",
    "other.json": '{"p": {"name": "limit", "in": "query"}}',
  });
  assert.deepEqual(found.problems(), []);
  assert.deepEqual(
    found.operations[0]?.parameters.map((each) => [each.in, each.name]),
    [["query", "limit"]],
  );
});

const nowhere: readonly [ref: string, code: string, says: RegExp][] = [
  ["#/components/parameters/x", "ref-nowhere", /no `components`/],
  ["../secret.yaml#/p", "ref-outside", /out of the folder/],
  ["/etc/passwd", "ref-outside", /out of the folder/],
  ["a/../../b.yaml", "ref-outside", /out of the folder/],
  ["https://example.com/p.yaml", "ref-remote", /not fetched/],
  ["missing.yaml#/p", "ref-file", /no such file/],
  ["#/paths/~1a/get/parameters/0", "ref-circle", /itself/],
  ["broken.yaml#/p", "unreadable", /not well-formed/],
];

for (const [ref, code, says] of nowhere) {
  test(`told with its place: ${ref}`, () => {
    const found = described(withSchema(ref), { "broken.yaml": "a: [" });
    assert.deepEqual(
      found.problems().map((each) => each.code),
      [code],
    );
    assert.match(found.problems()[0]?.message ?? "", says);
    const expected = code === "unreadable" ? "broken.yaml:1:" : "api.yaml:7:";
    const [first] = found.problems();
    assert.ok(first && found.files.locator(first.place).startsWith(expected));
  });
}

test("references in a circle end", () => {
  const found = described(
    `${withSchema("#/components/parameters/a")}components:
  parameters:
    a: {$ref: '#/components/parameters/b'}
    b: {$ref: '#/components/parameters/a'}
`,
  );
  assert.deepEqual(
    found.problems().map((each) => each.code),
    ["ref-circle"],
  );
});
