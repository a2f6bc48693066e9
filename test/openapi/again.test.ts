/** A description that is imported and exported states the same operations and schemas again. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { describe } from "../../src/openapi/index.ts";
import { again } from "./again.ts";

const folder = import.meta.dirname;
const small = readdirSync(join(folder, "small")).filter((one) => /^(open|swag)/.test(one));
const files = ["shop.yaml", ...small.map((one) => join("small", one))];

for (const file of files) {
  test(`imported and exported, it states the same: ${file}`, () => {
    const load = (path: string): Uint8Array => readFileSync(join(folder, file, "..", path));
    const description = describe(file, readFileSync(join(folder, file)), load);
    assert.deepEqual(again(description, file), { errors: [], differences: [], faults: [] });
  });
}
