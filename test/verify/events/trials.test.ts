/** A receiver answers otherwise on purpose when nothing else is on its way there. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { plan as compile } from "../../../src/check/index.ts";
import { Trials, trialsOf } from "../../../src/verify/events/trials.ts";
import type { EventWatch } from "../../../src/verify/events/watch.ts";
import type { Ran } from "../../../src/verify/world/world.ts";
import { checkedSpec } from "./checked.ts";

const PATIENCE_MS = 400;
const planned = compile(checkedSpec);
assert.ok(planned !== undefined);
const [trial] = trialsOf(planned.plan, PATIENCE_MS);
assert.ok(trial !== undefined);
const TARGET = "/r1";

/** When the receiver was told to behave otherwise, and whether a message had come then. */
async function told(comesAfterMs: number | undefined): Promise<readonly boolean[]> {
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
  return behaved;
}

test("what was sent before has come first", async () => {
  assert.deepEqual(await told(60), [true]);
});

test("where it does not come, nothing is answered otherwise", async () => {
  assert.deepEqual(await told(undefined), []);
});
