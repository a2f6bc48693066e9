/** The check of histories: on small ones written by hand, and on those of others with verdicts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Operation } from "./check.ts";
import { isLinearizable } from "./check.ts";
import { jepsenVerdict, textsVerdict } from "./corpus.ts";
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

test("a log of a register is judged", () => {
  const log = (read: string): string =>
    [
      "INFO  jepsen.util - 0\t:invoke\t:write\t1",
      "INFO  jepsen.util - 0\t:ok\t:write\t1",
      "INFO  jepsen.util - 1\t:invoke\t:cas\t[1 2]",
      "INFO  jepsen.util - 1\t:info\t:cas\t:timed-out",
      "INFO  jepsen.util - 2\t:invoke\t:read\tnil",
      `INFO  jepsen.util - 2\t:ok\t:read\t${read}`,
    ].join("\n");
  assert.equal(jepsenVerdict(log("2")), true);
  assert.equal(jepsenVerdict(log("1")), true);
  assert.equal(jepsenVerdict(log("3")), false);
});

test("a log of texts is judged key by key", () => {
  const line = (process: number, type: string, f: string, value: string): string =>
    `{:process ${process}, :type :${type}, :f :${f}, :key "k", :value ${value}}`;
  const log = (seen: string): string =>
    [
      line(0, "invoke", "append", '"a"'),
      line(0, "ok", "append", '"a"'),
      line(1, "invoke", "get", "nil"),
      line(1, "ok", "get", seen),
    ].join("\n");
  assert.equal(textsVerdict(log('"a"')), true);
  assert.equal(textsVerdict(log('"b"')), false);
});
