/** Requests of which few are let through are kept once something is found to be broken. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isNearlyUsedUp, type Purpose, Sparing } from "../../src/verify/generate/scarce.ts";
import { nowMicros } from "../../src/verify/talk/client.ts";
import { World } from "../../src/verify/world/world.ts";
import { compiled, documentOf } from "./clauses/trial.ts";

const bank = documentOf("bank");
const LIMIT = "| address | 5 | 1 h, fixed |";
const KEPT = 8;

for (const amount of [5, 12]) {
  test(`of ${amount} a quarter is spared, the last ${KEPT} where something is broken`, () => {
    assert.ok(bank.text.includes(LIMIT));
    const found = compiled(bank.text.replace(LIMIT, `| address | ${amount} | 1 h, fixed |`));
    assert.ok(found !== undefined);
    const world = new World(found.plan, { settings: new Map([["bank_zone", "Europe/Berlin"]]) });
    const now = nowMicros();
    world.start(now);
    let isBroken = false;
    const sparing = new Sparing(() => isBroken);
    const spared: boolean[] = [];
    for (let i = 0; i < amount; i++) {
      const body = `{"bank":"Bank ${i}","manager":"Mary"}`;
      const headers = [["Content-Type", "application/json"]] as const;
      const ran = world.run({ method: "POST", target: "/v1/tenants", headers, body }, { now });
      assert.equal(ran.outcome.response.status, 201);
      sparing.note(ran, world.rates);
      isBroken = false;
      assert.equal(sparing.isSpared(ran, "a limit"), false);
      for (const purpose of ["a clause", "what is new"] as const) {
        assert.equal(sparing.isSpared(ran, purpose), amount - i - 1 <= Math.floor(amount / 4));
      }
      isBroken = true;
      spared.push(sparing.isSpared(ran, "a limit"));
      assert.equal(sparing.isSpared({ endpoint: found.plan.endpoints[1] }, "what is new"), false);
    }
    assert.deepEqual(
      spared,
      spared.map((_, i) => amount - i - 1 < KEPT),
    );
  });
}

test("a third is kept for clauses, a few for the end, by each second caller for limits, too", () => {
  const found = compiled(documentOf("orders").text);
  assert.ok(found !== undefined);
  const world = new World(found.plan);
  const now = nowMicros();
  world.start(now);
  const kinds = new Set<string>();
  for (const name of ["Ada", "Grace"]) {
    const headers = [["Content-Type", "application/json"]] as const;
    const body = JSON.stringify({ name });
    const opened = world.run({ method: "POST", target: "/v1/accounts", headers, body }, { now });
    const { key } = JSON.parse(opened.outcome.response.body ?? "") as { readonly key: string };
    const asks = [["Authorization", `Bearer ${key}`]] as const;
    for (let left = 59n; left >= 0n; left--) {
      world.run({ method: "GET", target: "/v1/account", headers: asks }, { now });
      const [passed] = world.rates?.passed ?? [];
      assert.equal(passed?.left, left);
      const isKeptFor = (purpose: Purpose, hasEnd: boolean): boolean =>
        isNearlyUsedUp(world.rates, { purpose, hasEnd });
      assert.equal(isKeptFor("a clause", true), left < 3n);
      assert.equal(isKeptFor("a clause", false), false);
      for (const hasEnd of [true, false]) {
        assert.equal(isKeptFor("what is new", hasEnd), left < 20n);
      }
      const isKept = isKeptFor("a limit", true);
      assert.equal(isKept, left < 3n && passed.group % 2 === 0);
      kinds.add(`${isKept}`);
    }
  }
  assert.equal(kinds.size, 2);
});
