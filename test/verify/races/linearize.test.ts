/** The check of histories: on small ones written by hand, and on those of others with verdicts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { linearize, type Model, type Operation } from "../../../src/verify/races/linearize.ts";
import { jepsenVerdict, judgeCorpus, textsVerdict } from "./corpus.ts";
import { type Registering, registerModel } from "./models.ts";

/** `write 1 0-5`: what, and from when until when; no end: nobody knows. */
function historyOf(lines: readonly string[]): Operation<Registering>[] {
  return lines.map((line) => {
    const [op = "", value = "", time = ""] = line.split(" ");
    const [from = "0", until = ""] = time.split("-");
    const returned = until === "" ? Number.POSITIVE_INFINITY : Number(until);
    const [a = "", b = "", done] = value.split("/");
    const what: Registering =
      op === "swap"
        ? { op, from: a, to: b, done: done === undefined ? undefined : done === "yes" }
        : { op: op as "read" | "write", value };
    return { called: Number(from), returned, what };
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
    const { is } = linearize(historyOf(lines), registerModel("0"), 1_000);
    assert.equal(is, expected ? "yes" : "no");
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
  assert.equal(jepsenVerdict(log("2")), "yes");
  assert.equal(jepsenVerdict(log("1")), "yes");
  assert.equal(jepsenVerdict(log("3")), "no");
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
  assert.equal(textsVerdict(log('"a"')), "yes");
  assert.equal(textsVerdict(log('"b"')), "no");
});

test("over its budget a history is not judged, and the model is as it was", () => {
  const writes = Array.from({ length: 9 }, (_, i) => `write ${i + 1} 0-9`);
  const history = historyOf([...writes, "read 0 10-11"]);
  const model = registerModel("0");
  assert.equal(linearize(history, model, 50).is, "unknown");
  assert.equal(model.state(), "0");
  assert.equal(linearize(history, model, 1_000_000).is, "no");
  assert.equal(model.state(), "0");
});

test("the order that was found is told, and the model is behind it", () => {
  const model = registerModel("0");
  const lines = ["write 1 0-9", "read 2 1-2", "write 2 0-9", "read 1 10-11", "write 5 3-"];
  assert.deepEqual(linearize(historyOf(lines), model, 1_000), { is: "yes", order: [2, 1, 0, 3] });
  assert.equal(model.state(), "1");
});

test("an operation that may go several ways goes each of them", () => {
  const values: number[] = [0];
  // `add 3` adds any number up to 3; `is 2` is answered where there are 2.
  const ways: Model<string> = {
    step: (what, way) => {
      const [op, number] = what.split(" ");
      const now = values.at(-1) ?? 0;
      const can = op === "add" ? way <= Number(number) : way === 0 && now === Number(number);
      if (can) values.push(now + (op === "add" ? way : 0));
      return can;
    },
    undo: () => void values.pop(),
    state: () => undefined,
    isRead: (what) => what.startsWith("is"),
  };
  const at = (called: number, what: string) => ({ called, returned: called + 1, what });
  assert.equal(linearize([at(0, "add 3"), at(2, "is 4")], ways, 100).is, "no");
  assert.equal(linearize([at(0, "add 3"), at(2, "add 1"), at(4, "is 4")], ways, 100).is, "yes");
});

test("the published verdict on every history", (t) => {
  const judged = judgeCorpus();
  if (judged === undefined) t.skip("corpora/linearizability: not found, skipped");
  else assert.deepEqual(judged, { histories: 108, otherwise: [] });
});
