/** What documents take from tables in code is up to date, and readable as Markdown. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { code, table } from "../../scripts/docs/cells.ts";
import { generatedList } from "../../scripts/docs/lists.ts";
import { generatedFiles, outdated, withLists } from "../../scripts/docs.ts";

const root = join(import.meta.dirname, "../..");

test("the generated files are up to date: npm run docs", () => {
  assert.deepEqual(outdated(root), []);
});

test("every row of a generated table has as many cells as its header", () => {
  for (const [path, text] of generatedFiles(root)) {
    if (!path.startsWith("docs/findings/README") && !path.startsWith("docs/reference/")) continue;
    let width = 0;
    let isFenced = false;
    for (const line of text.split("\n")) {
      if (line.startsWith("```")) isFenced = !isFenced;
      if (isFenced || !line.startsWith("|")) {
        width = 0;
        continue;
      }
      const cells = line.split(/(?<!\\)\|/).length;
      if (width === 0) width = cells;
      assert.equal(cells, width, `${path}: ${line.slice(0, 120)}`);
    }
  }
});

test("cells and code spans hold any text", () => {
  assert.equal(code("a|b"), "`a\\|b`");
  assert.equal(code("`a` b"), "`` `a` b ``");
  assert.equal(table(["A"], [["x|y"], [code("z|")]]), "| A |\n|---|\n| x\\|y |\n| `z\\|` |");
});

test("lists are renewed between their marks, and an unknown one is a fault", () => {
  const text = "a\n<!-- generated:changes -->\nold\n<!-- /generated -->\nb\n";
  const renewed = withLists(text);
  assert.equal(renewed, withLists(renewed));
  assert.ok(renewed.includes(generatedList("changes")) && !renewed.includes("\nold\n"));
  assert.throws(() => generatedList("nothing"), /no generated list/);
  assert.throws(() => generatedList("bullets nowhere"), /no bullet may stand/);
});
