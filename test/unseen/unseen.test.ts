/** Documents of services that the language was not made for: right, and served as they say. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { lacuna } from "../cli/world.ts";

const folder = import.meta.dirname;

/** A value for each setting that a document asks for. */
function settingsOf(text: string): Record<string, string> {
  const names = [...text.matchAll(/^- Setting `(\w+)`/gm)].map((hit) => hit[1] ?? "");
  return Object.fromEntries(
    names.map((name) => [`LACUNA_SETTING_${name.toUpperCase()}`, "0123456789".repeat(4)]),
  );
}

for (const name of readdirSync(folder).filter((one) => one.endsWith(".md"))) {
  test(name, async () => {
    const file = join(folder, name);
    const checked = await lacuna(["check", "--complete", "--all", file]);
    assert.equal(checked.code, 0, checked.out);
    const env = settingsOf(readFileSync(file, "utf8"));
    const rows = join(folder, name.replace(/\.md$/, ".rows.json"));
    const given = readdirSync(folder).includes(name.replace(/\.md$/, ".rows.json"));
    const tried = await lacuna(["try", file, ...(given ? ["--rows", rows] : [])], { env });
    assert.equal(tried.code, 0, tried.out + tried.err);
    assert.match(tried.out, /examples? as stated/);
  });
}
