/** Right documents raise no alarm: what is found in them is true of them, and is listed here. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { check } from "../../src/check/index.ts";
import { read } from "../../src/read/index.ts";

const root = join(import.meta.dirname, "../..");
const documents = ["examples/*/spec.md", "test/unseen/*.md", "test/corpus/right/*.md"]
  .flatMap((form) => globSync(form, { cwd: root }))
  .sort();

/** Warnings that are true: `document code` and how many. */
const TRUE: Readonly<Record<string, number>> = {
  "test/unseen/chat.md never-given": 2,
  "test/unseen/payments.md call-first": 1,
  "test/unseen/payments.md never-fired": 1,
};

test("there are right documents", () => assert.ok(documents.length >= 15, documents.join(" ")));

for (const file of documents) {
  test(`${file} has no finding but what is true of it`, () => {
    const { findings } = check(read(readFileSync(join(root, file))));
    const told = findings.filter((one) => one.severity === "error" || one.severity === "warning");
    const counts: Record<string, number> = {};
    for (const { code } of told) {
      const key = `${file} ${code}`;
      counts[key] = (counts[key] ?? 0) + 1;
    }
    const listed = Object.entries(TRUE).filter(([key]) => key.startsWith(`${file} `));
    assert.deepEqual(counts, Object.fromEntries(listed));
  });
}

/** The first whole document of the reference. */
function firstDocument(): string {
  const text = readFileSync(join(root, "docs/first-document.md"), "utf8");
  const found = /````markdown spec\n([\s\S]*?)````/.exec(text)?.[1];
  assert.ok(found, "the reference has no document");
  return found;
}

test("the first document has no finding at all", () => {
  const { findings, gaps, sound } = check(read(new TextEncoder().encode(firstDocument())));
  assert.deepEqual(findings, []);
  assert.deepEqual(gaps, []);
  assert.ok(sound);
});
