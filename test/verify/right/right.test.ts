/** A sample of `npm run test:right`: services that were written by hand and are right. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { testSeed } from "../../random.ts";
import { right, verifiedRight } from "./services.ts";

const more = ["--requests", "40", "--seconds", "3", "--races", "30"];

for (const one of right) {
  test(`nothing of ${one.name} is broken, and its other clients are no matter`, async () => {
    const { broken, counts } = await verifiedRight(one, { seed: testSeed, crowd: 0.4, more });
    assert.deepEqual(broken, []);
    assert.ok((counts["held"] ?? 0) > 20, JSON.stringify(counts));
  });
}
