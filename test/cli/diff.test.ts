/** `lacuna diff`: what is told, who judges it, and what is left to be written. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, lacuna } from "./world.ts";

const orders = readFileSync(join(import.meta.dirname, "../long/orders.md"), "utf8");

/** The orders with replacements, each of a text that stands there. */
function edited(...edits: readonly (readonly [string, string])[]): string {
  return edits.reduce((text, [from, to]) => {
    assert.ok(text.includes(from), from);
    return text.replace(from, () => to);
  }, orders);
}

const PHONE = "| `name` | string | required | no | yes | trimmed; 1 to 80 characters |";
const NEEDED = [
  PHONE,
  `${PHONE}\n| \`phone\` | string | required | no | yes | 1 to 20 characters |`,
] as const;
const VERSION = ["This version: `1.4.0`", "This version: `1.5.0`"] as const;

async function diff(
  t: { after(act: () => void): void },
  now: string,
  ...options: readonly string[]
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const path = folder(t);
  const [old, own] = [join(path, "old.md"), join(path, "new.md")];
  writeFileSync(old, orders);
  writeFileSync(own, now);
  const ran = await lacuna(["diff", old, own, ...options], { columns: 200 });
  return { ...ran, out: ran.out.replaceAll(`${path}/`, ""), err: ran.err.replaceAll(path, "") };
}

test("the table of the first document judges: breaking gives 1, compatible gives 0", async (t) => {
  const { code, out } = await diff(t, edited(NEEDED, VERSION));
  assert.equal(code, 1, out);
  assert.match(out, /^old.md → new.md: 3 changes: 1 breaking, 1 not judged, 1 compatible\n/);
  assert.match(out, /compatible +Account.phone {2}member added to an answer\n/);
  assert.match(out, /breaking +Account.phone {2}needed input added\n/);
  assert.match(out, /\+ new.md:33 +\| `phone` \| string \| required/);
  assert.match(out, /for who sends requests/);
  const looser = await diff(t, edited(["1 to 80 characters", "1 to 90 characters"]));
  assert.equal(looser.code, 0);
  assert.match(looser.out, /not judged {2}Account.name {2}rule made looser \(characters\)\n/);
  assert.match(looser.out, /- old.md:32 .*1 to 80.*\n.*\+ new.md:32 .*1 to 90/);
  assert.match(looser.out, /Not judged: the compatibility table has no row for it \(old.md:\d+\)/);
});

test("another table in the second document judges nothing, and is a change itself", async (t) => {
  const { code, out } = await diff(
    t,
    edited(NEEDED, ["| needed input added | no |", "| needed input added | yes |"]),
  );
  assert.equal(code, 1);
  assert.match(out, /breaking +Account.phone {2}needed input added/);
  assert.match(out, /compatibility changed \(needed input added\)/);
});

test("the verdicts of a table: free, a cell that is not shown, no rules at all", async (t) => {
  const judged = async (from: string, to: string): Promise<[number, string]> => {
    const path = folder(t);
    const old = join(path, "old.md");
    writeFileSync(old, orders.replace(from, to));
    const now = edited(NEEDED).replace(from, to);
    const { code, out } = await lacuna(["diff", old, "-"], { stdin: now });
    return [code, out];
  };
  const row = "| needed input added | no |";
  const [free, said] = await judged(row, "| needed input added | free |");
  assert.equal(free, 0);
  assert.match(said, /free +Account.phone {2}needed input added/);
  const [gap, open] = await judged(row, "| needed input added | not shown |");
  assert.equal(gap, 0);
  assert.match(open, /Not judged: the compatibility is not shown \(.*old.md:527\)/);
  const table = orders.slice(
    orders.indexOf("| Change | Compatible |"),
    orders.indexOf("| Version |"),
  );
  const [none, words] = await judged(table, "Compatibility rules: none.\n\n");
  assert.equal(none, 0);
  assert.match(words, /Not judged: there are no compatibility rules \(.*old.md:521\)/);
});

