/** The golden files beside the examples are what the command prints today. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const program = fileURLToPath(new URL("../../examples/golden.ts", import.meta.url));

test("the golden files of the examples are up to date: npm run golden", async () => {
  const run = promisify(execFile)(process.execPath, [program, "--check"]);
  const printed = await run.then(
    ({ stdout }) => stdout,
    (fault) => String(fault.stdout),
  );
  assert.equal(printed, "all up to date\n");
});
