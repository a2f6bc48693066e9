/** The plan of every document is as its published schema says, and the schema sees what is not. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { plan } from "../../src/check/index.ts";
import { checkBytes } from "../../src/cli/pipeline.ts";

const root = join(import.meta.dirname, "../..");
const schema = JSON.parse(readFileSync(join(root, "docs/schema/plan.schema.json"), "utf8"));
const isPlan = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);

const examples = readdirSync(join(root, "examples"))
  .map((name) => join(root, "examples", name, "spec.md"))
  .filter((file) => existsSync(file));
const unseen = readdirSync(join(root, "test/unseen"))
  .filter((name) => name.endsWith(".md"))
  .map((name) => join(root, "test/unseen", name));

function planOf(file: string): Record<string, unknown> {
  const planned = plan(checkBytes(readFileSync(file)));
  assert.ok(planned, file);
  return JSON.parse(JSON.stringify(planned.plan));
}

for (const file of [...examples, ...unseen]) {
  test(`the plan of ${file.slice(root.length + 1)} is as the schema says`, () => {
    assert.ok(isPlan(planOf(file)), JSON.stringify(isPlan.errors?.slice(0, 3)));
  });
}

test("the schema refuses what is no plan", () => {
  const right = planOf(join(root, "examples/todo/spec.md"));
  const wrong: Record<string, unknown>[] = [
    {},
    { ...right, formatVersion: 1 },
    { ...right, endpoints: [{ id: "endpoints/GET /" }] },
    { ...right, novel: true },
    {
      ...right,
      failures: [{ id: "f", condition: "full moon", answer: { is: "ignored" }, columns: [] }],
    },
  ];
  for (const one of wrong) assert.ok(!isPlan(one), JSON.stringify(one).slice(0, 80));
});
