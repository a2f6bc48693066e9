/** What was counted for many does not stay for ever. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Counters } from "../../src/run/index.ts";
import { Pruner } from "../../src/run/index.ts";

test("groups that come once leave with their window", () => {
  const counted = new Map<number, bigint>();
  const counters: Pick<Counters, "prune"> = {
    prune: (name: string, after: number | undefined, from: bigint) => {
      assert.equal(name, "pace");
      const group = [...counted.keys()].sort((a, b) => a - b).find((one) => one > (after ?? -1));
      if (group !== undefined && (counted.get(group) ?? 0n) < from) counted.delete(group);
      return group;
    },
  };
  const pruner = new Pruner("pace");
  let most = 0;
  for (let i = 0n; i < 6_000n; i++) {
    // Groups in no order, as addresses come.
    counted.set(Number((i * 7_919n) % 1_000_003n), i);
    pruner.counted(counters, i - 300n);
    most = Math.max(most, counted.size);
  }
  assert.ok(most < 1_500, `${most} groups were held where 300 are in the window`);
});
