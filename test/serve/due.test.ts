/** What is due is asked of the store when it has changed, and known by the clock until then. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Program } from "../../src/run/index.ts";
import { isDue, type KnownDue } from "../../src/serve/engine/due.ts";
import { fakeStorage } from "./fake.ts";

function parts(held: { version: unknown; at: bigint | undefined }) {
  const asked: string[] = [];
  const program = {
    anyDue: (_: unknown, now: bigint) => {
      asked.push("any");
      return held.at !== undefined && held.at <= now;
    },
    nextDue: () => {
      asked.push("next");
      return held.at;
    },
  } as unknown as Program;
  const record = { log: [], items: [], failing: false, due: undefined } as unknown as Parameters<
    typeof fakeStorage
  >[0];
  return { asked, program, storage: { ...fakeStorage(record), version: () => held.version } };
}

test("a reader asks once for each state of the store", () => {
  const held = { version: 1 as unknown, at: 10n as bigint | undefined };
  const of = parts(held);
  const known: KnownDue = { version: undefined, at: undefined };
  assert.deepEqual(
    [9n, 10n, 11n, 5n].map((now) => isDue(known, of, now)),
    [false, true, true, false],
  );
  assert.deepEqual(of.asked, ["next"]);
  Object.assign(held, { version: 2, at: undefined });
  assert.equal(isDue(known, of, 100n), false);
  Object.assign(held, { version: 3, at: 50n });
  assert.equal(isDue(known, of, 100n), true);
  assert.deepEqual(of.asked, ["next", "next", "next"]);
});

test("who may change the store asks each time", () => {
  const held = { version: undefined as unknown, at: 10n as bigint | undefined };
  const of = parts(held);
  const known: KnownDue = { version: undefined, at: undefined };
  assert.equal(isDue(known, of, 9n), false);
  held.at = 9n;
  assert.equal(isDue(known, of, 9n), true);
  assert.deepEqual(of.asked, ["any", "any"]);
});
