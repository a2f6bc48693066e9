/** Contract of faults: a store that cannot go on throws a fault of the port, and nothing else. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isStoreFault } from "../../../src/run/ports/index.ts";
import type { Contender } from "./contender.ts";
import { hostileRow } from "./plan.ts";

/** Tries what a store throws that cannot write. */
export function faultsContract({ name, broken, settle = () => {} }: Contender): void {
  test(`${name}: a mistake of the program is no fault of the store`, () => {
    assert.equal(isStoreFault(new Error("StorageFault")), false);
    assert.equal(isStoreFault(Object.assign(new Error(), { name: "StorageFault" })), false);
    assert.equal(isStoreFault(undefined), false);
  });
  if (broken === undefined) return;
  test(`${name}: each way to write throws a fault of the store where none can be done`, () => {
    const session = broken();
    const message = { webhook: "hook", receiver: 1, name: "m", body: "{}", event: "e" };
    const called = { key: "k", work: "w", call: "charge", given: "{}", rows: [], since: 1n };
    const ways: readonly (() => unknown)[] = [
      () => session.insert("Row", hostileRow()),
      () => session.counters.next("c"),
      () => session.counters.atLeast("c", 1n),
      () => session.counters.tally("t", 1, { at: 1n, amount: 1n }),
      () => session.answers.keep("a", 1n, "x"),
      () => session.events.record("e", 1n, "{}"),
      () => session.messages.add([message], 1n),
      () =>
        session.calls.put({ ...called, state: "long", undoes: undefined, due: 1n, attempts: 0 }),
    ];
    for (const way of ways) {
      const done = (): void => {
        way();
        settle();
      };
      assert.throws(done, isStoreFault, String(way));
    }
  });
}
