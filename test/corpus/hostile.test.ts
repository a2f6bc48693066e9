/** Hostile documents: each is reported with its code, and nothing throws or hangs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { hostile } from "../../bench/hostile.ts";
import { check, plan } from "../../src/check/index.ts";
import { read } from "../../src/read/index.ts";
import { format } from "../../src/write/index.ts";

for (const { name, bytes, code } of hostile) {
  test(`hostile: ${name}`, () => {
    const reading = read(bytes);
    const checked = check(reading);
    const planned = plan(checked);
    if (planned !== undefined) JSON.stringify(planned.plan);
    assert.equal(typeof format(reading.spec.text), "string");
    const codes = new Set(checked.findings.map((finding) => finding.code));
    if (code !== undefined) assert.ok(codes.has(code), `${[...codes].join(", ")}; no ${code}`);
  });
}
