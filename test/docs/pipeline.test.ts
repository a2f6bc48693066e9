/** What `action.yml` and `.pre-commit-hooks.yaml` call is there, and does what they say. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { lacuna, folder as temporary } from "../cli/world.ts";

const root = join(import.meta.dirname, "../..");
const text = (name: string): string => readFileSync(join(root, name), "utf8");

/** The script of the action, as its step has it. */
function script(): string {
  const [, lines = ""] = /\n {6}run: \|\n([^]*)$/.exec(text("action.yml")) ?? [];
  return lines.replaceAll(/^ {8}/gm, "");
}

test("the action writes findings, SARIF and a summary, and fails where the document does", (t) => {
  const folder = temporary(t);
  const right = join(folder, "right.md");
  const wrong = join(folder, "wrong.md");
  writeFileSync(right, text("examples/blank/spec.md"));
  writeFileSync(wrong, `${text("examples/todo/spec.md")}\n- Odd: line\n`);
  // The command of the clone sets itself up: the tests have one that is.
  const command = `#!/bin/sh\nexec '${process.execPath}' '${join(root, "src/cli/main.ts")}' "$@"\n`;
  writeFileSync(join(folder, "lacuna"), command, { mode: 0o755 });
  const ran = (files: string, complete: string) => {
    const [sarif, summary] = [join(folder, "out.sarif"), join(folder, "summary.md")];
    writeFileSync(summary, "");
    const env = {
      ...process.env,
      ...{ GITHUB_ACTION_PATH: folder, GITHUB_STEP_SUMMARY: summary },
      ...{ FILES: files, COMPLETE: complete, SARIF: sarif },
    };
    const { status, stdout } = spawnSync("bash", ["-eo", "pipefail", "-c", script()], {
      ...{ cwd: folder, env, encoding: "utf8", timeout: 60_000 },
    });
    const written = JSON.parse(readFileSync(sarif, "utf8")) as { version: string };
    return { status, stdout, written, summary: readFileSync(summary, "utf8") };
  };
  const good = ran("right.md", "false");
  assert.equal(good.status, 0, good.stdout);
  assert.equal(good.written.version, "2.1.0");
  assert.match(good.summary, /not shown/);
  assert.equal(ran("right.md", "true").status, 1);
  const bad = ran("*.md", "false");
  assert.equal(bad.status, 1);
  assert.match(bad.stdout, /::error file=wrong\.md,line=\d+/);
  assert.match(bad.summary, /wrong\.md/);
});

test("each hook calls a command that there is", async () => {
  const called = [...text(".pre-commit-hooks.yaml").matchAll(/entry: lacuna (\w+)$/gm)];
  assert.equal(called.length, 2);
  for (const [, name = ""] of called) assert.equal((await lacuna([name, "--help"])).code, 0, name);
});
