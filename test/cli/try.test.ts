/** `lacuna try` runs the examples of a document and says where an answer is another. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { lacuna } from "./world.ts";

const root = join(import.meta.dirname, "../..");
const todo = join(root, "examples/todo/spec.md");
const bank = join(root, "examples/bank/spec.md");
const blank = join(root, "examples/blank/spec.md");

const example = (status: number, body: string): string =>
  `\n\`\`\`http read what is there\nGET /todos\n\nHTTP/1.1 ${status}\n\n${body}\n\`\`\`\n`;

/** The document with an example at the end of its fourth part. */
function withExample(text: string): string {
  return readFileSync(todo, "utf8").replace("\n## Authentication", `${text}\n## Authentication`);
}

test("an example that is answered as it says", async () => {
  const { code, out, err } = await lacuna(["try", "-"], { stdin: withExample(example(200, "[]")) });
  assert.equal(code, 0, out + err);
  assert.match(out, /✓ read what is there 1 exchange\n/);
  assert.match(out, /as stated\n$/);
});

test("another status or body is shown with its place, and the exit code is 1", async () => {
  const status = await lacuna(["try", "-"], { stdin: withExample(example(404, "[]")) });
  assert.equal(status.code, 1);
  assert.match(status.out, /✗ read what is there exchange 1 of 1\n/);
  assert.match(status.out, /-:\d+:10\n/);
  assert.match(status.out, /│ HTTP\/1\.1 404\n/);
  assert.match(status.out, /The answer is 200\./);
  const body = await lacuna(["try", "-"], { stdin: withExample(example(200, '["x"]')) });
  assert.equal(body.code, 1);
  assert.match(body.out, /body: has \[] instead of \[0]/);
});

test("the clock moves, and settings come from the environment", async () => {
  const env = { LACUNA_SETTING_BANK_ZONE: "Europe/Berlin" };
  const { code, out } = await lacuna(["try", bank], { env });
  assert.equal(code, 0, out);
  assert.match(out, /2 examples as stated\n$/);
  const without = await lacuna(["try", bank]);
  assert.equal(without.code, 2);
  assert.match(without.err, /LACUNA_SETTING_BANK_ZONE/);
});

test("a document without examples, and one with errors", async () => {
  const none = await lacuna(["try", blank]);
  assert.equal(none.code, 0);
  assert.match(none.out, /no example/);
  const wrong = await lacuna(["try", "-"], { stdin: "# Title\n\n## Nothing\n" });
  assert.equal(wrong.code, 1);
  assert.match(wrong.err, /errors?\. Next: /);
});
