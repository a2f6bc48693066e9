/** The check of histories: on small ones written by hand, and on those of others with verdicts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Operation } from "./check.ts";
import { isLinearizable } from "./check.ts";
import { FOLDER, judgeCorpus } from "./corpus.ts";
import type { Registering } from "./models.ts";
import { register } from "./models.ts";

/** `write 1 0-5`: what, and from when until when; no end: nobody knows. */
function historyOf(lines: readonly string[]): Operation<Registering>[] {
  return lines.map((line) => {
    const [op = "", value = "", time = ""] = line.split(" ");
    const [from = "0", until = ""] = time.split("-");
    const end = until === "" ? Number.POSITIVE_INFINITY : Number(until);
    const [a = "", b = "", done] = value.split("/");
    const is: Registering =
      op === "swap"
        ? { op, from: a, to: b, done: done === undefined ? undefined : done === "yes" }
        : { op: op as "read" | "write", value };
    return { start: Number(from), end, is };
  });
}

const HISTORIES: readonly (readonly [string, boolean, readonly string[]])[] = [
  ["nothing", true, []],
  ["one after the other", true, ["write 1 0-1", "read 1 2-3", "write 2 4-5", "read 2 6-7"]],
  ["a lost write", false, ["write 1 0-1", "read 0 2-3"]],
  ["a stale read", false, ["write 1 0-1", "write 2 2-3", "read 1 4-5"]],
  ["reads during a write", true, ["write 1 0-9", "read 0 1-2", "read 1 3-4"]],
  ["a write that is undone", false, ["write 1 0-9", "read 1 1-2", "read 0 3-4"]],
  ["a write in doubt that was done", true, ["write 1 0-", "read 0 1-2", "read 1 3-4"]],
  ["a write in doubt that was not", true, ["write 1 0-", "read 0 1-2", "read 0 3-4"]],
  ["two winners", false, ["swap 0/1/yes 0-5", "swap 0/2/yes 0-5"]],
  ["one winner", true, ["swap 0/1/yes 0-5", "swap 0/2/no 0-5", "read 1 6-7"]],
  ["no winner", false, ["swap 0/1/no 0-5", "swap 0/2/no 0-5"]],
  ["a swap in doubt that explains", true, ["swap 0/1 0-", "swap 0/2/no 1-5", "read 1 6-7"]],
];

for (const [what, expected, lines] of HISTORIES) {
  test(`a history is judged: ${what}`, () => {
    const model = { initial: "0", step: register };
    assert.equal(isLinearizable(historyOf(lines), model), expected);
  });
}

test("histories that others recorded are judged as they judged them", (t) => {
  // The longest take seconds: they are judged in the whole crash run.
  const judged = judgeCorpus((name) => !name.startsWith("kv/c50"));
  if (judged === undefined) {
    t.skip(`${FOLDER} not found, skipped`);
    return;
  }
  assert.deepEqual(judged.otherwise, []);
  assert.ok(judged.histories > 100, `${judged.histories} histories`);
});
