/** Contract of counters and of kept answers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Contender } from "./contender.ts";

/** Tries how a store counts, and how it keeps answers. */
export function countersContract(store: Contender): void {
  test(`${store.name}: tallies add up exactly from an instant on`, () => {
    const session = store.open();
    for (const [at, amount] of [
      [1n, 1n],
      [5n, 10n ** 30n],
      [9n, 10n ** 30n],
    ] as const) {
      session.counters.tally("t", 3, { at, amount });
    }
    session.counters.tally("t", 4, { at: 9n, amount: 1n });
    assert.equal(session.counters.tallied("t", 3, 5n), 2n * 10n ** 30n);
    assert.equal(session.counters.tallied("t", 3, 0n), 2n * 10n ** 30n + 1n);
    assert.equal(session.counters.tallied("t", 5, 0n), 0n);
    assert.equal(session.counters.tallied("t", 3, 0n, 4n), 1n);
    assert.deepEqual(session.counters.tallies("t", 3, 0n, 4n).length, 1);
  });

  test(`${store.name}: a counter goes on from where it is, be its name never so long`, () => {
    const { counters } = store.open();
    const long = Array.from({ length: 1_000 }, (_, i) => (i * 7_919 * 7_919) % 100_003).join(" ");
    for (const name of ["a", `${long} a`, `${long} b`]) {
      assert.equal(counters.next(name), 1n);
      assert.equal(counters.next(name), 2n);
      counters.atLeast(name, 9n);
      counters.atLeast(name, 3n);
      assert.equal(counters.next(name), 10n);
    }
    counters.atLeast("b", 4n);
    assert.equal(counters.next("b"), 5n);
  });

  test(`${store.name}: what is in no window any more is taken out, group after group`, () => {
    const session = store.open();
    for (const group of [9, 2, 70_000_000_000, 5]) {
      for (const at of [1n, 5n, 9n]) session.counters.tally("t", group, { at, amount: 1n });
    }
    session.counters.tally("u", 3, { at: 1n, amount: 1n });
    const groups: (number | undefined)[] = [];
    let after: number | undefined;
    do {
      after = session.counters.prune("t", after, 5n);
      groups.push(after);
    } while (after !== undefined);
    assert.deepEqual(groups, [2, 5, 9, 70_000_000_000, undefined]);
    for (const group of [9, 2, 70_000_000_000, 5]) {
      assert.deepEqual(session.counters.tallies("t", group, 0n), [5n, 9n]);
    }
    assert.deepEqual(session.counters.tallies("u", 3, 0n), [1n]);
    assert.equal(session.counters.prune("t", undefined, 10n), 2);
    assert.equal(session.counters.prune("t", undefined, 10n), 5, "a group without entries is none");
  });

  test(`${store.name}: what was counted before an instant is forgotten, for its group alone`, () => {
    const { counters } = store.open();
    for (const at of [9n, 1n, 5n]) counters.tally("t", 1, { at, amount: 1n });
    counters.tally("t", 2, { at: 1n, amount: 1n });
    counters.forget("t", 1, 5n);
    assert.deepEqual(counters.tallies("t", 1, 0n), [5n, 9n]);
    assert.deepEqual(counters.tallies("t", 1, 6n), [9n]);
    assert.deepEqual(counters.tallies("t", 2, 0n), [1n]);
  });

  test(`${store.name}: an answer is kept under its name until its time has passed`, () => {
    const { answers } = store.open();
    answers.keep("a", 5n, "first");
    answers.keep("b", 3n, "\u0000 other");
    assert.equal(answers.kept("a", 5n), "first");
    assert.equal(answers.kept("a", 6n), undefined);
    assert.equal(answers.kept("c", 0n), undefined);
    answers.keep("a", 7n, "second");
    assert.equal(answers.kept("a", 6n), "second");
    answers.forget(4n);
    assert.equal(answers.kept("b", 0n), undefined);
    assert.equal(answers.kept("a", 0n), "second");
  });
}
