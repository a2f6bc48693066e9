/** A log that nobody reads holds nothing up: lines are lost, counted, and the process ends. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const module = pathToFileURL(join(import.meta.dirname, "../../src/cli/line-writer.ts")).href;

/** Ten megabytes, then a sign of life, then the end. */
const program = `import { LineWriter } from ${JSON.stringify(module)};
const lines = new LineWriter((count) => count + " lost");
for (let i = 0; i < 1000; i++) lines.write("x".repeat(9_999));
process.stdout.write(lines.lost + "\\n");
setTimeout(async () => { await lines.end(); process.exitCode = 7; }, 10);`;

test("a log that nobody reads loses lines, and keeps nobody from ending", async () => {
  const args = ["--input-type=module", "-e", program];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  child.stdout.on("data", (bytes) => {
    out += String(bytes);
  });
  const code = await new Promise((done) => child.once("exit", done));
  assert.equal(code, 7);
  const lost = Number(out);
  assert.ok(lost > 400 && lost < 700, out);
});
