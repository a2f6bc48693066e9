/** `check --review`: questions of judgement, in every format, that are never told unasked. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { checkCodes } from "../../src/check/index.ts";
import { lacuna } from "./world.ts";

const root = join(import.meta.dirname, "../..");
const schema = JSON.parse(readFileSync(join(root, "docs/schema/check.schema.json"), "utf8"));
const isReport = new Ajv2020({ strict: true }).compile(schema);
const todo = join(root, "examples/todo/spec.md");

const codes: ReadonlySet<string> = new Set(
  Object.entries(checkCodes).flatMap(([code, { severity }]) =>
    severity === "review" ? [code] : [],
  ),
);

test("there are at least 15 questions, each with its page", async () => {
  assert.ok(codes.size >= 15, String(codes.size));
  for (const code of codes) {
    const { out, code: exit } = await lacuna(["explain", code]);
    assert.equal(exit, 0, code);
    assert.match(out, /review/, code);
    assert.ok(readFileSync(join(root, `docs/findings/${code}.md`), "utf8").length > 0);
  }
});

for (const format of ["text", "json", "sarif", "github", "markdown"]) {
  test(`--review adds questions in the format ${format}, and changes no exit code`, async () => {
    const asked = await lacuna(["check", todo, "--review", "--format", format]);
    const plain = await lacuna(["check", todo, "--format", format]);
    assert.equal(asked.code, 0);
    assert.equal(plain.code, 0);
    assert.ok(asked.out.includes("open-change"), asked.out);
    for (const code of codes) assert.ok(!plain.out.includes(code), code);
  });
}

test("the questions keep the published schema, and are of their own severity", async () => {
  const { out } = await lacuna(["check", todo, "--review", "--format", "json"]);
  const report: { findings: { code: string; severity: string }[] } = JSON.parse(out);
  assert.ok(isReport(report), JSON.stringify(isReport.errors));
  const asked = report.findings.filter((one) => one.severity === "review");
  assert.ok(asked.length > 0);
  for (const { code } of asked) assert.ok(codes.has(code), code);
});

test("with --complete and --review the exit code is that of --complete", async () => {
  const { code } = await lacuna(["check", todo, "--review", "--complete"]);
  assert.equal(code, 0);
});
