/** Time that others are given is theirs, however busy this thread is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { whenOver } from "../../src/serve/client/patience.ts";

function busy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test("it is over when the time is, and not before, though the turn began long ago", async () => {
  await pause(1);
  busy(80);
  const startMs = performance.now();
  let overMs: number | undefined;
  whenOver(60, () => {
    overMs = performance.now() - startMs;
  });
  while (overMs === undefined) await pause(5);
  assert.ok(overMs >= 58, `over after ${overMs} ms`);
});

test("what came in while this thread was held up is taken first", async () => {
  const order: string[] = [];
  whenOver(20, () => order.push("over"));
  setTimeout(() => setImmediate(() => order.push("in time")), 10);
  // Held up before either is due: a machine that stops in between would change nothing.
  busy(100);
  while (!order.includes("over")) await pause(5);
  assert.deepEqual(order, ["in time", "over"]);
});

test("it can be called off", async () => {
  let isOver = false;
  whenOver(5, () => {
    isOver = true;
  })();
  await pause(30);
  assert.equal(isOver, false);
});
