/** A share of the campaign of `why`: some statements of the smallest documents, both directions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { subjects } from "../gaps/subjects.ts";
import { cases } from "../whole.ts";
import { judgeWhy } from "./judge.ts";

for (const [name, limit] of [
  ["todo-backend", cases(6, 40)],
  ["blank", cases(5, 9)],
] as const) {
  test(`${name}: a line is listed if and only if an answer of the status depends on it`, async () => {
    const subject = subjects().find((one) => one.name === name);
    assert.ok(subject);
    const report = await judgeWhy(subject, { seed: 1, limit, changesMax: 8, historiesMax: 2 });
    assert.deepEqual(report.unstable, []);
    assert.deepEqual(report.missing, []);
    assert.deepEqual(report.unproven, []);
    assert.ok(report.changes >= limit, `${report.changes} changes`);
  });
}
