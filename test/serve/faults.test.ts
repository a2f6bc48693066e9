/** The log has one line a second for the same fault. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Faults } from "../../src/serve/jobs/faults.ts";

test("the same fault is noted once a second, another one at once", () => {
  const faults = new Faults();
  const full = new Error("full");
  assert.deepEqual(faults.noteOf(full, 5_000), { what: "fault", text: "Error: full" });
  assert.equal(faults.noteOf(full, 5_999), undefined);
  assert.ok(faults.noteOf(full, 6_000));
  assert.ok(faults.noteOf(new Error("locked"), 6_001));
  assert.ok(faults.noteOf(full, 6_002));
});
