/** What every session keeps: one suite for all stores. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Plan } from "../../src/plan/index.ts";
import type { Session, Value } from "../../src/run/index.ts";
import { document } from "../run/document.ts";
import { planOf } from "../run/service.ts";

/** A resource with a field of each way of keeping a value, and one whose references may dangle. */
export const contractPlan: Plan = planOf(
  document({
    resources: `### \`Line\`, a part

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`sku\` | string | required | no | yes | none |
| \`price\` | decimal 2 or null | required | no | yes | none |

### \`Row\`, many \`rows\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`text\` | string or null or absent | optional | no | yes | none |
| \`TEXT\` | string | required | no | yes | none |
| \`big\` | integer | required | no | yes | none |
| \`small\` | integer | required | no | yes | 0 to 100 |
| \`price\` | decimal 2 | required | no | yes | none |
| \`float\` | number | required | no | yes | none |
| \`flag\` | boolean | required | no | yes | none |
| \`at\` | timestamp | required | no | yes | none |
| \`lines\` | list of \`Line\` | required | no | yes | in the order given |
| \`counts\` | map of integer | required | no | yes | none |
| \`any\` | json | required | no | yes | none |
| \`other\` | \`Row\` or null | no | no | no | starts \`null\`; set to null when it is deleted |`,
    states: "- No states: `Row`",
  }),
);

/** Values that a store may lose a part of. */
export function hostileRow(): Value[] {
  return [
    undefined,
    "\u{1F600}\u0000'\"",
    -(10n ** 38n - 1n),
    100n,
    10n ** 30n + 1n,
    5e-324,
    true,
    -62135596800000001n,
    [
      new Map<string, Value>([
        ["sku", "x"],
        ["price", 123456789012345678901n],
      ]),
      new Map<string, Value>([
        ["sku", ""],
        ["price", null],
      ]),
    ],
    new Map<string, Value>([
      ["__proto__", 9007199254740993n],
      ["2", 1n],
      ["1", 2n],
    ]),
    new Map<string, Value>([
      ["n", { numberText: "1.50e400" }],
      ["m", [null, true, "t", new Map()]],
      ["2", ""],
      ["1", { numberText: "-0" }],
    ]),
    null,
  ];
}

/** Runs the suite; `open` gives a new, empty session in a transaction. */
export function sessionContract(name: string, open: () => Session): void {
  test(`${name}: every value comes back as it was, by key, by keys and among all`, () => {
    const session = open();
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

  test(`${name}: what is given and got is no part of the store`, () => {
    const session = open();
    const values = hostileRow();
    const key = session.insert("Row", values);
    values[1] = "changed outside";
    (session.get("Row", key) as { values: Value[] }).values[1] = "changed outside";
    assert.equal(session.get("Row", key)?.values[1], hostileRow()[1]);
  });

  test(`${name}: savepoints nest; undoing takes back rows, changes and counters`, () => {
    const session = open();
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

  test(`${name}: a key is never used twice`, () => {
    const session = open();
    const first = session.insert("Row", hostileRow());
    session.delete("Row", first);
    assert.equal(session.get("Row", first), undefined);
    assert.ok(session.insert("Row", hostileRow()) > first);
  });

  test(`${name}: tallies add up exactly from an instant on`, () => {
    const session = open();
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
  });

  test(`${name}: what is in no window any more is taken out, group after group`, () => {
    const session = open();
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
}
