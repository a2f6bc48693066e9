/** What is due and cannot be done keeps nothing else waiting, however long it takes to be tried. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Firing } from "../../src/serve/engine/firing.ts";
import { example } from "./document.ts";

const VAIN = 8;
const EACH_MS = 15;
const GOES_MAX = 40;

test("firing comes to its end where much is tried in vain and others write in between", () => {
  const names = [...Array.from({ length: VAIN }, (_, i) => `vain ${i}`), "well"];
  const done = new Set<string>();
  const dueOf = (name: string) => ({ item: name, resource: "Order", key: 1, at: 1n });
  const program = {
    anyDue: () => names.some((one) => !done.has(one)),
    fireDue: (
      _session: unknown,
      _ambient: unknown,
      _count: number,
      host: { waits(firing: unknown): boolean },
    ) => {
      const name = names.find((one) => !done.has(one) && !host.waits(dueOf(one)));
      if (name === undefined) return [];
      const until = performance.now() + EACH_MS;
      while (performance.now() < until);
      if (name === "well") done.add(name);
      const effects = { events: [], gaps: [], faults: [] };
      return [{ due: dueOf(name), effects, left: name !== "well" }];
    },
  };
  const calls = { any: false, fired: () => true, forget: () => {} };
  const outbox = { note: () => {}, record: () => {} };
  const { plan } = example("orders");
  const parts = { plan, program, calls, storage: { session: {} } };
  const firing = new Firing(parts as never, outbox as never);
  const goes = (between: () => void): number => {
    for (let count = 1; count < GOES_MAX; count++) {
      between();
      firing.within(1n);
      if (!firing.more) return count;
    }
    return GOES_MAX;
  };
  assert.ok(goes(() => firing.written()) < GOES_MAX);
  assert.ok(done.has("well"));
  assert.equal(firing.stuck, false, "something was written meanwhile");
  assert.ok(goes(() => firing.begun()) < GOES_MAX);
  assert.equal(firing.stuck, true, "nothing was written: it is not tried without end");
  firing.begun();
  firing.within(1n);
  assert.equal(firing.more, false, "who waited for it has a turn");
});
