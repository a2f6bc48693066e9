/** Every type and rule of the tables has samples that the cells are made of. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cases } from "../whole.ts";
import { allCells } from "./cells.ts";
import { judge } from "./judge.ts";
import { rulesWithoutSample } from "./rules.ts";
import { typesWithoutSample } from "./types.ts";

test("every type, tail and rule of the tables has a sample", () => {
  assert.deepEqual([...typesWithoutSample(), ...rulesWithoutSample()], []);
});

/** `npm run test:places` judges them all. */
const SHARE = cases(800, 100);

test("a share of all cells: refused with a reason, or served as the tables say", async () => {
  const cells = allCells().filter((_, i) => i % SHARE === 0);
  for (const { name, slot, make } of cells) {
    const verdict = await judge({ name, slot, make });
    assert.notEqual(verdict.is, "wrong", `${name}: ${JSON.stringify(verdict)}`);
  }
});
