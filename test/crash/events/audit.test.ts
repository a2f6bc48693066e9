/** The comparisons of messages and streams find every kind of fault, and none where all is well. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outgoing } from "./deliveries.ts";
import { undelivered, withoutCause } from "./deliveries.ts";
import type { Happened } from "./feeds.ts";
import { misread } from "./feeds.ts";
import type { Arrival } from "./hooks.ts";
import { HOOKS } from "./hooks.ts";
import type { Seen } from "./readers.ts";
import { Reader } from "./readers.ts";

const CAUSES = new Map([
  ["transfer.done w1", 1],
  ["task.finished w2", 2],
  ["account.opened w4", 3],
  ["task.finished w5", 4],
  ["transfer.done w6", 5],
]);
const hookKey = (name: string): number => HOOKS.findIndex((one) => one.name === name);

function arrival(hook: string, event: string, tag: string): Arrival {
  return { hook, event, tag, id: `${hook} ${tag}` };
}

const ARRIVALS = [
  arrival("retried-well-", "transfer.done", "w1"),
  arrival("ordered-well-", "task.finished", "w2"),
  arrival("once-well-", "account.opened", "w4"),
  arrival("ordered-moody-2", "task.finished", "w2"),
  arrival("ordered-well-", "task.finished", "w5"),
  arrival("retried-never-6", "transfer.done", "w6"),
  arrival("retried-well-", "transfer.done", "w6"),
] as const;

interface Case {
  readonly arrivals: Arrival[];
  readonly waiting: { receiver: number; body: string }[];
  readonly failures: Map<string, number>;
  readonly taken: Set<string>;
  readonly causes: Map<string, number>;
}

/** All was taken at once; what `retried-never-6` was to get has been given up. */
function sound(): Case {
  const taken = ARRIVALS.filter(({ hook }) => hook !== "retried-never-6").map(
    ({ hook, id }) => `${hook} ${id}`,
  );
  return {
    arrivals: [...ARRIVALS],
    waiting: [],
    failures: new Map([["retried-never-6", 1]]),
    taken: new Set(taken),
    causes: new Map(CAUSES),
  };
}

function judged({ arrivals, waiting, failures, taken, causes }: Case): string[] {
  const hooks = new Map(
    HOOKS.map(({ name }, key) => [name, { key, failures: failures.get(name) ?? 0, refusals: 0 }]),
  );
  const outgoing: Outgoing = { hooks, causes, waiting };
  const received = { arrivals, taken, odd: [] };
  return [...withoutCause(outgoing, received), ...undelivered(outgoing, received, 0)];
}

function waits(hook: string, type: string, tag: string): Case["waiting"][number] {
  return { receiver: hookKey(hook), body: JSON.stringify({ type, data: { tag } }) };
}

const FAULTS: readonly (readonly [RegExp, (one: Case) => unknown])[] = [
  [
    /without a cause came/,
    ({ arrivals }) => arrivals.push(arrival("retried-well-", "transfer.done", "w99")),
  ],
  [
    /without a cause came/,
    ({ arrivals }) => arrivals.push(arrival("ordered-well-", "transfer.done", "w1")),
  ],
  [
    /without a cause waits/,
    ({ waiting }) => waiting.push(waits("retried-well-", "transfer.done", "w99")),
  ],
  [
    /wait twice/,
    ({ waiting }) => {
      for (let i = 0; i < 2; i++) waiting.push(waits("retried-well-", "transfer.done", "w1"));
    },
  ],
  [
    /lost: 1 messages for retried-well- were never taken/,
    ({ taken }) => taken.delete("retried-well- retried-well- w1"),
  ],
  [/lost: 1 messages never came to retried-well-/, ({ arrivals }) => arrivals.shift()],
  [/lost: 1 messages for retried-never-6/, ({ failures }) => failures.clear()],
  [/2 messages given up of 1/, ({ failures }) => failures.set("retried-never-6", 2)],
  [/once-well-: .* came twice/, ({ arrivals }) => arrivals.push(ARRIVALS[2])],
  [
    /lost: 5 messages never came to once-well-/,
    ({ causes }) => {
      for (let i = 0; i < 5; i++) causes.set(`account.opened x${i}`, 100 + i);
    },
  ],
  [/ordered-well-: .*w2 came after a later one/, ({ arrivals }) => arrivals.push(ARRIVALS[1])],
  [
    /retried-well-: .*w1 came as other/,
    ({ arrivals }) => arrivals.push({ ...ARRIVALS[0], id: "other" }),
  ],
];

test("messages are compared with their causes", () => {
  assert.deepEqual(judged(sound()), []);
  for (const [expected, spoil] of FAULTS) {
    const one = sound();
    spoil(one);
    const faults = judged(one);
    assert.ok(
      faults.some((text) => expected.test(text)),
      `${expected}: ${faults.join("; ")}`,
    );
  }
});

const HAPPENED: Happened = new Map([
  [1, { name: "transfer.done w1", amount: 41 }],
  [2, { name: "task.finished w2", amount: 0 }],
  [4, { name: "transfer.done w3", amount: 40 }],
  [5, { name: "transfer.done w4", amount: 90 }],
]);

function seen(...numbers: readonly number[]): Seen[] {
  return numbers.map((number) => {
    const [event = "", tag = ""] = (HAPPENED.get(number)?.name ?? "task.finished w9").split(" ");
    return { number, event, tag };
  });
}

const READINGS: readonly (readonly [string, Seen[], RegExp | undefined])[] = [
  ["feed", seen(1, 2, 4, 5), undefined],
  ["feed", seen(1, 2), undefined],
  ["large", seen(1, 5), undefined],
  ["feed", seen(1, 4), /never got 2/],
  ["feed", seen(1, 2, 2), /got 2 after 2/],
  ["feed", seen(2, 1), /got 1 after 2/],
  ["feed", seen(1, 2, 3), /got 3 .*, is nothing/],
  ["feed", [{ number: 1, event: "transfer.done", tag: "w2" }], /got 1 .*, is transfer.done w1/],
  ["large", seen(1, 4, 5), /may not see/],
  ["large", seen(5), /never got 1/],
];

test("what readers of streams saw is compared with what happened", () => {
  for (const [stream, got, expected] of READINGS) {
    const reader = new Reader(stream, "steady", { random: () => 0 });
    reader.seen.push(...got);
    const faults = misread(reader, HAPPENED);
    if (expected === undefined) assert.deepEqual(faults, []);
    else
      assert.ok(
        faults.some((text) => expected.test(text)),
        `${expected}: ${faults.join("; ")}`,
      );
  }
});
