/** A receiver answers otherwise on purpose when nothing else is on its way there. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { plan as compile } from "../../../src/check/index.ts";
import { Trials, trialsMs, trialsOf } from "../../../src/verify/events/trials.ts";
import type { EventWatch } from "../../../src/verify/events/watch.ts";
import type { Ran } from "../../../src/verify/world/world.ts";
import { compiled, documentOf } from "../clauses/trial.ts";
import { checkedSpec } from "./checked.ts";

const PATIENCE_MS = 400;
const planned = compile(checkedSpec);
assert.ok(planned !== undefined);
const [trial] = trialsOf(planned.plan, PATIENCE_MS);
assert.ok(trial !== undefined);
const TARGET = "/r1";

/** When the receiver was told to behave otherwise, and whether a message had come then. */
async function told(comesAfterMs: number | undefined) {
  const behaved: boolean[] = [];
  const arrivals: object[] = [];
  const messages = [{ arrivals, targets: new Set([TARGET]), isOptional: false }];
  const watch = {
    take: () => {},
    targetOf: () => TARGET,
    ledger: { messages },
    receiver: { behave: async () => void behaved.push(arrivals.length > 0) },
  } as unknown as EventWatch;
  const trials = new Trials(watch, {} as never, {} as never, PATIENCE_MS);
  trials.next = trial;
  const event = { messages: [{ webhook: trial?.webhook.name }] };
  const ran = { events: [event], outcome: { effects: { events: [event] } } } as unknown as Ran;
  const coming = async (): Promise<void> => {
    if (comesAfterMs === undefined) return;
    await setTimeout(comesAfterMs);
    arrivals.push({});
  };
  await Promise.all([trials.before(ran), coming()]);
  const isBegun = await (behaved.length === 0 ? trials.after() : true);
  return { behaved, isBegun, isAwaited: trials.isAwaited };
}

test("what was sent before has come first", async () => {
  assert.deepEqual((await told(60)).behaved, [true]);
});

test("where it does not come, nothing is answered otherwise, and the trial is to be begun", async () => {
  assert.deepEqual(await told(undefined), { behaved: [], isBegun: false, isAwaited: true });
});

const ATTEMPTS = "at once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h";

/** Attempts, how long each may take, the patience, and the seconds that the trials take. */
for (const [attempts, within, patience, expected] of [
  // 410: 1. Recovers: 1 + 5. Fails: 1 + 5, nobody waits for the rest.
  [ATTEMPTS, "15 s", 5, 13],
  // Each may be too late, too: 1 + 5 + 1.5.
  [ATTEMPTS, "1 s", 5, 20.5],
  // 1, 1 + 1, 1 + 1 + 1.5, and 1 + 1 + 1 + 4 + 1.
  ["at once, then after 1 s, 1 s, 4 s, 1 s", "1 s", 4, 14.5],
  // No second attempt is awaited: 1, and 1.
  [ATTEMPTS, "15 s", 4, 2],
] as const) {
  test(`what is kept for ${attempts} within ${within}, with ${patience} s of patience`, () => {
    const { text } = documentOf("orders");
    assert.ok(text.includes(ATTEMPTS) && text.includes("any 2xx within 15 s"));
    const found = compiled(
      text.replace(ATTEMPTS, attempts).replace("2xx within 15 s", `2xx within ${within}`),
    );
    assert.ok(found !== undefined);
    assert.equal(trialsMs(found.plan, patience * 1_000), expected * 1_000);
  });
}
