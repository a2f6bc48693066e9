/** The commands of docs/running.md name commands, options and paths that there are. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { environmentOf, OPTION_NAMES } from "../../src/cli/serve-options.ts";
import { lacuna } from "../cli/world.ts";

const root = join(import.meta.dirname, "../..");
const textOf = (path: string): string => readFileSync(join(root, path), "utf8");
const page = textOf("docs/running.md");

test("each command of the page has a help that names its options", async () => {
  const lines = [...page.matchAll(/^(?:npx |node_modules\/\.bin\/)lacuna (\w+) (.*)$/gm)];
  assert.ok(lines.length >= 6);
  for (const [line, command = "", rest = ""] of lines) {
    const { code, out } = await lacuna([command, "--help"]);
    assert.equal(code, 0, line);
    for (const [option] of rest.matchAll(/--[a-z-]+/g)) assert.ok(out.includes(option), line);
  }
});

test("the unit and the image name what there is", () => {
  const known = new Set([...OPTION_NAMES.map(environmentOf), "LACUNA_CONFIG"]);
  for (const path of ["Dockerfile", "deploy/lacuna.service"]) {
    const named = [...textOf(path).matchAll(/\bLACUNA_[A-Z_]+(?==)/g)].map(([name]) => name);
    assert.ok(named.length > 0);
    for (const name of named.filter((one) => !one.startsWith("LACUNA_SETTING_"))) {
      assert.ok(known.has(name), `${path}: ${name}`);
    }
  }
  assert.match(textOf("Dockerfile"), /^USER lacuna$/m);
  assert.ok(existsSync(join(root, "deploy/image.sh")));
});

test("the figures that the page tells of are there", () => {
  const metrics = textOf("src/serve/watch/metrics.ts");
  for (const [name] of page.matchAll(/lacuna_[a-z_]+/g)) assert.ok(metrics.includes(name), name);
});
