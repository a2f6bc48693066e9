/** `check`, `ask`, `serve` and the plan count alike what keeps the service from answering. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { plan } from "../../src/check/index.ts";
import { gapLine } from "../../src/cli/announce.ts";
import { checkBytes } from "../../src/cli/pipeline.ts";
import { read } from "../../src/read/index.ts";
import { hollowed } from "../gaps/clauses.ts";
import { subjects } from "../gaps/subjects.ts";
import { lacuna } from "./world.ts";

const documents = subjects().flatMap(({ name, bytes }) => {
  const text = new TextDecoder().decode(bytes);
  return [
    { name, text },
    { name: `${name} with every clause not shown`, text: hollowed(read(bytes).spec) },
  ];
});

for (const { name, text } of documents) {
  test(`${name}: one count of what blocks`, async () => {
    const checked = checkBytes(Buffer.from(text));
    const made = plan(checked)?.plan;
    assert.ok(made);
    const blocking = made.gaps.filter((gap) => gap.blocking).length;
    const all = made.gaps.length;
    assert.equal(checked.counts.notShown + checked.counts.silent, all);
    if (all > 0) assert.match(gapLine(made), new RegExp(`^${all} gaps?[,;].* ${blocking} can be`));
    const { out } = await lacuna(["ask", "-"], { stdin: text });
    const [, count, said] = /^(\d+) .*?(\d+|none) of which/m.exec(out) ?? [];
    assert.equal(Number(count ?? 0), all);
    assert.equal(said === "none" || said === undefined ? 0 : Number(said), blocking);
    const shown = (await lacuna(["check", "-"], { stdin: text })).out;
    assert.equal(
      Number(/\((\d+)(?: of both)? blocks?\)/.exec(shown)?.[1] ?? 0),
      blocking,
      shown.slice(-600),
    );
  });
}

test("a row of which all is not shown is one question, a cell is named by row and column", async () => {
  const bank = readFileSync(join(import.meta.dirname, "../../examples/bank/spec.md"), "utf8");
  const row = /^\| `new_banks` \|.*$/m;
  assert.match(bank, row);
  const gap = " not shown |".repeat(5);
  const whole = bank.replace(row, `| \`new_banks\` |${gap}`);
  const asked = async (text: string): Promise<string> =>
    (await lacuna(["ask", "-"], { stdin: text })).out;
  assert.match(
    await asked(whole),
    /What are Counts, Per, Amount, Window and When passed of `new_banks`\?/,
  );
  const cell = bank.replace(
    "| `burst` | requests | caller | 600 |",
    "| `burst` | requests | caller | not shown |",
  );
  assert.match(await asked(cell), /What is Amount of `burst`\?/);
});
