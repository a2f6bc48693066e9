/** Whatever is read without an error is what a Markdown viewer shows. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readBlocks } from "../../../src/read/blocks/index.ts";
import { testSeed } from "../../random.ts";
import { cases } from "../../whole.ts";
import { ourOutline, viewerOutline } from "./outline.ts";
import { mutate, newRandom, randomDocument } from "./random.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? cases(1500, 20_000));
const root = join(import.meta.dirname, "../../..");
const examples = join(root, "examples");

/** Compares where nothing is reported; says whether it compared. */
function compare(text: string, name: string): boolean {
  const { blocks, findings } = readBlocks(text);
  if (findings.some((finding) => finding.severity === "error")) return false;
  assert.deepEqual(
    ourOutline(text, blocks),
    viewerOutline(text),
    `${name}\n${JSON.stringify(text)}`,
  );
  return true;
}

test("random documents", (t) => {
  const seed = testSeed;
  t.diagnostic(`SEED=${seed} ROUNDS=${ROUNDS}`);
  const random = newRandom(seed);
  const compared = [0, 0, 0];
  const shares = [0, 0.04, 0.3];
  for (let i = 0; i < ROUNDS; i++) {
    const text = randomDocument(random, shares[i % 3] ?? 0);
    if (compare(text, `SEED=${seed} document ${i}`)) compared[i % 3] = (compared[i % 3] ?? 0) + 1;
  }
  t.diagnostic(`compared ${compared.join(" + ")} documents without errors`);
  assert.ok((compared[0] ?? 0) > ROUNDS / 30, "too few documents are free of errors to mean much");
});

test("the examples and mutants of their parts", (t) => {
  const seed = testSeed;
  t.diagnostic(`SEED=${seed}`);
  const random = newRandom(seed);
  let mutants = 0;
  const files = readdirSync(examples).map((name) => join(name, "spec.md"));
  for (const file of files.filter((name) => existsSync(join(examples, name)))) {
    const text = readFileSync(join(examples, file), "utf8");
    assert.ok(
      compare(text, file),
      `${file} has errors: ${JSON.stringify(readBlocks(text).findings)}`,
    );
    const parts = text.split(/^(?=### )/m);
    for (let i = 0; i < ROUNDS / 6; i++) {
      const mutant = mutate(random, `## A\n\n## B\n\n${random.pick(parts)}`);
      if (compare(mutant, `SEED=${seed} ${file} mutant ${i}`)) mutants++;
    }
  }
  t.diagnostic(`compared ${mutants} mutants without errors`);
});