test("the rows for the history can be pasted: then there are none, and nothing to find", async (t) => {
  const now = edited(NEEDED, VERSION, ["| caller | 60 | 1 min", "| caller | 50 | 1 min"]);
  const { out } = await diff(t, now, "--format", "json");
  const { history } = JSON.parse(out);
  assert.deepEqual(history, [
    "| `1.5.0` | `Account.phone` | member added to an answer | no |",
    "| `1.5.0` | `Account.phone` | needed input added | yes |",
    "| `1.5.0` | `burst` | limit lowered: 60 → 50 | not shown |",
  ]);
  const last = "| `1.4.0` | `Order.tracking` | new in answers | no |";
  const pasted = now.replace(last, [last, ...history].join("\n"));
  const again = JSON.parse((await diff(t, pasted, "--format", "json")).out);
  assert.deepEqual(again.history, []);
  const { out: checked } = await lacuna(["check", "-", "--format", "json"], { stdin: pasted });
  const codes = JSON.parse(checked).findings.map((one: { code: string }) => one.code);
  assert.deepEqual(
    codes.filter((one: string) => one.startsWith("history")),
    [],
  );
});

test("json: both lines, whom it matters for, what it asks of rows", async (t) => {
  const now = orders.replaceAll("decimal 2", "decimal 3");
  const { out, code } = await diff(t, now, "--format", "json");
  assert.equal(code, 0);
  const { format, formatVersion, notJudged, changes } = JSON.parse(out);
  assert.deepEqual([format, formatVersion, notJudged], ["lacuna-diff", 1, changes.length]);
  const [change] = changes;
  assert.deepEqual([change.kind, change.about], ["type of a member changed", "Order.total"]);
  assert.deepEqual([change.was, change.is], ["decimal 2", "decimal 3"]);
  assert.deepEqual([change.before.file, change.now.file], ["old.md", "new.md"]);
  assert.deepEqual([change.before.line, change.now.line], [51, 51]);
  assert.deepEqual([change.verdict, change.rows], ["not judged", "other"]);
  assert.deepEqual(change.for, ["sends", "reads", "receives"]);
  assert.equal(change.part, "Resources and their fields");
});

test("markdown: a table for each part, and the history in a fence", async (t) => {
  const { out } = await diff(t, edited(NEEDED, VERSION), "--format", "markdown");
  assert.match(out, /^\*\*old.md → new.md\*\*: 3 changes/);
  assert.match(out, /\n### Resources and their fields\n\n\| \| Of \| Change \| Lines \|\n/);
  assert.match(out, /\| ❌ breaking \| `Account.phone` \| needed input added<br>.* \| – → 33 \|/);
  assert.match(out, /```markdown\n\| `1.5.0` \| `Account.phone` /);
});

test("wording is no change; a line inside a statement is the one that differs", async (t) => {
  const worded = edited(["# Orders", "# Orders, once more"], ["place an order", "order something"]);
  const { code, out } = await diff(t, worded);
  assert.deepEqual([code, out], [0, "old.md → new.md: nothing has changed its meaning\n"]);
  const { out: told } = await diff(
    t,
    edited(["   - `it.customer == caller`", "   - `it.customer != caller`"]),
  );
  assert.match(told, /- old.md:\d+ +- `it.customer == caller`\n/);
});

test("wrong use is 2; a document with errors is 1, with what is wrong in it", async (t) => {
  const path = join(folder(t), "a.md");
  writeFileSync(path, orders);
  assert.deepEqual(await lacuna(["diff", "-", "-"]), {
    code: 2,
    out: "",
    err: "lacuna: `-` can be named once\n",
  });
  assert.equal((await lacuna(["diff", path])).code, 2);
  assert.equal((await lacuna(["diff", path, `${path}.not`])).code, 2);
  const format = await lacuna(["diff", path, path, "--format", "yaml"]);
  assert.deepEqual([format.code, format.out], [2, ""]);
  const wrong = await lacuna(["diff", path, "-"], { stdin: edited(["decimal 2", "decimal two"]) });
  assert.deepEqual([wrong.code, wrong.out], [1, ""]);
  assert.match(wrong.err, /decimal two[^]*lacuna: - has \d+ error/);
  const empty = await lacuna(["diff", path, "-"], { stdin: "" });
  assert.equal(empty.code, 1);
});

test("colours mark what breaks, and are off in a pipe", async (t) => {
  const path = join(folder(t), "a.md");
  writeFileSync(path, orders);
  const given = { stdin: edited(NEEDED) };
  const coloured = await lacuna(["diff", path, "-", "--color"], given);
  assert.match(coloured.out, /\u001b\[31mbreaking/);
  const plain = await lacuna(["diff", path, "-"], given);
  assert.ok(!plain.out.includes("\u001b"));
});
