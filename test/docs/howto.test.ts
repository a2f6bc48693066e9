/** Each piece that the documentation shows stands in a whole document that the tests run. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { samples } from "./prose.ts";

const root = join(import.meta.dirname, "../..");
const unseen = readdirSync(join(root, "test/unseen"))
  .filter((name) => name.endsWith(".md"))
  .map((name) => join(root, "test/unseen", name));
const served = readdirSync(join(root, "test/served/items")).map((name) =>
  join(root, "test/served/items", name),
);
const examples = readdirSync(join(root, "examples"))
  .map((name) => join(root, "examples", name, "spec.md"))
  .filter((file) => existsSync(file));

/** The text with its tables as narrow as can be: documents are formatted, pieces need not be. */
function narrow(text: string): string {
  return text
    .split("\n")
    .map((line) =>
      line.startsWith("|") ? line.replace(/ +/g, " ").replace(/ ?-{3,} ?/g, "---") : line,
    )
    .join("\n");
}

const whole = [...unseen, ...examples, ...served].map((file) => narrow(readFileSync(file, "utf8")));
const pieces = samples().filter((sample) => sample.info === "markdown part");

test("the documentation shows pieces of documents", () => assert.ok(pieces.length > 20));

for (const { place, text } of pieces) {
  test(`${place} stands in a document`, () => {
    assert.ok(
      whole.some((document) => `${document}\n`.includes(`\n${narrow(text)}`)),
      text,
    );
  });
}
