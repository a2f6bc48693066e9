/** What a document keeps for an export is counted by kind, as an independent count has it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { lacuna } from "../cli/world.ts";

const SMALL = new URL("../openapi/small/openapi-3.1.yaml", import.meta.url).pathname;
const ORDERS = new URL("../../examples/orders/spec.md", import.meta.url).pathname;

const BLOCK = {
  operationId: "getNote",
  description: "a",
  tags: ["b"],
  "x-own": { description: "inside of what counts" },
  parameters: { "query limit": { style: "form", explode: false, description: "c" } },
  responses: { 200: { links: { one: {}, two: { operationId: "d" } } } },
  callbacks: { paid: {} },
  servers: [{ url: "/e" }, { url: "/f" }],
  requestBody: { required: true },
};

test("members are counted by kind, those inside of what counts are not", async () => {
  const made = await lacuna(["import", SMALL]);
  const block = `\`\`\`json openapi\n${JSON.stringify(BLOCK, null, 2)}\n\`\`\``;
  const text = made.out.replaceAll(/```json openapi\n[^`]*```/g, "");
  const document = text.replace("\n## Resources", `\n${block}\n\n## Resources`);
  const json = await lacuna(["check", "-", "--format", "json"], { stdin: document });
  const { kept } = JSON.parse(json.out) as { kept: object };
  assert.deepEqual(kept, {
    blocks: 1,
    members: 13,
    kinds: {
      texts: 3,
      links: 2,
      servers: 2,
      styles: 2,
      callbacks: 1,
      extensions: 1,
      names: 1,
      others: 1,
    },
  });
  const report = await lacuna(["check", "-"], { stdin: document });
  assert.match(report.out, /Kept for export, not served: 13 members in 1 block \(3 texts, 2 links/);
});

test("a document without such blocks says nothing of them", async () => {
  assert.ok(!readFileSync(ORDERS, "utf8").includes("json openapi"));
  const report = await lacuna(["check", ORDERS, "--format", "json"]);
  assert.equal((JSON.parse(report.out) as { kept?: object }).kept, undefined);
});
