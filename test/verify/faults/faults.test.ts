/** A sample of `npm run test:faults`: the right shop, and faults that few requests find. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { judged, told } from "./judged.ts";
import type { Fault } from "./seeded.ts";

const REQUESTS = 40;
const MOST = 600;

test("no answer of a right service that was written by hand is called broken", async () => {
  const { breaks, requests } = await judged(1, undefined, { requests: REQUESTS });
  assert.deepEqual(breaks.map(told), []);
  assert.ok(requests === REQUESTS, String(requests));
});

const found: readonly Fault[] = ["a version may be missing"];

for (const fault of found) {
  test(`found, and its line named: ${fault}`, async () => {
    const { isNamed, breaks } = await judged(1, fault, { requests: MOST, breaks: 1 });
    assert.ok(isNamed, breaks.map(told).join("\n"));
  });
}
