/** The golden files beside the examples are what the command prints today. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { stale } from "../../examples/golden.ts";

test("the golden files of the examples are up to date: npm run golden", async () => {
  assert.deepEqual([...(await stale()).keys()], []);
});
