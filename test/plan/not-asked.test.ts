/** What a document does not say is no `none` in its plan. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { plan } from "../../src/check/index.ts";
import { checkBytes } from "../../src/cli/pipeline.ts";
import { read } from "../../src/read/index.ts";
import { hollowed } from "../gaps/clauses.ts";

const root = join(import.meta.dirname, "../..");
const files = [
  ...readdirSync(join(root, "examples")).map((name) => join("examples", name, "spec.md")),
  ...readdirSync(join(root, "test/unseen"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("test/unseen", name)),
].filter((file) => existsSync(join(root, file)));

/** The paths in a plan at which an answer is of a kind. */
function answersOf(value: unknown, is: string, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "is" in value && value.is === is ? [path] : [];
  return [
    ...own,
    ...Object.entries(value).flatMap(([name, one]) => answersOf(one, is, `${path}/${name}`)),
  ];
}

function planOf(text: string): unknown {
  const checked = checkBytes(Buffer.from(text));
  const wrong = checked.findings.filter(
    ({ severity, code }) => severity === "error" && code !== "silent",
  );
  assert.deepEqual(wrong, []);
  return plan(checked)?.plan;
}

for (const file of files) {
  test(`${file} with every clause not shown has a plan without none`, () => {
    const { spec } = read(readFileSync(join(root, file)));
    assert.deepEqual(answersOf(planOf(hollowed(spec)), "none"), []);
  });
}

test("what no section asks is not asked, and what says none is none", () => {
  const blank = planOf(readFileSync(join(root, "examples/blank/spec.md"), "utf8"));
  assert.ok(answersOf(blank, "not asked").includes("/about/basePath"));
  const todo = readFileSync(join(root, "examples/todo/spec.md"), "utf8");
  assert.match(todo, /^- Cross-origin: none$/m);
  assert.ok(answersOf(planOf(todo), "none").includes("/about/crossOrigin"));
});
