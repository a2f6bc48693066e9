/** What docs/shorter.md compares stands in the documents that it names, before and now. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { counts, sumOf } from "../../scripts/docs/spans.ts";

const root = join(import.meta.dirname, "../..");
const textAt = (file: string) => readFileSync(join(root, file), "utf8");

/** The text without what escapes and wide tables put in. */
const plain = (text: string) => text.replaceAll("\\|", "|").replaceAll(/ +/g, " ");

const rows = textAt("docs/shorter.md")
  .split("\n")
  .filter((line) => /^\| `(examples|test)\//.test(line))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));

function linesIn(cell = ""): string[] {
  return [...cell.matchAll(/`` ?(.+?) ?``(?=<br>|$)/g)].map(([, line = ""]) => plain(line));
}

test("the ten lines stand in both texts of their documents", () => {
  assert.equal(rows.length, 10);
  for (const [, document = "", , before, now] of rows) {
    const name = document.replaceAll("`", "");
    const isUnseen = name.startsWith("test/");
    const long = isUnseen ? name.replace("unseen", "long/unseen") : `test/long/${name.slice(9)}.md`;
    const short = isUnseen ? name : `${name}/spec.md`;
    assert.ok(linesIn(before).length > 0 && linesIn(now).length > 0, name);
    for (const line of linesIn(before)) assert.ok(plain(textAt(long)).includes(line), line);
    for (const line of linesIn(now)) assert.ok(plain(textAt(short)).includes(line), line);
  }
});

test("a quarter fewer words stand in code spans, and the to-do list has 120 lines", () => {
  const [before = 0, now = 0] = sumOf(counts()).cells;
  assert.ok(now <= before * 0.75, `${before} words, now ${now}`);
  const todo = counts().find(({ document }) => document === "examples/todo/spec.md");
  assert.ok((todo?.cells[3] ?? 999) <= 120);
});
