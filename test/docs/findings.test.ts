/** The pages of findings lead on: to the reference, and to each how-to from some finding. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { codeEntries } from "../../src/cli/codes.ts";
import { howTos } from "../../src/cli/explain/how-to.ts";
import { pageOf } from "../../src/cli/explain/page.ts";

const docs = join(import.meta.dirname, "../../docs");

test("each page links to a page of the reference that there is", () => {
  for (const [code, entry] of codeEntries()) {
    const links = pageOf(code, entry).sections.flatMap(({ block }) =>
      block.kind === "links" ? block.links : [],
    );
    assert.ok(links.length > 0, code);
    for (const { path } of links) assert.ok(existsSync(join(docs, path.replace(/#.*/, ""))), path);
  }
});

test("the reason of each finding has two sentences", () => {
  for (const [code, entry] of codeEntries()) {
    const why = pageOf(code, entry).sections.find((each) => each.title === "Why it matters");
    assert.ok(why?.block.kind === "text");
    assert.equal(
      why.block.text.split(/(?<=[.?!])\s+(?=[A-Z`])/).length,
      2,
      `${code}: ${why.block.text}`,
    );
  }
});

test("each how-to has a page with its title, and some finding leads there", () => {
  const named = new Set([...codeEntries().values()].flatMap(({ see = [] }) => see));
  assert.deepEqual([...named].toSorted(), Object.keys(howTos).toSorted());
  for (const [name, { title }] of Object.entries(howTos)) {
    const page = readFileSync(join(docs, "how-to", `${name}.md`), "utf8");
    assert.ok(page.startsWith(`# ${title}\n`), name);
  }
  const pages = readdirSync(join(docs, "how-to")).filter((name) => name !== "README.md");
  assert.deepEqual(
    pages.toSorted(),
    Object.keys(howTos)
      .map((name) => `${name}.md`)
      .toSorted(),
  );
});
