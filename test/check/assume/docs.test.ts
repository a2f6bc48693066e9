/** Runs the examples of docs/assumptions.md: what each fills, and what each is refused for. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type CheckedSpec, check, plan } from "../../../src/check/index.ts";
import { read } from "../../../src/read/index.ts";

const root = join(import.meta.dirname, "../../..");
const page = readFileSync(join(root, "docs/assumptions.md"), "utf8");
const encode = (text: string) => new TextEncoder().encode(text);

interface Block {
  readonly info: string;
  readonly text: string;
}

const blocks: Block[] = [...page.matchAll(/^````markdown (.*)\n([\s\S]*?)^````$/gm)].map(
  ([, info = "", text = ""]) => ({ info, text }),
);
const document = read(encode(blocks.find((block) => block.info === "document")?.text ?? ""));
const alone = check(document);
const errors = (checked: CheckedSpec) =>
  checked.findings.filter((one) => one.severity === "error" && one.code !== "silent");

const gapIds = (checked: CheckedSpec) => new Set(checked.gaps.map((gap) => gap.id));

test("the document of the page has gaps and no errors", () => {
  assert.deepEqual(errors(alone), []);
  assert.ok(alone.counts.notShown > 20);
  assert.equal(alone.counts.silent, 1);
});

for (const { info, text } of blocks.filter((block) => block.info.startsWith("assumptions "))) {
  const [, word = "", count = ""] = info.split(" ");
  const title = text.split("\n").find((line) => /^(###|-|\d\.|\|)/.test(line)) ?? "";
  test(`assumptions: ${info}: ${title}`, () => {
    const checked = check(document, read(encode(text)));
    if (word !== "fills") {
      const found = errors(checked).find((one) => one.code === word);
      assert.equal(found?.span.file, 1);
      // Both places: the second is in the document.
      const [other] = found?.related ?? [];
      assert.equal(other !== undefined, word === "assumption-contradicts");
      assert.equal(other?.span.file, undefined);
      assert.equal(plan(checked), undefined);
      return;
    }
    assert.deepEqual(errors(checked), []);
    const left = gapIds(checked);
    const filled = [...gapIds(alone)].filter((id) => !left.has(id));
    assert.equal(filled.length, Number(count), filled.join("\n"));
    const added = [...left].filter((id) => !gapIds(alone).has(id));
    assert.deepEqual(added, [], "an assumption opens no gap");
    assert.ok((checked.assumed?.length ?? 0) >= filled.length);
    assert.notEqual(plan(checked), undefined);
  });
}
