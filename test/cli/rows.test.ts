/** `lacuna rows`, `backup` and `restore`, as an operator calls them. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { serve } from "../../src/serve/index.ts";
import { document } from "../run/document.ts";
import { planOf } from "../run/service.ts";
import { example } from "../serve/document.ts";
import { folder, lacuna } from "./world.ts";

const orders = example("orders");
const origins = JSON.stringify(orders.origins);
const ann = { name: "ann", role: "staff", key: `key_${"k".repeat(43)}` };

async function served(file: string, startRows: string): Promise<string[]> {
  const said: string[] = [];
  const log = (line: string): void => void said.push(line);
  const options = { file, startRows, inline: true, origins, log, environment: process.env };
  await (await serve(orders.plan, options)).stop();
  return said;
}

test("rows are printed without secrets, and come in all or not at all", async (t) => {
  const at = folder(t);
  const file = join(at, "orders.sqlite");
  const missing = await lacuna(["rows", file, "Account"]);
  assert.equal(missing.code, 2);
  assert.match(missing.err, /orders.sqlite is not there/);
  await served(file, JSON.stringify({ Account: [ann] }));

  const first = await lacuna(["rows", file, "Account"]);
  assert.equal(first.code, 0);
  assert.deepEqual(first.out.match(/"name":"\w+"/g), ['"name":"ann"']);
  assert.doesNotMatch(first.out, /kkkk|"key"/);
  assert.match(first.err, /`Account.key` is a secret, and is not printed \(\S+:\d+:\d+\)/);

  const bob = JSON.stringify({
    ...ann,
    name: "bob",
    key: `key_${"b".repeat(43)}`,
    id: "acc_1k0wmbe8v5gek6fez4bh8x3m47",
  });
  const wrong = await lacuna(["rows", file, "Account", "--add", "-"], {
    stdin: `${bob}\n\n{"name": 5, "shoe": 43}\n{"name"\n7\n`,
  });
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /standard input:3:2: `name` is no string \(\S+:\d+:\d+\)/);
  assert.match(wrong.err, /standard input:3:13: `shoe` is no field \(\S+:\d+:\d+\)/);
  assert.match(wrong.err, /standard input:4:8: no JSON/);
  assert.match(wrong.err, /standard input:5:1: is no object/);
  assert.match(wrong.err, /No row was added/);

  const twice = await lacuna(["rows", file, "Account", "--add", "-"], {
    stdin: `${bob}\n${bob}\n`,
  });
  assert.equal(twice.code, 2, twice.err);
  assert.match(twice.err, /No row was added/);
  assert.equal((await lacuna(["rows", file, "Account"])).out, first.out);

  const added = await lacuna(["rows", file, "Account", "--add", "-"], { stdin: `${bob}\n` });
  assert.deepEqual([added.code, added.out], [0, ""]);
  assert.match(added.err, /1 row of `Account` added/);
  const both = await lacuna(["rows", file, "Account"]);
  assert.ok(both.out.startsWith(first.out) && both.out.split("\n").length === 3, both.out);
  assert.match(
    (await lacuna(["rows", file, "Shoe"])).err,
    /`Shoe` is no resource .* it has `Account`, /,
  );
});

const shelf = planOf(
  document({
    resources: `### \`Book\`, many \`books\`

- Rows at the start: none
- Always: \`it.pages > 0\`, else \`bad\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`name\` | string | required | no | yes | key |
| \`isbn\` | string | required | no | yes | unique, else \`taken\` |
| \`pages\` | integer | required | no | yes | none |
| \`after\` | \`Book\` or null | required | no | yes | starts \`null\`; deleted with it |
| \`text\` | string | required | no | yes | none |`,
  }),
);

const book = (i: number, given: object = {}): string =>
  JSON.stringify({ name: `b${i}`, isbn: `i${i}`, pages: 1, after: null, text: "", ...given });

test("what a row must be is judged when all are there, and told with its line", async (t) => {
  const file = join(folder(t), "shelf.sqlite");
  await (await serve(shelf, { file, inline: true, environment: {} })).stop();
  const add = (...lines: string[]) =>
    lacuna(["rows", file, "Book", "--add", "-"], { stdin: lines.join("\n") });
  const cases: [lines: string[], told: RegExp][] = [
    [[book(1), "", book(2, { isbn: "i1" })], /standard input:1:1: .* with `taken`/],
    [[book(1), "", book(2, { pages: 0 })], /standard input:3:1: .* with `bad`/],
    [[book(1, { after: "b2" }), book(2)], /standard input:1:1: .*no row is named b2 yet/],
    [[book(1), "", "", book(1, { isbn: "x" })], /standard input:4:1: .* this `name` already/],
  ];
  for (const [lines, told] of cases) {
    const { code, err } = await add(...lines);
    assert.equal(code, 2, err);
    assert.match(err, told);
    assert.match(err, /No row was added/);
  }
  assert.equal((await lacuna(["rows", file, "Book"])).out, "");
  const right = await add(book(1), "", book(2, { after: "b1" }), book(3, { after: "b2" }));
  assert.equal(right.code, 0, right.err);
  assert.match((await add(book(4, { isbn: "i2" }))).err, /with `taken`/);
  assert.equal((await lacuna(["rows", file, "Book"])).out.split("\n").length, 4);
});

test("rows are added and printed in less memory than they take", async (t) => {
  const at = folder(t);
  const file = join(at, "shelf.sqlite");
  await (await serve(shelf, { file, inline: true, environment: {} })).stop();
  const text = "t".repeat(9_000);
  const lines = Array.from({ length: 6_000 }, (_, i) => book(i, { text }));
  writeFileSync(join(at, "books.jsonl"), lines.join("\n"));
  const main = join(import.meta.dirname, "../../src/cli/main.ts");
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ["--max-old-space-size=48", main, "rows", file, "Book", ...args], {
      encoding: "utf8",
      maxBuffer: 100_000_000,
    });
  const added = run("--add", join(at, "books.jsonl"));
  assert.match(added.stderr, /6000 rows of `Book` added/);
  const { status, stdout } = run();
  assert.equal(status, 0);
  assert.equal(stdout.split("\n").length, lines.length + 1);
});

test("rows that are given to a store that has had its rows are not ignored in silence", async (t) => {
  const file = join(folder(t), "orders.sqlite");
  assert.deepEqual(await served(file, JSON.stringify({ Account: [ann] })), []);
  const said = await served(file, JSON.stringify({ Account: [ann] }));
  assert.match(said.join("\n"), /the rows given for `Account` are not taken/);
});

test("backup and restore say of which document a copy is, and what they will not do", async (t) => {
  const at = folder(t);
  const [file, copy, back] = ["a", "b", "c"].map((name) => join(at, `${name}.sqlite`));
  await served(file ?? "", "{}");
  const made = await lacuna(["backup", file ?? "", copy ?? ""]);
  assert.equal(made.code, 0, made.err);
  assert.match(made.out, /b.sqlite is a backup of .*a.sqlite: .+ \(.+\), taken 20\S+Z, \d+ KiB\n$/);
  const again = await lacuna(["backup", file ?? "", copy ?? ""]);
  assert.equal(again.code, 2);
  assert.match(again.err, /b.sqlite is there already: name another file/);
  const over = await lacuna(["restore", copy ?? "", file ?? ""]);
  assert.equal(over.code, 2);
  assert.match(over.err, /of the same service.*`--replace`/);
  assert.equal((await lacuna(["restore", copy ?? "", back ?? ""])).code, 0);
  assert.ok(existsSync(back ?? ""));
  writeFileSync(join(at, "text"), "no database".repeat(400));
  const none = await lacuna(["restore", join(at, "text"), join(at, "d.sqlite")]);
  assert.equal(none.code, 2);
  assert.match(none.err, /damaged or no store/);
  assert.equal(existsSync(join(at, "d.sqlite")), false);
});
