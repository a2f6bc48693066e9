/** Contract of rows: what goes in comes out, by key, by keys and among all. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Value } from "../../../src/run/index.ts";
import type { Contender } from "./contender.ts";
import { hostileRow } from "./plan.ts";

/** Tries how a store keeps rows. */
export function rowsContract(store: Contender): void {
  test(`${store.name}: every value comes back as it was, by key, by keys and among all`, () => {
    const session = store.open();
    const values = hostileRow();
    const key = session.insert("Row", values);
    assert.equal(key, 1);
    const row = { resource: "Row", key, values };
    assert.deepEqual(session.get("Row", key), row);
    assert.deepEqual(session.getMany("Row", [7, key, 9]), [row]);
    assert.deepEqual(session.all("Row"), [row]);
    const any = session.get("Row", key)?.values[10] as ReadonlyMap<string, unknown>;
    assert.deepEqual([...any.keys()], ["n", "m", "2", "1"], "members keep their order");
    for (const text of [null, "", "x", undefined]) {
      values[0] = text;
      values[11] = key;
      session.update("Row", key, values);
      assert.deepEqual(session.get("Row", key)?.values, values);
    }
  });

  test(`${store.name}: what is given and got is no part of the store`, () => {
    const session = store.open();
    const values = hostileRow();
    const key = session.insert("Row", values);
    values[1] = "changed outside";
    (session.get("Row", key) as { values: Value[] }).values[1] = "changed outside";
    assert.equal(session.get("Row", key)?.values[1], hostileRow()[1]);
  });

  test(`${store.name}: a key is never used twice`, () => {
    const session = store.open();
    const first = session.insert("Row", hostileRow());
    session.delete("Row", first);
    assert.equal(session.get("Row", first), undefined);
    assert.ok(session.insert("Row", hostileRow()) > first);
  });

  test(`${store.name}: a row that is not there is not found, changed or deleted`, () => {
    const session = store.open();
    assert.equal(session.get("Row", 1), undefined);
    session.update("Row", 1, hostileRow());
    session.delete("Row", 1);
    assert.deepEqual(session.all("Row"), []);
    assert.deepEqual(session.getMany("Row", []), []);
    assert.throws(() => session.get("Nothing", 1), /no table/);
  });

  test(`${store.name}: rows are given by key ascending, and a resource with rows is told`, () => {
    const session = store.open();
    assert.ok(!session.filled().has("Row"));
    const keys = [1, 2, 3].map(() => session.insert("Row", hostileRow()));
    session.delete("Row", keys[1] as number);
    session.update("Row", keys[0] as number, hostileRow());
    assert.deepEqual(
      session.all("Row").map((row) => row.key),
      [keys[0], keys[2]],
    );
    assert.ok(session.filled().has("Row"));
  });
}
