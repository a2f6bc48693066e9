/** docs/library.md names each export of the library, and its program runs. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import * as library from "../../src/index.ts";
import { exportsNamed, program } from "../package/consumer.ts";

const index = pathToFileURL(join(import.meta.dirname, "../../src/index.ts")).href;

test("the page names each export, and no other", () => {
  assert.deepEqual(exportsNamed.toSorted(), Object.keys(library).toSorted());
});

test("the program of the page runs", () => {
  const text = program.replace('"lacuna"', JSON.stringify(index));
  const args = ["--input-type=module-typescript", "-e", text];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  assert.match(stdout, /^\d+:\d+ error silent .*\n[\s\S]*\d+ silent a plan\n$/, stderr);
});
