/** Whole documents in the documentation check without an error, and nothing in them is silent. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { lineTable, positionOf } from "../../src/base/index.ts";
import { check, plan } from "../../src/check/index.ts";
import { read } from "../../src/read/index.ts";
import { samples } from "./prose.ts";

const whole = samples().filter((sample) => sample.info === "markdown spec");

test("the documentation shows whole documents", () => assert.ok(whole.length > 0));

for (const { place, text } of whole) {
  test(`${place} is a right document`, () => {
    const checked = check(read(new TextEncoder().encode(text)));
    const table = lineTable(checked.text);
    const errors = checked.findings
      .filter((finding) => finding.severity === "error")
      .map((it) => `${positionOf(table, it.span.start).line}: ${it.code}: ${it.message}`);
    assert.deepEqual(errors, []);
    assert.equal(checked.counts.silent, 0);
    assert.notEqual(plan(checked), undefined);
  });
}

test("the first document gives no finding at all", () => {
  const first = whole.find(({ place }) => place.startsWith("docs/first-document.md"));
  const checked = check(read(new TextEncoder().encode(first?.text ?? "")));
  assert.deepEqual(
    checked.findings.map((it) => `${it.code}: ${it.message}`),
    [],
  );
});
