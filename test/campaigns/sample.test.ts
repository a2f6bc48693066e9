/** A sample of the mutation run and of the fuzz run; both print their seed and take it from SEED. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { randomFrom, testSeed } from "../random.ts";
import { cases } from "../whole.ts";
import { examples, exampleText } from "./examples.ts";
import { fuzz } from "./fuzz.ts";
import { sampleOf } from "./mutants.ts";
import { judge } from "./mutation.ts";

const MUTANTS = cases(60, 1200);
const DOCUMENTS = cases(400, 8000);
const MEMORY_MAX_BYTES = 1024 * 1024 * 1024;

test(`of ${MUTANTS} mutants of the examples none is without effect`, (t) => {
  const seed = testSeed;
  t.diagnostic(`SEED=${seed}`);
  const random = randomFrom(seed);
  const texts = examples().map((name) => [name, exampleText(name)] as const);
  let tried = 0;
  const mutants = sampleOf(texts, MUTANTS, random);
  for (const [name, text] of texts) {
    const tally = judge(text, mutants.get(name) ?? []);
    tried += tally.mutants;
    const idle = tally.without.map(({ line, before, after }) => `${line}: ${before} -> ${after}`);
    assert.deepEqual(idle, [], `SEED=${seed} ${name}`);
  }
  t.diagnostic(`${tried} mutants`);
  assert.ok(tried > MUTANTS / 2);
});

test(`of ${DOCUMENTS} documents none makes read, check, plan or format throw or hang`, (t) => {
  const seed = testSeed;
  const result = fuzz({ seed, count: DOCUMENTS, failuresMax: 1 });
  t.diagnostic(`SEED=${seed} slowest ${Math.round(result.slowestMs)} ms`);
  const [failure] = result.failures;
  assert.equal(failure, undefined, `SEED=${seed} ${failure?.fault}\n${failure?.document}`);
  assert.ok(result.peakBytes < MEMORY_MAX_BYTES, `${result.peakBytes} bytes`);
});
