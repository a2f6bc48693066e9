/** Contract of the outbox: events, messages and calls, found by number, receiver and time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Called, Message } from "../../../src/run/index.ts";
import type { Contender } from "./contender.ts";

function called(key: string, more: Partial<Called> = {}): Called {
  return {
    key,
    work: "w",
    call: "charge",
    given: '{"amount":"1.00"}',
    rows: [],
    state: "long",
    undoes: undefined,
    since: 1n,
    due: 5n,
    attempts: 0,
    ...more,
  };
}

function message(name: string, more: Partial<Message> = {}): Omit<Message, "number"> {
  const rest = { webhook: "hook", receiver: 1, body: `{"of":"${name}"}`, attempts: 0, due: 5n };
  return { ...rest, name, event: "rung", sent: 5n, ...more };
}

function callsContract(store: Contender): void {
  test(`${store.name}: calls are found by state and time, and undone with their savepoint`, () => {
    const session = store.open();
    const { calls } = session;
    const whole = called("k", {
      state: "undo",
      undoes: "j",
      due: 2n ** 61n,
      since: -3n,
      attempts: 7,
      rows: [{ name: "order", resource: "Order", key: 9 }],
    });
    calls.put(whole);
    assert.deepEqual(calls.get("k"), whole);
    calls.put(called("l1", { due: 9n }));
    calls.put(called("l2", { due: 4n }));
    calls.put(called("u", { state: "undo", due: 6n }));
    calls.put(called("a1", { state: "asked", due: 0n }));
    calls.put(called("a2", { state: "asked", work: "v" }));
    assert.deepEqual(
      calls.due("long", 9n, 9).map(({ key }) => key),
      ["l2", "l1"],
    );
    assert.deepEqual(
      calls.due("long", 9n, 1).map(({ key }) => key),
      ["l2"],
    );
    assert.deepEqual(
      calls.due("long", 8n, 9).map(({ key }) => key),
      ["l2"],
    );
    assert.deepEqual(
      calls.due("undo", 6n, 9).map(({ key }) => key),
      ["u"],
    );
    assert.deepEqual(
      calls.asked("w").map(({ key }) => key),
      ["a1"],
    );
    assert.deepEqual(
      calls
        .asked()
        .map(({ key }) => key)
        .sort(),
      ["a1", "a2"],
    );
    assert.equal(calls.nextDue(0n), 4n);
    assert.equal(calls.nextDue(4n), 6n);
    assert.equal(calls.nextDue(2n ** 61n), undefined);
    session.savepoint();
    calls.remove("l2");
    calls.put(called("l1", { due: 1n, attempts: 1 }));
    calls.put(called("n"));
    assert.equal(calls.nextDue(0n), 1n);
    session.rollback();
    assert.deepEqual(calls.due("long", 9n, 9), [
      called("l2", { due: 4n }),
      called("l1", { due: 9n }),
    ]);
    assert.equal(calls.get("n"), undefined);
  });
}

function eventsContract(store: Contender): void {
  test(`${store.name}: events are numbered in the order in which they were recorded`, () => {
    const { events } = store.open();
    assert.equal(events.last(), 0);
    assert.deepEqual(events.after(0, 9), []);
    for (const at of [5n, 3n, 9n]) events.record("e", at, `{"at":"${at}"}`);
    const all = events.after(0, 9);
    assert.deepEqual(
      all.map(({ event, at, content }) => [event, at, content]),
      [
        ["e", 5n, '{"at":"5"}'],
        ["e", 3n, '{"at":"3"}'],
        ["e", 9n, '{"at":"9"}'],
      ],
    );
    const [first, second, third] = all.map((one) => one.number) as [number, number, number];
    assert.ok(first < second && second < third);
    assert.equal(events.last(), third);
    assert.deepEqual(events.after(first, 1), [all[1]]);
    events.forget(4n);
    assert.deepEqual(events.after(0, 9), [all[0], all[2]]);
    assert.equal(events.last(), third);
  });
}

function messagesContract(store: Contender): void {
  test(`${store.name}: messages are found by receiver and time, the earliest first`, () => {
    const { messages } = store.open();
    messages.add([message("a")], 9n);
    messages.add([message("b")], 4n);
    messages.add([message("c", { receiver: 2 })], 7n);
    messages.add([message("d", { webhook: "alarm", receiver: 8 })], 6n);
    const names = (all: readonly Message[]): string[] => all.map((one) => one.name);
    const one = { webhook: "hook", receiver: 1 };
    assert.deepEqual(names(messages.due(one, 9n, 9)), ["b", "a"]);
    assert.deepEqual(names(messages.due(one, 9n, 1)), ["b"]);
    assert.deepEqual(names(messages.due(one, 8n, 9)), ["b"]);
    assert.equal(messages.first(one)?.name, "a", "the earliest cause, whenever it is due");
    assert.equal(messages.first({ webhook: "hook", receiver: 3 }), undefined);
    assert.equal(messages.nextDue(0n), 4n);
    assert.equal(messages.nextDue(7n), 9n);
    assert.equal(messages.nextDue(9n), undefined);
    assert.deepEqual([messages.count(9), messages.count(3)], [4, 3]);
    const [b] = messages.due(one, 4n, 1) as [Message];
    assert.deepEqual(b, { ...message("b", { due: 4n, sent: 4n }), number: b.number });
    messages.put({ ...b, attempts: 3, due: 2n ** 61n });
    assert.deepEqual(names(messages.due(one, 9n, 9)), ["a"]);
    messages.remove(b.number);
    messages.put({ ...b, attempts: 4 });
    assert.deepEqual(messages.due(one, 4n, 9), [{ ...b, attempts: 4 }]);
  });

  test(`${store.name}: receivers with messages that are due follow each other, round and round`, () => {
    const { messages } = store.open();
    assert.deepEqual(messages.receivers(undefined, 9n, 9), []);
    const alarm = message("m", { webhook: "alarm", receiver: 3 });
    messages.add([message("m", { receiver: 10 }), message("m", { receiver: 2 }), alarm], 1n);
    messages.add([message("m", { webhook: "late", receiver: 1 })], 99n);
    const all = [
      { webhook: "alarm", receiver: 3 },
      { webhook: "hook", receiver: 2 },
      { webhook: "hook", receiver: 10 },
    ];
    assert.deepEqual(messages.receivers(undefined, 9n, 9), all);
    assert.deepEqual(messages.receivers(undefined, 9n, 2), all.slice(0, 2));
    for (const [i, one] of all.entries()) {
      assert.deepEqual(messages.receivers(one, 9n, 9), all.slice(i + 1));
    }
  });
}

function manyMessagesContract(store: Contender): void {
  test(`${store.name}: messages that are added together are numbered in their order`, () => {
    const { messages } = store.open();
    const bodies = ["{}", '"\u0000 \\u0000 \ud83d\ude00"', "plain"];
    const all = Array.from({ length: 1_203 }, (_, i) => ({
      webhook: i < 5 ? "alarm" : "hook",
      receiver: (i * 7) % 401,
      name: `m${i}`,
      // Some follow each other with one body, some have each their own.
      body: i < 1_200 ? (bodies[i < 1_100 ? 0 : i % 3] ?? "") : `${i}`,
      event: i % 500 < 250 ? "rung" : "made",
    }));
    messages.add([], 5n);
    messages.add(all, 2n ** 61n);
    messages.add([message("last")], 5n);
    const found: Message[] = [];
    for (const webhook of ["alarm", "hook"]) {
      for (let receiver = 0; receiver < 401; receiver++) {
        found.push(...messages.due({ webhook, receiver }, 2n ** 61n, 9));
      }
    }
    found.sort((a, b) => a.number - b.number);
    assert.deepEqual(
      found.map(({ number: _, ...one }) => one),
      [
        ...all.map((one) => ({ ...one, attempts: 0, due: 2n ** 61n, sent: 2n ** 61n })),
        message("last", { due: 5n }),
      ],
    );
  });
}

/** Tries how a store keeps what is to happen outside. */
export function outboxContract(store: Contender): void {
  eventsContract(store);
  messagesContract(store);
  manyMessagesContract(store);
  callsContract(store);
}
