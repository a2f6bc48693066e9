/** Calls that are not settled: both stores keep, find and undo them alike. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Called } from "../../src/run/index.ts";
import { openStore } from "../../src/store/index.ts";
import { shopPlan } from "../serve/calls/shop.ts";

const { plan } = shopPlan();

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

for (const kind of ["sqlite", "memory"] as const) {
  test(`calls are kept, found by state and time, and undone with their savepoint (${kind})`, (t) => {
    const folder = mkdtempSync(join(tmpdir(), "lacuna-store-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const store = kind === "memory" ? ("memory" as const) : { file: join(folder, "a.sqlite") };
    const opened = openStore(plan, { store, mode: "write" });
    const { session } = opened;
    const { calls } = session;
    opened.begin("write");
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
    opened.commit();
    opened.close();
  });
}
