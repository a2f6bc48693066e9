/** A sample of `npm run test:races`: requests at the same time, to a right service and a racy one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { faults, verified } from "./judged.ts";
import type { Fault } from "./service.ts";

/** Few requests before the races. */
const REQUESTS = 30;

test("no answer of a right service is called broken, however many are asked for at once", async () => {
  const { session, races } = await verified(1, undefined, { requests: REQUESTS, races: 120 });
  assert.deepEqual(
    session.breaks.map(({ items }) => items),
    [],
  );
  assert.ok((races?.run ?? 0) > 3, JSON.stringify(races));
});

const found: Fault = "double transition";

test(`found, and its line named: ${found}`, async () => {
  const { session } = await verified(1, found, { requests: 60 });
  const named = session.breaks.flatMap(({ items }) => items);
  assert.ok(
    faults[found].some((item) => named.includes(item)),
    named.join(),
  );
  const race = session.breaks.find(({ race: one }) => one !== undefined)?.race;
  assert.ok(new Set(race?.raced.map(({ client }) => client)).size > 1);
});
