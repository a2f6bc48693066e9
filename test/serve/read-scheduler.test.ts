/** Long reads take scheduler: each runs once, and what comes in meanwhile is not kept waiting. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ReadScheduler } from "../../src/serve/threads/read-scheduler.ts";

function busy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("reads that were short run at once", () => {
  const scheduler = new ReadScheduler();
  const ran: boolean[] = [];
  for (let i = 0; i < 3; i++) scheduler.take(0, (isLater) => ran.push(isLater));
  assert.deepEqual(ran, [false, false, false]);
});

test("reads of an endpoint that were long run one in a turn, in their order", async () => {
  const scheduler = new ReadScheduler();
  const ran: string[] = [];
  const long = (name: string): void =>
    scheduler.take(1, (isLater) => {
      ran.push(`${name} ${isLater}`);
      busy(12);
    });
  for (const name of ["a", "b", "c", "d"]) long(name);
  assert.deepEqual(ran, ["a false"]);
  for (let i = 0; ran.length < 4 && i < 20; i++) {
    const before = ran.length;
    scheduler.take(2, () => ran.push(`short`));
    assert.equal(ran.pop(), "short", "a short read does not wait");
    await turn();
    assert.ok(ran.length <= before + 1, "one in a turn");
  }
  assert.deepEqual(ran, ["a false", "b true", "c true", "d true"]);
});

test("an endpoint that is short again runs at once again", async () => {
  const scheduler = new ReadScheduler();
  const ran: boolean[] = [];
  scheduler.take(0, () => busy(12));
  for (let i = 0; i < 30; i++) {
    scheduler.take(0, (isLater) => ran.push(isLater));
    await turn();
  }
  assert.equal(ran.length, 30);
  assert.equal(ran[0], true);
  assert.equal(ran.at(-1), false);
});
