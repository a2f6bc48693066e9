/** Nobody reaches rows of another tenant, or a secret, by any way that the tables know. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { campaign } from "./campaign.ts";
import { tenantsPlan } from "./document.ts";
import { caught, seeded } from "./seeded.ts";
import { statedWays } from "./ways.ts";

/** Ways by which the owner is told the same in both worlds: of one project, in one order. */
const BLUNT_MAX = 5;

test("every way to a hidden row is shut for all but its owner", async () => {
  const wanted = statedWays();
  const { plan, ways } = tenantsPlan(wanted);
  assert.deepEqual(
    wanted.filter((one) => !ways.includes(one)).map(({ name }) => name),
    [],
  );
  const { leaks, effective } = await campaign(plan, ways);
  assert.deepEqual(leaks, []);
  const blunt = ways.filter(({ name, writes }) => writes !== true && !effective.has(name));
  assert.ok(blunt.length <= BLUNT_MAX, blunt.map(({ name }) => name).join());
  for (const way of ["path", "list", "kept answer", "stream"]) assert.ok(effective.has(way), way);
});

for (const one of seeded) {
  test(`the campaign of tenants finds that ${one.name}`, async () => {
    assert.equal(await caught(one), true);
  });
}
