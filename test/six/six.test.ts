/** Six services written from the documentation alone: right, and served as their examples say. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { lacuna } from "../cli/world.ts";

const folder = import.meta.dirname;
const names = readdirSync(folder).filter((one) => one.endsWith(".md"));
const env = { LACUNA_SETTING_JWT_KEY: "0123456789abcdef0123456789abcdef" };

test("there are six", () => assert.equal(names.length, 6));

for (const name of names) {
  test(`${name}: without errors, and its examples hold`, async () => {
    const file = join(folder, name);
    const checked = await lacuna(["check", "--complete", file]);
    assert.equal(checked.code, 0, checked.out);
    const tried = await lacuna(["try", file], { env });
    assert.equal(tried.code, 0, tried.out + tried.err);
    assert.match(tried.out, /[4-9] examples as stated/);
  });
}
