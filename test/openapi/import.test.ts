/** Imported documents: what the file states, gaps with their places, accepted by `check`. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { check, plan } from "../../src/check/index.ts";
import { describe, writtenDocument } from "../../src/openapi/index.ts";
import { read } from "../../src/read/index.ts";
import { lacuna } from "../cli/world.ts";
import { described } from "./described.ts";

const head = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\n";

/** The document, when `check` has no error in it. */
function imported(text: string, file = "api.yaml"): string {
  const written = writtenDocument(described(text), file);
  const { findings } = check(read(Buffer.from(written)));
  const errors = findings.filter(({ severity }) => severity === "error");
  assert.deepEqual(
    errors.map(({ code, message }) => `${code}: ${message}`),
    [],
    written,
  );
  return written;
}

test("an imported document says what the file states, and where it stands there", () => {
  const text = imported(readFileSync(join(import.meta.dirname, "shop.yaml"), "utf8"), "shop.yaml");
  assert.match(text, /^- Base path: `\/v1`$/m);
  assert.match(text, /^### `Order`, a schema\n\n> From `shop\.yaml:74:5`\.$/m);
  assert.match(text, /^\| `id` \| path \| string \| yes \| none \|$/m);
  assert.match(text, /^\| 201 \| `application\/json` \| schema `Order` \| The order \|$/m);
  assert.match(text, /^- Sent in: header `X-Key`, form `\{credential\}`$/m);
  assert.match(text, /^- This version: `1\.0\.0`$/m);
});

const odd: readonly (readonly [what: string, text: string, says: RegExp])[] = [
  ["no path", head, /Methods, paths, request payloads and response payloads: not shown/],
  [
    "a path that no heading has",
    `${head}paths: {"/a/{b}{c}": {get: {responses: {}}}, "/d": {get: {responses: {}}}}`,
    /"\/a\/\{b\}\{c\}": \{/,
  ],
  [
    "two paths that differ in names alone",
    `${head}paths: {"/a/{b}": {get: {responses: {}}}, "/a/{c}": {get: {responses: {}}}}`,
    /"\/a\/\{c\}": \{/,
  ],
  [
    "a parameter that is no name",
    `${head}paths: {"/a/{b-c}": {get: {parameters: [{name: b-c, in: path, required: true, schema: {}}], responses: {}}}}`,
    /### `GET \/a\/\{b_c\}`/,
  ],
  [
    "a pattern that goes back",
    `${head}components: {schemas: {A: {type: string, pattern: "(a)\\\\1"}}}`,
    /"x-lacuna-kept": \{\s*"pattern"/,
  ],
  [
    "a title with addresses",
    head.replace(
      "title: T",
      "title: 'T (https://a.example/b), www.c.example & d@e.example, *f* _g_ &amp; <h>'",
    ),
    /^# T \(a\.example\/b\), c\.example d e\.example, /m,
  ],
  [
    "a text that Markdown would read",
    `${head.replace("title: T", "title: '<b>`x`</b> | [a](b)'")}paths: {"/a": {get: {summary: "<script>", responses: {200: {description: "a | b \`c\`"}}}}}`,
    /^# x a$/m,
  ],
  [
    "a schema that no name of a heading has",
    `${head}components: {schemas: {"{a}": {type: string}, " ": {type: string}}}`,
    /"x-lacuna-name": "\{a\}"/,
  ],
];

for (const [what, text, says] of odd) {
  test(`accepted by check: ${what}`, () => assert.match(imported(text), says));
}

test("the descriptions of the tests are imported and accepted, and have a plan", () => {
  const folder = join(import.meta.dirname, "small");
  const names = readdirSync(folder).filter((each) => /^(open|swag).*\.(ya?ml|json)$/.test(each));
  assert.ok(names.length > 2);
  for (const name of names) {
    const bytes = readFileSync(join(folder, name));
    const written = writtenDocument(
      describe(name, bytes, (path) => readFileSync(join(folder, path))),
      name,
    );
    assert.ok(plan(check(read(Buffer.from(written)))), name);
  }
});

test("lacuna import writes to the standard output, and says what is no description", async () => {
  const file = join(import.meta.dirname, "shop.yaml");
  assert.match((await lacuna(["import", file])).out, /^# Shop\n/);
  const none = await lacuna(["import", "examples/blank/spec.md"]);
  assert.deepEqual([none.code, none.out], [2, ""]);
  assert.match(none.err, /no description/);
  const broken = await lacuna(["import", "-"], { stdin: '{"openapi": "3.1.0",}' });
  assert.deepEqual([broken.code, broken.out], [1, ""]);
  assert.match(broken.err, /-:1:21/);
});

test("an exported file gives back its document; edited, it says where it is another", async () => {
  const spec = "examples/orders/spec.md";
  const exported = (await lacuna(["export", spec, "--to", "openapi"])).out;
  const back = await lacuna(["import", "-"], { stdin: exported });
  assert.equal(back.out, readFileSync(spec, "utf8"));
  const edited = await lacuna(["import", "-"], {
    stdin: exported.replace('"version": "1', '"version": "9'),
  });
  assert.equal(edited.code, 0);
  assert.match(edited.err, /another since: info › version/);
  assert.match(edited.out, /^- This version: `9/m);
});

for (const args of [["plan"], ["ask"], ["export", "--to", "mermaid"]]) {
  test(`where a document is wanted, a description is told as one: ${args[0]}`, async () => {
    const [command = "", ...rest] = args;
    const file = join(import.meta.dirname, "shop.yaml");
    const { code, err } = await lacuna([command, file, ...rest]);
    assert.equal(code, 2);
    assert.match(err, /a description in another notation.+`lacuna import /);
  });
}
