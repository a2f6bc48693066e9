/** In which order messages arrive is not shown: one alone needs none, a second one meets the gap. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bells, eventually, hook, post, quiet, SECOND, started } from "./bells.ts";
import { receiver } from "./receiver.ts";

const HIDDEN = { "Order of arrival": "not shown" };

test("a message is sent where none waits for the receiver; another one meets the gap", async (t) => {
  const there = await receiver(t);
  const { address, clock, lines } = await started(t, bells(HIDDEN));
  await post(address, "/hooks", hook("a", there.address));
  await post(address, "/bells", { name: "first" });
  await there.until(1);
  await quiet();
  await post(address, "/bells", { name: "second" });
  await there.until(2);
  await quiet();
  assert.equal(lines.filter((line) => /order of arrival/i.test(line)).length, 0);
  there.answer = () => 500;
  await post(address, "/bells", { name: "third" });
  await there.until(3);
  await quiet();
  // The third waits for its next attempt.
  await post(address, "/bells", { name: "fourth" });
  await eventually(() => lines.some((line) => /order of arrival/i.test(line)));
  there.answer = () => 200;
  clock.move(5n * SECOND);
  await there.until(4);
  await quiet();
  assert.equal(there.got.length, 4);
  const names = there.got.map(({ body }) => (JSON.parse(body) as { data: { name: string } }).data);
  assert.deepEqual(
    names.map(({ name }) => name),
    ["first", "second", "third", "third"],
  );
  // None waits any more, but the one that was kept back has not arrived.
  await post(address, "/bells", { name: "fifth" });
  await eventually(() => lines.filter((line) => /order of arrival/i.test(line)).length > 1);
  await quiet();
  assert.equal(there.got.length, 4);
});

test("a message that may arrive but once is not sent where the order is not shown", async (t) => {
  const there = await receiver(t);
  const { address, lines } = await started(t, bells({ ...HIDDEN, Guarantee: "at most once" }));
  await post(address, "/hooks", hook("a", there.address));
  await post(address, "/bells", { name: "first" });
  await eventually(() => lines.some((line) => /order of arrival/i.test(line)));
  await quiet();
  assert.equal(there.got.length, 0);
});
