/** An example stands for a gap only with a media type that the document states. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { check, plan } from "../../src/check/index.ts";
import { read } from "../../src/read/index.ts";
import { serve } from "../../src/serve/index.ts";

const blank = readFileSync("examples/blank/spec.md", "utf8")
  .replace("Purpose and behaviour: not shown.", "Purpose: not shown.\n\n- Base path: none\nFORMAT")
  .replace(
    /## Endpoints\n[\s\S]*?(?=\n## )/,
    "## Endpoints\n\nRequest payloads and response payloads: not shown.\n\n### Every endpoint\n\n" +
      "Order of checks: not shown.\n\n### `GET /pets`\n\n- Who: not shown\n\n" +
      "1. What it does: not shown.\n\n```json example 200\n[1]\n```\n",
  );

for (const [format, status] of [
  ["- Body format: `application/a+json`", 200],
  ["- Body format: not shown", 501],
] as const) {
  test(`${format}: ${status}`, async (t) => {
    const planned = plan(check(read(Buffer.from(blank.replace("FORMAT", format)))));
    assert.ok(planned);
    const running = await serve(planned.plan, { memory: true, examples: true, log: () => {} });
    t.after(() => running.stop());
    const answer = await fetch(`${running.address}/pets`);
    assert.equal(answer.status, status);
    const type = status === 200 ? "application/a+json" : "application/problem+json";
    assert.equal(answer.headers.get("content-type"), type);
    await answer.text();
  });
}
