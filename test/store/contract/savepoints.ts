/** Contract of savepoints: what is undone has never been, in every part of a session. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Contender } from "./contender.ts";
import { hostileRow } from "./plan.ts";

/** Tries what savepoints undo. */
export function savepointsContract(store: Contender): void {
  test(`${store.name}: savepoints nest; undoing takes back rows, changes and counters`, () => {
    const session = store.open();
    const [a, b] = [session.insert("Row", hostileRow()), session.insert("Row", hostileRow())];
    assert.equal(session.counters.next("c"), 1n);
    session.savepoint();
    session.delete("Row", a);
    const changed = hostileRow();
    changed[1] = "inner";
    session.update("Row", b, changed);
    session.savepoint();
    session.insert("Row", hostileRow());
    session.counters.atLeast("c", 10n);
    session.counters.tally("t", 1, { at: 5n, amount: 7n });
    assert.equal(session.counters.next("c"), 11n);
    session.rollback();
    assert.equal(session.counters.next("c"), 2n);
    assert.deepEqual(
      session.all("Row").map((row) => row.values[1]),
      ["inner"],
    );
    session.savepoint();
    session.update("Row", b, hostileRow());
    session.release();
    session.rollback();
    assert.deepEqual(
      session.all("Row").map((row) => row.key),
      [a, b],
    );
    assert.equal(session.get("Row", b)?.values[1], hostileRow()[1]);
    assert.equal(session.counters.next("c"), 2n);
    assert.equal(session.counters.next("d"), 1n);
    session.counters.atLeast("c", 1n);
    assert.equal(session.counters.next("c"), 3n);
  });

  test(`${store.name}: undoing takes back sums, answers, events, messages and calls`, () => {
    const { counters, answers, events, messages, calls, ...session } = bound(store.open());
    const seen = () => ({
      tallies: counters.tallies("t", 1, 0n),
      kept: [answers.kept("a", 0n), answers.kept("b", 0n)],
      events: [events.last(), events.after(0, 9)],
      messages: messages.due({ webhook: "hook", receiver: 1 }, 99n, 9),
      call: calls.get("k"),
    });
    const message = { webhook: "hook", receiver: 1, name: "m", body: "{}", event: "e" };
    const called = { key: "k", work: "w", call: "charge", given: "{}", rows: [], since: 1n };
    const change = (due: bigint): void => {
      counters.tally("t", 1, { at: due, amount: 1n });
      answers.keep("a", due, `at ${due}`);
      events.record("e", due, `{"at":"${due}"}`);
      messages.add([message], due);
      calls.put({ ...called, state: "long", undoes: undefined, due, attempts: 0 });
    };
    change(1n);
    const before = seen();
    session.savepoint();
    change(2n);
    counters.forget("t", 1, 9n);
    answers.forget(9n);
    answers.keep("b", 9n, "b");
    for (const { number } of messages.due(message, 99n, 9)) messages.remove(number);
    events.forget(9n);
    calls.remove("k");
    session.rollback();
    assert.deepEqual(seen(), before);
    session.savepoint();
    change(3n);
    session.release();
    assert.equal(seen().events[0], 2, "numbers of events that were undone are given again");
    assert.equal(seen().messages.length, 2);
  });
}

/** The parts of a session, with the methods that a test takes out of it. */
function bound(session: ReturnType<Contender["open"]>) {
  const { counters, answers, events, messages, calls } = session;
  return {
    ...{ counters, answers, events, messages, calls },
    savepoint: () => session.savepoint(),
    release: () => session.release(),
    rollback: () => session.rollback(),
  };
}
