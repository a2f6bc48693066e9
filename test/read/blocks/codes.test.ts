/** Each code's wrong sample earns that code, its right sample no error. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Finding } from "../../../src/base/index.ts";
import { type BlockCode, blockCodes, decode, readBlocks } from "../../../src/read/blocks/index.ts";

/** Described in words, because they are too large or no text; `limits.test.ts` has them. */
const described = new Set<string>(["encoding", "too-large", "too-many"]);

function unescaped(sample: string): string {
  return sample.replace(/\\u([0-9A-F]{4})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
}

/** All findings of a sample, read as text inside the second part. */
function findingsOf(sample: string, code: BlockCode): Finding[] {
  const text = code === "byte-order-mark" ? sample : `## A\n\n## B\n\n${sample}`;
  // A lone surrogate has no UTF-8 form: its sample can only arrive as text.
  if (code === "lone-surrogate") return [];
  const decoded = decode(new TextEncoder().encode(text));
  const ended = code === "line-ends" ? decoded.text.slice("## A\n\n## B\n\n".length) : decoded.text;
  return [...decoded.findings, ...readBlocks(ended).findings];
}

for (const code of Object.keys(blockCodes) as BlockCode[]) {
  const { wrong, right, severity } = blockCodes[code];
  if (described.has(code) || code === "lone-surrogate") continue;
  test(`${code}: its wrong sample earns it, its right one does not`, () => {
    const found = findingsOf(unescaped(wrong), code).filter((finding) => finding.code === code);
    assert.equal(found.length, 1, `found ${found.length} times`);
    assert.equal(found[0]?.severity, severity);
    assert.ok((found[0]?.hint ?? "").length > 0);
    const errors = findingsOf(unescaped(right), code).filter((it) => it.severity === "error");
    assert.deepEqual(errors, []);
  });
}
