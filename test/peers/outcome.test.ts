/** What is said of a suite of others: no silence passes for success. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { failed, lines, type Outcome, skipped } from "./outcome.ts";

const of = (passed: number, all: number): Outcome => ({
  suite: "A suite",
  counts: [{ what: "checks", passed, all }],
});

test("a suite passes only where something was counted and all of it passed", () => {
  assert.equal(failed(of(3, 3)), false);
  assert.equal(failed(of(2, 3)), true);
  assert.equal(failed(of(0, 0)), true);
  assert.equal(failed({ suite: "A suite", counts: [] }), true);
  assert.equal(failed({ ...of(3, 3), failures: ["it crashed"] }), true);
});

test("what is skipped is named, with the reason, and does not fail", () => {
  const outcome = skipped("A suite", "x.json not found, skipped");
  assert.equal(failed(outcome), false);
  assert.equal(lines(outcome), "A suite: x.json not found, skipped\n");
});

test("failures are shown in the suite's words, and counted where there are many", () => {
  const failures = Array.from({ length: 25 }, (_, i) => `check ${i} failed`);
  const said = lines({ ...of(0, 25), failures });
  assert.match(said, /^A suite: FAILED, 0 of 25 checks\n {2}check 0 failed\n/);
  assert.match(said, /\n {2}… and 5 more\n$/);
});
