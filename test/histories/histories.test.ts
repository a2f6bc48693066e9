/** A sample of the campaign: the engine and the reference agree on random histories. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { testSeed } from "../random.ts";
import { cases } from "../whole.ts";
import { campaign } from "./campaign.ts";
import { writtenSubjects } from "./subjects.ts";

const seed = testSeed;
const STEPS = cases(200, 600);

test(`${STEPS} steps of random histories: the same answers, rows and events (seed ${seed})`, async () => {
  const { differences, steps, unsupported } = await campaign({
    seed,
    steps: STEPS,
    length: 40,
    subjects: writtenSubjects(),
    made: true,
    store: "sqlite",
    failuresMax: 1,
    say: () => {},
  });
  assert.deepEqual(differences, [], `SEED=${seed}\n${differences.join("\n")}`);
  assert.ok(steps >= STEPS);
  assert.ok([...unsupported.values()].reduce((sum, one) => sum + one, 0) < STEPS / 50);
});

test(`200 steps on the store in memory (seed ${seed})`, async () => {
  const { differences } = await campaign({
    seed,
    steps: 200,
    length: 40,
    subjects: writtenSubjects(),
    made: true,
    store: "memory",
    failuresMax: 1,
    say: () => {},
  });
  assert.deepEqual(differences, [], `SEED=${seed}\n${differences.join("\n")}`);
});
