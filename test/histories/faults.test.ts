/** Deliberate faults of the engine are caught by random histories. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { testSeed } from "../random.ts";
import { FAULTS, type Fault, faulty } from "./faults.ts";
import { runHistory, type Subject } from "./history.ts";
import { madeSubject, writtenSubjects } from "./subjects.ts";

const seed = testSeed;
/** Faults that show in few histories, so that the tests are quick. */
const QUICK = new Set([
  "a deleted row stays",
  "a list comes in the opposite order",
  "the last row of a list is left out",
  "orders are turned",
  "invariants are not judged",
  "the first failure alone is told",
]);
/** `FAULTS=all`: every one. */
const chosen =
  process.env["FAULTS"] === "all" ? FAULTS : FAULTS.filter((one) => QUICK.has(one.name));
const HISTORIES_MAX = 400;
let written: readonly Subject[] = [];

before(() => {
  written = writtenSubjects();
});

const made = new Map<number, Subject>();

/** The document made from a seed, once for all faults. */
function madeOnce(from: number): Subject {
  const subject = made.get(from) ?? madeSubject(from);
  made.set(from, subject);
  return subject;
}

/** The number of the history that shows the fault; undefined: none does. */
async function caughtBy(fault: Fault): Promise<number | undefined> {
  for (let i = 0, ran = 0; ran < HISTORIES_MAX && i < HISTORIES_MAX * 4; i++) {
    const one = i % 2 === 0 ? madeOnce(seed + i) : (written[(i >> 1) % written.length] as Subject);
    const subject = faulty(one, fault);
    if (subject === undefined) continue;
    ran++;
    const mend = "seed" in fault ? fault.seed() : undefined;
    try {
      const { difference } = await runHistory(subject, { seed: seed + i, count: 40 });
      if (difference !== undefined) return ran;
    } finally {
      mend?.();
    }
  }
  return undefined;
}

for (const fault of chosen) {
  test(`caught: ${fault.name} (seed ${seed})`, async (t) => {
    const ran = await caughtBy(fault);
    assert.ok(ran !== undefined, `not in ${HISTORIES_MAX} histories`);
    t.diagnostic(`history ${ran}`);
  });
}

test("without a fault the same histories show no difference", async () => {
  const { difference } = await runHistory(madeSubject(seed), { seed, count: 40 });
  assert.equal(difference, undefined);
});

after(() => {
  written = [];
  made.clear();
});
