/** Documents of services that the language was not made for: right, and served as they say. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { lacuna } from "../cli/world.ts";

const folder = import.meta.dirname;
const env = JSON.parse(readFileSync(join(folder, "settings.json"), "utf8")) as Record<
  string,
  string
>;

for (const name of readdirSync(folder).filter((one) => one.endsWith(".md"))) {
  test(name, async () => {
    const file = join(folder, name);
    const checked = await lacuna(["check", "--complete", "--all", file]);
    assert.equal(checked.code, 0, checked.out);
    const rows = join(folder, name.replace(/\.md$/, ".rows.json"));
    const given = existsSync(rows) ? ["--rows", rows] : [];
    const tried = await lacuna(["try", file, ...given], { env });
    assert.equal(tried.code, 0, tried.out + tried.err);
    assert.match(tried.out, /examples? as stated/);
  });
}
