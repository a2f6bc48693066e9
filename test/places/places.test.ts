/** Every type and rule of the tables has samples that the cells are made of. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { rulesWithoutSample } from "./rules.ts";
import { typesWithoutSample } from "./types.ts";

test("every type, tail and rule of the tables has a sample", () => {
  assert.deepEqual([...typesWithoutSample(), ...rulesWithoutSample()], []);
});
