/** One small file of each dialect is judged as the campaign judges the large ones. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { judge } from "./judge.ts";

const FOLDER = join(import.meta.dirname, "small");

const OPERATIONS: Readonly<Record<string, number>> = {
  "asyncapi-2.6.yaml": 1,
  "asyncapi-3.0.yaml": 1,
  "openapi-3.0.yaml": 2,
  "openapi-3.1.yaml": 1,
  "openapi-3.2.yaml": 2,
  "swagger-2.0.json": 3,
};

test("each dialect has its small file", () => {
  const files = readdirSync(FOLDER).filter((each) => /\.(ya?ml|json)$/.test(each));
  assert.deepEqual(files.toSorted(), Object.keys(OPERATIONS));
});

for (const [name, operations] of Object.entries(OPERATIONS)) {
  test(`${name} is read, surveyed and counted as by an independent count`, () => {
    const path = join(FOLDER, name);
    const version = name.replace("-", " ").replace(/\.(yaml|json)$/, "");
    assert.deepEqual(judge(path, readFileSync(path)), { is: "read", version, operations });
  });
}
