/** `lacuna rows`, `backup` and `restore`, as an operator calls them. */
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { serve } from "../../src/serve/index.ts";
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
